import { useStatus } from '../../api/status.ts';
import { countOf, formatBytes, formatCount } from '../../ui/format-count.ts';
import text from '../../ui/text.module.css';
import { StatusItem, StatusItems } from '../shell/status-items.tsx';

/** "58 runs, 1.2 GB in ~/.misstep" and what goes on. */
export function RunsStatus(props: {
  running: number;
  selected: number;
  total: number;
  listed: number;
}) {
  const status = useStatus();
  // What stands first must not come last and push the rest aside.
  if (!status.isFetched) return null;
  return (
    <StatusItems>
      {status.data === undefined ? null : (
        <StatusItem title={`${formatCount(status.data.sourceBytes)} bytes of sources`}>
          {countOf(status.data.runCount, 'run')}, {formatBytes(status.data.sourceBytes)} in{' '}
          <span className={text.monoSmall}>{status.data.dataFolder}</span>
        </StatusItem>
      )}
      {props.listed < props.total ? (
        <StatusItem>
          the newest {formatCount(props.listed)} of {formatCount(props.total)} are listed
        </StatusItem>
      ) : null}
      {props.running > 0 ? (
        <StatusItem>{countOf(props.running, 'import')} running</StatusItem>
      ) : null}
      {props.selected > 0 ? <StatusItem>{formatCount(props.selected)} selected</StatusItem> : null}
    </StatusItems>
  );
}
