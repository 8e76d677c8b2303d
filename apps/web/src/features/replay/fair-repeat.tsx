import type { ReceiptAccount } from '@misstep/contract';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-shapes.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './comparison.module.css';
import { Worded } from './worded.tsx';

/** What was and was not the same as in the recorded call, and what a difference can be laid to. */
export function FairRepeat(props: { name: string; account: ReceiptAccount | undefined }) {
  const { name, account } = props;
  return (
    <section aria-label={`Is ${name} a fair repeat?`} className={styles.fairPart}>
      <PanelHead title={`Is ${name} a fair repeat?`} note="what was and was not the same" />
      <ul className={styles.fair}>
        {(account?.pins ?? PLACES).map((pin) => (
          <li key={pin.name}>
            {account === undefined ? <span /> : <Icon name={iconOf(pin.same)} />}
            <span className={styles.fairName}>{pin.name}</span>
            <span className={styles.fairWords} title={visibleLine(pin.words)}>
              {visibleLine(pin.words)}
            </span>
          </li>
        ))}
      </ul>
      {account?.resultCheck == null || account.resultCheck.verdict === 'nothing declared' ? null : (
        <p className={styles.resultCheck}>
          <Icon
            name={CHECK_ICONS[account.resultCheck.verdict]}
            className={account.resultCheck.verdict === 'refused' ? styles.error : ''}
          />
          <span className={styles.fairName}>Result by outputSchema</span>
          <span>
            <Worded text={account.resultCheck.sentence} />
          </span>
        </p>
      )}
      <p className={styles.meaning} title={account?.meaning}>
        {account?.meaning ?? ''}
      </p>
    </section>
  );
}

/** Keeps the height while the account comes. */
const PLACES = Array.from({ length: 7 }, (_value, order) => ({
  name: ' '.repeat(order + 1),
  same: null,
  words: '',
}));

const CHECK_ICONS = { accepted: 'check', refused: 'cross', 'not checked': 'unknown' } as const;

function iconOf(same: boolean | null): IconName {
  if (same === null) return 'unknown';
  return same ? 'check' : 'notEqual';
}
