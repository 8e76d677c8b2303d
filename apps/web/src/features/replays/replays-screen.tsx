import type { ReplaySummary } from '@misstep/contract';
import { VerdictSchema } from '@misstep/model';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useReplays } from '../../api/replays.ts';
import { useKeys } from '../../state/use-keys.ts';
import { useListCursor } from '../../state/use-list-cursor.ts';
import { useTitle } from '../../state/use-title.ts';
import { Chip } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { datePartsOfInstant, formatDateParts, formatStepDuration } from '../../ui/format-time.ts';
import { NotRecorded } from '../../ui/not-recorded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import text from '../../ui/text.module.css';
import { VerdictChip } from '../../ui/verdict-chip.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { StatusItem, StatusItems } from '../shell/status-items.tsx';
import { LoopFacts } from './loop-facts.tsx';
import { CALM_OUTCOMES, OUTCOME_WORDS } from './outcome-words.ts';
import styles from './replays-screen.module.css';

/** Every call that was sent again, newest first. A row opens its step's Replay tab. */
export function ReplaysScreen() {
  useTitle('Replays');
  const replays = useReplays();
  const navigate = useNavigate();
  const list = replays.data?.replays ?? [];
  const cursor = useListCursor(list.length);
  const current = list[cursor.at];
  useKeys({
    title: 'Replays',
    enabled: list.length > 0,
    hints: [
      { caps: ['J', 'K'], words: 'move' },
      { caps: ['Enter'], words: 'open' },
    ],
    handlers: {
      j: cursor.next,
      k: cursor.previous,
      enter: () => (current === undefined ? false : void navigate(linkTo(current))),
    },
  });
  return (
    <div className={styles.screen}>
      <PanelHead
        level={1}
        title="Replays"
        note="each is a new record; the recorded call is never changed"
      >
        <LoopFacts />
      </PanelHead>
      {replays.isError ? (
        <div className={styles.place}>
          <ProblemNotice
            title="The replays can’t be listed"
            error={replays.error}
            onRetry={() => void replays.refetch()}
          />
        </div>
      ) : replays.data !== undefined && list.length === 0 ? (
        <div className={styles.place}>
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
        <div className={styles.scroll}>
          <table className={styles.table} aria-label="Replays">
            <thead>
              <tr>
                <th className={styles.time}>Sent</th>
                <th className={styles.run}>Run</th>
                <th className={styles.step}>Step</th>
                <th className={styles.tool}>Tool</th>
                <th className={styles.target}>Server</th>
                <th className={styles.duration}>Duration</th>
                <th className={styles.outcome}>Outcome</th>
                <th>Compared with the transcript</th>
              </tr>
            </thead>
            <tbody>
              {list.map((replay, index) => (
                <ReplayRow
                  key={replay.id}
                  replay={replay}
                  current={index === cursor.at}
                  onCursor={() => cursor.moveTo(index)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <StatusItems>
        {replays.data === undefined ? null : (
          <StatusItem>
            {list.length < replays.data.total
              ? `the newest ${formatCount(list.length)} of ${countOf(replays.data.total, 'replay')}`
              : countOf(list.length, 'replay')}
          </StatusItem>
        )}
      </StatusItems>
    </div>
  );
}

function linkTo(replay: ReplaySummary) {
  return {
    to: '/runs/$runId/replay/$stepId',
    params: { runId: replay.runId, stepId: replay.stepId },
    search: { replay: replay.id },
  } as const;
}

function ReplayRow(props: { replay: ReplaySummary; current: boolean; onCursor: () => void }) {
  const { replay } = props;
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (props.current) row.current?.scrollIntoView({ block: 'nearest' });
  }, [props.current]);
  const sent = new Date(replay.startedAt);
  const verdict = VerdictSchema.safeParse(replay.verdict);
  return (
    <tr
      ref={row}
      className={classNames(props.current && styles.current)}
      {...(props.current ? { 'aria-current': true } : {})}
      onClick={props.onCursor}
    >
      <td className={text.secondary} title={sent.toLocaleString()}>
        {formatDateParts(datePartsOfInstant(sent.getTime()), new Date().getFullYear())}
      </td>
      <td title={replay.runTitle}>
        <Link {...linkTo(replay)} className={styles.link}>
          {replay.runTitle}
        </Link>
      </td>
      <td>step {replay.stepSeq}</td>
      <td className={styles.mono} title={replay.tool}>
        {replay.tool}
        {replay.editedArguments ? <span className={text.tertiary}> edited</span> : null}
      </td>
      <td title={replay.targetName}>{replay.targetName}</td>
      <td className={styles.number}>
        {replay.durationNs === null ? (
          <NotRecorded title="no answer came" />
        ) : (
          formatStepDuration(replay.durationNs)
        )}
      </td>
      <td>
        <OutcomeChip replay={replay} />
      </td>
      <td title={replay.sentence ?? undefined}>
        <span className={styles.verdict}>
          {verdict.success ? <VerdictChip verdict={verdict.data} /> : null}
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
