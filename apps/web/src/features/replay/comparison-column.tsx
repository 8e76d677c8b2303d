import type { StepDetail } from '@misstep/contract';
import { type Comparison, type Replay, VERDICTS } from '@misstep/model';
import { useMemo, useState } from 'react';
import { useKeys } from '../../state/use-keys.ts';
import { formatCount } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { Segment } from '../../ui/segment.tsx';
import { VerdictChip } from '../../ui/verdict-chip.tsx';
import { momentText } from '../run/amounts.ts';
import styles from './comparison.module.css';
import { ComparisonRows } from './comparison-rows.tsx';
import { FairRepeat } from './fair-repeat.tsx';
import { OutcomeChip } from './outcome-chip.tsx';
import columns from './replay-screen.module.css';
import { RowDetail } from './row-detail.tsx';

/** The verdict first, then whether the repeat was fair, then the rows it rests on. */
export function ComparisonColumn(props: {
  step: StepDetail;
  replay: Replay | null;
  name: string | null;
  isHidden: boolean;
}) {
  const { replay, name } = props;
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
            transcript showed.
          </p>
        </>
      ) : (
        <>
          <Verdict replay={replay} name={name} />
          {replay.receipt === null ? null : <FairRepeat name={name} receipt={replay.receipt} />}
          {replay.comparison === null ? (
            <>
              {replay.state === 'done' ? (
                <p className={columns.empty}>There is no answer to compare with the transcript.</p>
              ) : null}
              <div className={columns.spacer} />
            </>
          ) : (
            <Rows
              key={replay.id}
              comparison={replay.comparison}
              step={props.step}
              note={`${name}, ${momentText(replay.startedAt)}`}
            />
          )}
          <div className={columns.foot}>
            <span className={columns.secondary}>
              {`${name} is kept with the run. The recorded call is never changed.`}
            </span>
          </div>
        </>
      )}
    </section>
  );
}

function Verdict(props: { replay: Replay; name: string }) {
  const { replay } = props;
  const { comparison, outcome } = replay;
  const waiting =
    replay.state === 'connecting'
      ? 'Connecting to the server.'
      : 'The call is sent, waiting for the answer.';
  return (
    <div className={styles.verdict} aria-live="polite">
      <h2 className={styles.sentence}>
        {comparison?.sentence ??
          (replay.state === 'done' ? (replay.outcomeSentence ?? 'Ended.') : waiting)}
      </h2>
      {comparison !== null && replay.outcomeSentence !== null ? (
        <p className={styles.second}>{replay.outcomeSentence}</p>
      ) : null}
      <div className={styles.chips}>
        {outcome === null ? null : <OutcomeChip outcome={outcome} />}
        {comparison === null
          ? null
          : [...VERDICTS].reverse().map((verdict) => {
              const count = comparison.counts[verdict] ?? 0;
              return count === 0 ? null : (
                <VerdictChip key={verdict} verdict={verdict} count={count} />
              );
            })}
      </div>
    </div>
  );
}

function Rows(props: { comparison: Comparison; step: StepDetail; note: string }) {
  const { comparison } = props;
  const [shows, setShows] = useState<'all' | 'differences'>('all');
  const [selected, setSelected] = useState(() =>
    Math.max(
      0,
      comparison.rows.findIndex((row) => row.verdict !== 'same'),
    ),
  );
  const differing = useMemo(
    () => comparison.rows.filter((row) => row.verdict !== 'same'),
    [comparison],
  );
  const rows = shows === 'all' ? comparison.rows : differing;
  const move = (distance: number) =>
    setSelected((at) => Math.max(0, Math.min(rows.length - 1, at + distance)));
  useKeys({
    title: 'Comparison',
    // Said by the screen, so that the status bar holds all of its keys.
    hints: [],
    handlers: {
      j: () => move(1),
      k: () => move(-1),
      v: () => {
        const next = rows.findIndex((row, at) => at > selected && row.verdict !== 'same');
        const first = rows.findIndex((row) => row.verdict !== 'same');
        if (next >= 0 || first >= 0) setSelected(next >= 0 ? next : first);
      },
    },
  });
  const grade = props.step.result?.evidence ?? props.step.evidence;
  const row = rows[selected];
  return (
    <>
      <div className={styles.toolbar}>
        <Segment
          label="Rows shown"
          small
          options={[
            { value: 'all', label: `All ${formatCount(comparison.rows.length)}` },
            { value: 'differences', label: `Differences ${formatCount(differing.length)}` },
          ]}
          value={shows}
          onChange={(value) => {
            setShows(value);
            setSelected(0);
          }}
        />
        <span className={styles.fairWords} title={comparison.readings.join('; ')}>
          {comparison.readings.join('; ')}
        </span>
      </div>
      <ComparisonRows
        rows={rows}
        selected={selected}
        onSelect={setSelected}
        transcriptGrade={grade}
        replayNote={props.note}
      />
      {row === undefined ? null : (
        <RowDetail row={row} order={selected} total={rows.length} transcriptGrade={grade} />
      )}
      <p className={styles.foot}>
        {`${formatCount(rows.length)} of ${formatCount(comparison.rows.length + comparison.rowsOmitted)} shown. Values are shown as received, never reformatted.`}
      </p>
    </>
  );
}
