import type { ReceiptAccount, StepDetail } from '@misstep/contract';
import { type Comparison, type Replay, VERDICTS } from '@misstep/model';
import { useEffect, useMemo, useState } from 'react';
import { useReceiptAccount, useRuledComparison } from '../../api/replay-account.ts';
import { Chip } from '../../ui/chip.tsx';
import { countOf } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { VerdictChip } from '../../ui/verdict-chip.tsx';
import { momentText } from '../run/amounts.ts';
import { Worded } from '../step-panel/worded.tsx';
import styles from './comparison.module.css';
import { ComparisonFoot } from './comparison-foot.tsx';
import { ComparisonViews } from './comparison-views.tsx';
import { FairRepeat } from './fair-repeat.tsx';
import { placeOf, type RowPlace } from './frame-span.ts';
import { OutcomeChip } from './outcome-chip.tsx';
import columns from './replay-screen.module.css';
import { serverWords } from './server-words.ts';

/** The verdict first, then whether the repeat was fair, then the rows it rests on. */
export function ComparisonColumn(props: {
  step: StepDetail;
  replay: Replay | null;
  name: string | null;
  isHidden: boolean;
  /** Told where the selected row's value stands in the frames. */
  onPlace: (place: RowPlace | null) => void;
}) {
  const { replay, name } = props;
  const account = useReceiptAccount(replay).data;
  return (
    <section
      className={columns.column}
      aria-label="Comparison"
      data-hidden={props.isHidden ? 'yes' : 'no'}
    >
      {replay === null || name === null ? (
        <>
          <PanelHead title="Comparison" note="nothing to compare yet" />
          <p className={columns.empty}>
            Send the call, or choose an earlier replay, to see the live answer beside what the
            recording holds.
          </p>
        </>
      ) : (
        <Compared
          key={replay.id}
          step={props.step}
          replay={replay}
          name={name}
          account={account}
          onPlace={props.onPlace}
        />
      )}
    </section>
  );
}

function Compared(props: {
  step: StepDetail;
  replay: Replay;
  name: string;
  account: ReceiptAccount | undefined;
  onPlace: (place: RowPlace | null) => void;
}) {
  const { replay, name, account, onPlace } = props;
  const ruled = useRuledComparison(replay).data;
  // Until the rules have come the comparison is shown as it was stored, without any.
  const comparison = ruled?.comparison ?? replay.comparison;
  // Until a person chooses, the first difference; the comparison may come after the column.
  const [chosen, setChosen] = useState<number | null>(null);
  const selected = chosen ?? firstDifference(comparison);
  const row = comparison?.rows[selected];
  const place = useMemo(
    () => (comparison === null || row === undefined ? null : placeOf(comparison, row)),
    [comparison, row],
  );
  useEffect(() => {
    onPlace(place);
    return () => onPlace(null);
  }, [place, onPlace]);
  return (
    <>
      <div className={styles.account} role="region" aria-label="Verdict" tabIndex={0}>
        <Verdict replay={replay} comparison={comparison} />
        {replay.receipt === null ? (
          replay.state === 'done' ? (
            <p className={styles.meaning}>
              This replay has no receipt, so nothing can be said of what was the same.
            </p>
          ) : null
        ) : (
          <FairRepeat name={name} account={account} replay={replay} step={props.step} />
        )}
      </div>
      {comparison === null ? (
        <>
          {replay.state === 'done' ? (
            <p className={columns.empty}>There is no answer to compare with the recording.</p>
          ) : null}
          <div className={columns.spacer} />
        </>
      ) : (
        <ComparisonViews
          comparison={comparison}
          ruled={ruled}
          replay={replay}
          account={account}
          step={props.step}
          note={`${name}, ${momentText(replay.startedAt)}`}
          selected={selected}
          onSelect={setChosen}
        />
      )}
      {replay.state === 'done' ? (
        <ComparisonFoot
          step={props.step}
          replay={replay}
          name={name}
          comparison={comparison}
          row={row}
        />
      ) : null}
    </>
  );
}

function firstDifference(comparison: Comparison | null): number {
  const found = comparison?.rows.findIndex(
    (row) => row.verdict !== 'same' && row.ignoredBy === undefined,
  );
  return Math.max(0, found ?? 0);
}

/** Which of the configured servers it was, and what that one calls itself. */
function sentTo({ targetName, receipt }: Replay): string {
  const server = serverWords(receipt?.server);
  return server === null
    ? `Sent to ${targetName}.`
    : `Sent to ${targetName}, answered as ${server}.`;
}

function Verdict(props: { replay: Replay; comparison: Comparison | null }) {
  const { replay, comparison } = props;
  const { outcome } = replay;
  const waiting =
    replay.state === 'connecting'
      ? 'Connecting to the server.'
      : 'The call is sent, waiting for the answer.';
  const ignored = (comparison?.ignored ?? []).reduce((sum, { count }) => sum + count, 0);
  return (
    <div className={styles.verdict} aria-live="polite">
      <h2 className={styles.sentence}>
        {comparison?.sentence ?? (
          <Worded text={replay.state === 'done' ? (replay.outcomeSentence ?? 'Ended.') : waiting} />
        )}
      </h2>
      {comparison !== null && replay.outcomeSentence !== null ? (
        <p className={styles.second}>
          <Worded text={replay.outcomeSentence} />
        </p>
      ) : null}
      <p className={styles.second}>{sentTo(replay)}</p>
      {replay.notChecked === undefined ? null : (
        <p className={styles.second}>{replay.notChecked}</p>
      )}
      {comparison?.remarks?.map((remark) => (
        <p key={remark} className={styles.remark}>
          {remark}
        </p>
      ))}
      <div className={styles.chips}>
        {outcome === null ? null : <OutcomeChip outcome={outcome} />}
        {comparison === null
          ? null
          : [...VERDICTS].reverse().map((verdict) => {
              const count = comparison.counts[verdict] ?? 0;
              return count === 0 ? null : (
                <VerdictChip
                  key={verdict}
                  verdict={verdict}
                  count={count}
                  edited={comparison.inputsEdited === true}
                />
              );
            })}
        {ignored === 0 ? null : (
          <Chip title="By the rules below; they keep their verdict">
            {`${countOf(ignored, 'row')} ignored`}
          </Chip>
        )}
      </div>
    </div>
  );
}
