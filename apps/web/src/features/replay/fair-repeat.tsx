import type { ReceiptAccount, StepDetail } from '@misstep/contract';
import type { Replay } from '@misstep/model';
import { Link } from '@tanstack/react-router';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-shapes.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { Worded } from '../step-panel/worded.tsx';
import styles from './comparison.module.css';

/** What was and was not the same as in the recorded call, and what a difference can be laid to. */
export function FairRepeat(props: {
  name: string;
  account: ReceiptAccount | undefined;
  replay: Replay;
  step: StepDetail;
}) {
  const { name, account, replay, step } = props;
  const check = account?.resultCheck ?? null;
  // What a strict client refuses is said with the outcome already, as the answer came.
  const isSaid = check !== null && replay.outcomeSentence?.includes(check.sentence) === true;
  const isEdited = replay.receipt?.pins.arguments === 'edited';
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
      {check === null || check.verdict === 'nothing declared' || isSaid ? null : (
        <p className={styles.resultCheck}>
          <Icon
            name={CHECK_ICONS[check.verdict]}
            className={check.verdict === 'refused' ? styles.error : ''}
          />
          <span className={styles.fairName}>Result by outputSchema</span>
          <span>
            <Worded text={check.sentence} />
          </span>
        </p>
      )}
      <p className={styles.meaning} title={account?.meaning}>
        {account?.meaning ?? ''}
      </p>
      <p className={styles.rounds}>
        {'One send can’t tell an effect from a drift of the server. '}
        <Link
          to="/comparisons/new"
          search={{
            run: step.runId,
            step: step.id,
            target: replay.targetName,
            ...(isEdited
              ? { kind: 'attribute', a: 'recorded', b: replay.id }
              : { kind: 'repeat', a: 'recorded', times: 3 }),
          }}
          title="Shows the plan first; nothing is sent by this"
        >
          {isEdited ? 'Send both in shuffled rounds' : 'Send it 3 times'}
        </Link>
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
