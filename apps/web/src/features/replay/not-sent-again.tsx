import type { ReceiptAccount } from '@misstep/contract';
import { countOf } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './replay-screen.module.css';

/** What the recorded request held beside name and arguments, and the replay left out. */
export function NotSentAgain(props: { account: ReceiptAccount; name: string }) {
  const { account, name } = props;
  const left = account.notSentAgain;
  return (
    <section aria-label="Not sent again">
      <PanelHead
        title="Not sent again"
        level={3}
        note={left === null ? `recorded, left out of ${name}` : countOf(left.length, 'value')}
      />
      {left === null ? (
        <p className={styles.empty}>{account.notSentAgainWhy}</p>
      ) : left.length === 0 ? (
        <p className={styles.empty}>Nothing: the recorded call had a name and arguments alone.</p>
      ) : (
        left.map(({ pointer, text, why }) => (
          <div key={pointer} className={styles.leftOut} title={visibleLine(text)}>
            <span>{visibleLine(pointer.slice(1).replaceAll('/', '.'))}</span>
            <span>{`${visibleLine(text.slice(0, 60))}: ${why}`}</span>
          </div>
        ))
      )}
    </section>
  );
}
