import type { ReplaySummary } from '@misstep/contract';
import { VerdictSchema } from '@misstep/model';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useExperiments } from '../../api/experiments.ts';
import { useReplays } from '../../api/replays.ts';
import { useKeys } from '../../state/use-keys.ts';
import { useListCursor } from '../../state/use-list-cursor.ts';
import { useTitle } from '../../state/use-title.ts';
import { Chip } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { datePartsOfInstant, formatDateParts, formatStepDuration } from '../../ui/format-time.ts';
import list from '../../ui/list-screen.module.css';
import { NotRecorded } from '../../ui/not-recorded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import text from '../../ui/text.module.css';
import { directionOf } from '../../ui/text-direction.ts';
import { useCurrentRow } from '../../ui/use-current-row.ts';
import { VerdictChip } from '../../ui/verdict-chip.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { StatusItem, StatusItems } from '../shell/status-items.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { ExperimentRow, type RowProps } from './experiment-row.tsx';
import { groupReplays, rowsOfEntries } from './group-replays.ts';
import { LoopFacts } from './loop-facts.tsx';
import { CALM_OUTCOMES, OUTCOME_WORDS } from './outcome-words.ts';
import styles from './replays-screen.module.css';

/** Every call that was sent again, newest first; those of one experiment are one entry. */
export function ReplaysScreen() {
  useTitle('Replays');
  const replays = useReplays();
  const experiments = useExperiments().data?.experiments ?? [];
  const navigate = useNavigate();
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const listed = replays.data?.replays ?? [];
  const rows = rowsOfEntries(groupReplays(listed), unfolded);
  const cursor = useListCursor(rows.length);
  const current = rows[cursor.at];
  const fold = (experimentId: string) => {
    const next = new Set(unfolded);
    if (!next.delete(experimentId)) next.add(experimentId);
    setUnfolded(next);
  };
  useKeys({
    title: 'Replays',
    enabled: rows.length > 0,
    hints: [
      { caps: ['J', 'K'], words: 'move' },
      {
        caps: ['Enter'],
        words: current?.kind === 'experiment' ? 'fold, unfold its calls' : 'open',
      },
    ],
    handlers: {
      j: cursor.next,
      k: cursor.previous,
      enter: () => {
        if (current === undefined) return false;
        if (current.kind === 'experiment') return fold(current.experimentId);
        return void navigate(linkTo(current.replay));
      },
    },
  });
  return (
    <div className={list.screen}>
      <PanelHead
        level={1}
        title="Replays"
        note="each is a new record; the recorded call is never changed"
      >
        <LoopFacts />
      </PanelHead>
      {replays.isError ? (
        <div className={list.place}>
          <ProblemNotice
            title="The replays can’t be listed"
            error={replays.error}
            onRetry={() => void replays.refetch()}
          />
        </div>
      ) : replays.data !== undefined && listed.length === 0 ? (
        <div className={list.place}>
          <Notice title="Replays" note="none yet">
            <span>
              No call was sent again. Open a run, choose a tool call, and send it from its Replay
              tab; the answer is compared there with what the transcript showed.
            </span>
            <span className={text.secondary}>
              A call needs a server: add one under <Link to="/servers">Servers</Link>.
            </span>
          </Notice>
        </div>
      ) : (
        <div className={list.scroll}>
          <table className={classNames(list.table, styles.columns)} aria-label="Replays">
            <thead>
              <tr>
                <th className={styles.time}>Sent</th>
                <th className={styles.run}>Run</th>
                <th className={styles.step}>Step</th>
                <th className={styles.tool}>Tool</th>
                <th className={styles.target}>Server</th>
                <th className={classNames(list.number, styles.duration)}>Duration</th>
                <th className={styles.outcome}>Outcome</th>
                <th>Compared with the transcript</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => {
                const common = {
                  isCurrent: index === cursor.at,
                  onCursor: () => cursor.moveTo(index),
                };
                return row.kind === 'experiment' ? (
                  <ExperimentRow
                    key={row.experimentId}
                    {...common}
                    experimentId={row.experimentId}
                    replays={row.replays}
                    summary={experiments.find(({ id }) => id === row.experimentId) ?? null}
                    isUnfolded={unfolded.has(row.experimentId)}
                    onFold={() => fold(row.experimentId)}
                  />
                ) : (
                  <ReplayRow
                    key={row.replay.id}
                    {...common}
                    replay={row.replay}
                    isWithin={row.kind === 'within'}
                  />
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      <StatusItems>
        {replays.data === undefined ? null : (
          <StatusItem>{countWords(listed, replays.data.total)}</StatusItem>
        )}
      </StatusItems>
    </div>
  );
}

function countWords(listed: readonly ReplaySummary[], total: number): string {
  const inExperiments = listed.filter(({ experimentId }) => experimentId !== null).length;
  const words =
    listed.length < total
      ? `the newest ${formatCount(listed.length)} of ${countOf(total, 'replay')}`
      : countOf(listed.length, 'replay');
  return inExperiments === 0 ? words : `${words}, ${formatCount(inExperiments)} by comparisons`;
}

function linkTo(replay: ReplaySummary) {
  return {
    to: '/runs/$runId/replay/$stepId',
    params: { runId: replay.runId, stepId: replay.stepId },
    search: { replay: replay.id },
  } as const;
}

function ReplayRow(props: RowProps & { replay: ReplaySummary; isWithin: boolean }) {
  const { replay } = props;
  const runTitle = visibleLine(replay.runTitle);
  const row = useCurrentRow(props.isCurrent);
  const sent = new Date(replay.startedAt);
  const verdict = VerdictSchema.safeParse(replay.verdict);
  return (
    <tr
      ref={row}
      className={classNames(props.isCurrent && list.current, props.isWithin && styles.within)}
      {...(props.isCurrent ? { 'aria-current': true } : {})}
      onClick={props.onCursor}
    >
      <td className={text.secondary} title={sent.toLocaleString()}>
        {formatDateParts(datePartsOfInstant(sent.getTime()), new Date().getFullYear())}
      </td>
      <td title={runTitle}>
        <Link {...linkTo(replay)} className={list.link} dir={directionOf(runTitle)}>
          {runTitle}
        </Link>
      </td>
      <td>step {replay.stepSeq}</td>
      <td className={list.mono} title={replay.tool}>
        {replay.tool}
        {replay.editedArguments ? <span className={text.tertiary}> edited</span> : null}
      </td>
      <td title={replay.targetName}>{replay.targetName}</td>
      <td className={list.number}>
        {replay.callDurationNs === null ? (
          <NotRecorded title="no answer came" />
        ) : (
          formatStepDuration(replay.callDurationNs)
        )}
      </td>
      <td>
        <OutcomeChip replay={replay} />
      </td>
      <td title={replay.sentence ?? undefined}>
        <span className={styles.verdict}>
          {verdict.success ? (
            <VerdictChip verdict={verdict.data} edited={replay.editedArguments} />
          ) : null}
          <span className={text.ellipsis}>
            {replay.sentence ?? <NotRecorded title="nothing was compared" />}
          </span>
        </span>
      </td>
    </tr>
  );
}

function OutcomeChip(props: { replay: ReplaySummary }) {
  const { outcome } = props.replay;
  if (outcome === null) return <Chip icon="clock">waiting</Chip>;
  const calm = CALM_OUTCOMES.has(outcome);
  return (
    <Chip
      icon={outcome === 'result' ? 'check' : outcome === 'cancelled' ? 'minus' : 'cross'}
      tone={calm ? 'plain' : 'error'}
    >
      {OUTCOME_WORDS[outcome]}
    </Chip>
  );
}
