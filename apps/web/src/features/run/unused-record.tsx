import type { UnusedPage } from '@misstep/contract';
import { classNames } from '../../ui/class-names.ts';
import { formatBytes, formatCount } from '../../ui/format-count.ts';
import { VisibleText } from '../step-panel/visible-text-view.tsx';
import { STATE_WORDS } from './record-words.ts';
import styles from './unused-records.module.css';

/** One record: what became of it and why, where its bytes stand, and their text. */
export function UnusedRecord(props: { record: UnusedPage['records'][number] }) {
  const { record } = props;
  return (
    <article className={classNames(styles.record, record.state === 'setAside' && styles.neutral)}>
      <h3>
        {STATE_WORDS[record.state]}
        <span>
          {`bytes ${formatCount(record.offset)} to ${formatCount(record.offset + record.length)} of ${record.sha256.slice(0, 12)}`}
        </span>
      </h3>
      <p>{record.reason}</p>
      <pre>
        <VisibleText text={record.text} />
      </pre>
      {record.omittedBytes > 0 ? (
        <p>{`${formatBytes(record.omittedBytes)} more in the source, not shown here`}</p>
      ) : null}
    </article>
  );
}
