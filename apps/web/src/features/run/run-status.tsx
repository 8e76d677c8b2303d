import type { RunDetail } from '@misstep/contract';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import type { RowsInView } from '../call-tree/call-tree.tsx';
import { ordinalOfRow, type VisibleRows } from '../call-tree/visible-rows.ts';
import { StatusItem, StatusItems } from '../shell/status-items.tsx';
import { accountSentence, accountWords, lossWords, recordsOf } from './record-words.ts';
import styles from './run-screen.module.css';
import type { RunModel } from './use-run-model.ts';

/** Where the person is, what is hidden, and what could not be read. Every cut is counted. */
export function RunStatus(props: {
  run: RunDetail;
  model: RunModel;
  visible: VisibleRows;
  selected: number | null;
  inView: RowsInView;
  /** What the last key looked for and did not find; null = it did. */
  missed: string | null;
  onShowRecords: () => void;
}) {
  const { run, model, visible } = props;
  const total = model.skeleton.count;
  const records = recordsOf(run);
  const loss = lossWords(records);
  const hidden = total - visible.stepCount;
  const first = ordinalOfRow(visible, props.inView.first);
  const last = Math.min(visible.stepCount, ordinalOfRow(visible, props.inView.last));
  return (
    <StatusItems>
      {props.missed === null ? null : (
        <StatusItem>
          <span role="status">{props.missed}</span>
        </StatusItem>
      )}
      <StatusItem>
        {props.selected === null
          ? countOf(total, 'step')
          : `step ${formatCount(props.selected + 1)} of ${formatCount(total)}`}
      </StatusItem>
      {visible.stepCount > 0 ? (
        <StatusItem
          wideOnly
        >{`rows ${formatCount(first)} to ${formatCount(last)} in view`}</StatusItem>
      ) : null}
      {hidden > 0 ? (
        <StatusItem>
          {visible.matchCount === null
            ? `${countOf(hidden, 'step')} folded away`
            : `${countOf(hidden, 'step')} hidden by the filter`}
        </StatusItem>
      ) : null}
      <StatusItem>
        <button
          type="button"
          className={styles.link}
          title={accountSentence(records)}
          onClick={props.onShowRecords}
        >
          {loss === null ? null : <Icon name="warning" small className={styles.warning} />}
          {loss ?? accountWords(records)}
        </button>
      </StatusItem>
    </StatusItems>
  );
}
