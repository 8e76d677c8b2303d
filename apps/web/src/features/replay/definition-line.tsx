import { Button } from '../../ui/button.tsx';
import { ProblemLine } from '../shell/problem-notice.tsx';
import { AtTime } from './at-time.tsx';
import styles from './draft.module.css';
import type { Draft } from './use-draft.ts';
import { useAskTools } from './use-tool.ts';

/** Where the tool's definition is from, and the one button that asks the server for it. */
export function DefinitionLine(props: { draft: Draft; isBusy: boolean }) {
  const { target, stepTool } = props.draft;
  const ask = useAskTools();
  if (target === null || target.confirmedAt === null || stepTool === null) return null;
  const { live, recorded } = stepTool;
  const isCommand = target.address.transport === 'stdio';
  const waits = ask.isPending || props.isBusy;
  return (
    <>
      <div className={styles.line}>
        <span className={styles.label}>definition</span>
        <span className={styles.grow}>
          {live !== null ? (
            <>
              {live.from === 'asked' ? 'as listed ' : 'as a replay saw it '}
              <AtTime iso={live.at} />
            </>
          ) : recorded === null ? (
            'not known yet'
          ) : (
            'only the recorded one'
          )}
        </span>
        <Button
          small
          unavailable={waits}
          title={`${isCommand ? 'Starts the command and asks' : 'Calls the address and asks'} for tools/list. No tool is called.`}
          onClick={() => ask.mutate(target.name)}
        >
          {ask.isPending
            ? 'Asking the server'
            : live === null
              ? 'Read the tool’s definition'
              : 'Read again'}
        </Button>
      </div>
      {ask.error === null ? null : (
        <div className={styles.notice}>
          <ProblemLine error={ask.error} />
        </div>
      )}
    </>
  );
}
