import type { Experiment } from '@misstep/model';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useExperiment, useStopExperiment } from '../../api/experiments.ts';
import { useRun } from '../../api/runs.ts';
import { useKeys } from '../../state/use-keys.ts';
import { useListCursor } from '../../state/use-list-cursor.ts';
import { useTitle } from '../../state/use-title.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { formatLongDuration } from '../../ui/format-time.ts';
import { Icon } from '../../ui/icon.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { directionOf } from '../../ui/text-direction.ts';
import { AddressFault } from '../shell/address-fault.tsx';
import { StatusItem, StatusItems } from '../shell/status-items.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { AttributionView } from './attribution-view.tsx';
import { BoundaryView } from './boundary-view.tsx';
import styles from './experiment.module.css';
import { KIND_WORDS, StateChip } from './experiment-words.tsx';
import { RaceView } from './race-view.tsx';
import { RepeatView } from './repeat-view.tsx';
import { tableRows } from './table-rows.ts';

const ROUTE = '/comparisons/$experimentId' as const;

/** One experiment, while it runs and after. Looking at it sends nothing. */
export function ExperimentScreen() {
  const { experimentId } = useParams({ from: ROUTE });
  const found = useExperiment(experimentId);
  if (found.isError) {
    return (
      <AddressFault
        kind="comparison"
        id={experimentId}
        title="This comparison can’t be shown"
        error={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  }
  if (found.data === undefined) {
    return (
      <div className={styles.screen}>
        <div className={styles.header} />
        <div className={styles.column} />
      </div>
    );
  }
  return <ExperimentOf key={experimentId} experiment={found.data} />;
}

function ExperimentOf(props: { experiment: Experiment }) {
  const { experiment } = props;
  const { matrix, plan, state } = experiment;
  const navigate = useNavigate();
  const client = useQueryClient();
  const rows = rowsOf(experiment);
  const [showsBoth, setShowsBoth] = useState(false);
  const cursor = useListCursor(rows.length);
  useTitle(KIND_WORDS[plan.kind]);
  // The calls are replays: their lists are out of date once this has ended.
  useEffect(() => {
    if (state !== 'running') void client.invalidateQueries({ queryKey: ['replays'] });
  }, [state, client]);
  const openCall = () => {
    const replay = rows[cursor.at]?.replayId ?? null;
    if (replay === null) return false;
    return void navigate({
      to: '/runs/$runId/replay/$stepId',
      params: { runId: experiment.runId, stepId: experiment.stepId },
      search: { replay },
    });
  };
  const hasBoth = matrix.kind === 'attribute';
  useKeys({
    title: 'Comparison',
    hints: [
      { caps: ['J', 'K'], words: 'row' },
      { caps: ['Enter'], words: 'open call' },
      ...(hasBoth ? [{ caps: ['B'], words: 'both answers side by side' }] : []),
      {
        caps: ['Esc'],
        words: showsBoth ? 'close the answers' : `back to step ${experiment.stepSeq}`,
      },
    ],
    handlers: {
      j: cursor.next,
      k: cursor.previous,
      enter: openCall,
      b: () => (hasBoth ? setShowsBoth(!showsBoth) : false),
      escape: () => {
        if (showsBoth) setShowsBoth(false);
        else {
          void navigate({
            to: '/runs/$runId',
            params: { runId: experiment.runId },
            search: { step: experiment.stepId },
          });
        }
      },
    },
  });
  const view = { experiment, cursor: cursor.at, onCursor: cursor.moveTo };
  return (
    <div className={styles.screen}>
      <Header experiment={experiment} />
      {matrix.kind === 'attribute' ? (
        <AttributionView
          {...view}
          matrix={matrix}
          showsBoth={showsBoth}
          onBoth={() => setShowsBoth(!showsBoth)}
        />
      ) : matrix.kind === 'repeat' ? (
        <RepeatView {...view} matrix={matrix} />
      ) : matrix.kind === 'boundary' ? (
        <BoundaryView {...view} matrix={matrix} />
      ) : (
        <RaceView {...view} matrix={matrix} />
      )}
      <StatusItems>
        <StatusItem>{sentWords(experiment)}</StatusItem>
        <StatusItem>{`${countOf(unansweredOf(experiment), 'call')} unanswered`}</StatusItem>
      </StatusItems>
    </div>
  );
}

function Header(props: { experiment: Experiment }) {
  const { experiment } = props;
  const { plan, state } = experiment;
  const run = useRun(experiment.runId);
  const stop = useStopExperiment();
  const server = experiment.sends.find((send) => send.server !== null)?.server ?? null;
  return (
    <header className={styles.header}>
      <div className={styles.path}>
        <Link
          to="/runs/$runId"
          params={{ runId: experiment.runId }}
          dir={directionOf(run.data?.title ?? '')}
        >
          {visibleLine(run.data?.title ?? 'run')}
        </Link>
        <span className={styles.slash}>/</span>
        <Link
          to="/runs/$runId"
          params={{ runId: experiment.runId }}
          search={{ step: experiment.stepId }}
        >
          {`step ${experiment.stepSeq}`}
        </Link>
        <span className={styles.slash}>/</span>
        <h1 className={styles.title}>{KIND_WORDS[plan.kind]}</h1>
      </div>
      <span className={styles.spacer} />
      <span className={styles.subject}>
        <span className={styles.mono}>{visibleLine(experiment.tool)}</span>
        {` on ${visibleLine(server ?? experiment.targetName)}`}
      </span>
      {state === 'running' ? (
        <>
          <ProgressBar
            label="Calls sent"
            done={experiment.sentCount}
            total={plan.callCount}
            width={96}
          />
          <span className={styles.progress} role="status">
            {`${formatCount(experiment.sentCount)} of ${formatCount(plan.callCount)}`}
          </span>
          <Button onClick={() => stop.mutate(experiment.id)} unavailable={stop.isPending}>
            Stop
          </Button>
        </>
      ) : (
        <>
          <StateChip state={state} />
          {isVerdict(experiment) ? (
            <Link
              to="/runs/$runId"
              params={{ runId: experiment.runId }}
              search={{ step: experiment.stepId, verdict: experiment.id }}
              className={buttonClass({ kind: 'mark' })}
              title="Opens the mark’s form with this verdict cited; nothing is marked by this"
            >
              <Icon name="flag" small />
              Cite in the mark
            </Link>
          ) : null}
          <Exports experiment={experiment} />
          <Link
            to="/comparisons/new"
            search={{ from: experiment.id }}
            className={buttonClass()}
            title="Shows the plan first; nothing is sent by this"
          >
            {`Run again, ${countOf(plan.callCount, 'send')}`}
          </Link>
        </>
      )}
    </header>
  );
}

/** Whether it came to something that a mark can rest on: a refusal tells nothing of the step. */
function isVerdict({ matrix }: Experiment): boolean {
  switch (matrix.kind) {
    case 'attribute':
      return matrix.refusal === null && matrix.judgements.length > 0;
    case 'boundary':
      return matrix.refusal === null && matrix.changes.length > 0;
    case 'repeat':
      return matrix.sameBytes !== null;
    case 'race':
      return matrix.rows.length > 0;
  }
}

function Exports(props: { experiment: Experiment }) {
  const { id, matrix } = props.experiment;
  const forms = [
    { as: 'json', word: 'JSON' },
    { as: 'csv', word: 'CSV' },
    { as: 'markdown', word: 'Markdown' },
    ...(matrix.kind === 'race' && matrix.rows.length > 0 ? [{ as: 'frames', word: 'Frames' }] : []),
  ];
  return (
    <span className={styles.exports}>
      <span className={styles.quiet}>Save as</span>
      {forms.map(({ as, word }) => (
        <a key={as} href={`/api/experiments/${id}/export?as=${as}`} download>
          {word}
        </a>
      ))}
    </span>
  );
}

/** What the cursor moves over, and the call that Enter opens. */
function rowsOf({ matrix }: Experiment): readonly { replayId: string | null }[] {
  if (matrix.kind === 'attribute') {
    return tableRows(matrix).map(({ cell }) => ({ replayId: cell.sends.at(-1)?.replayId ?? null }));
  }
  if (matrix.kind === 'boundary') {
    return matrix.rows.map(({ sends }) => ({ replayId: sends.at(-1)?.replayId ?? null }));
  }
  return matrix.kind === 'repeat'
    ? matrix.rows
    : [...matrix.alone, ...matrix.rows.map(() => ({ replayId: null }))];
}

function sentWords(experiment: Experiment): string {
  const { sentCount, plan, startedAt, endedAt, state } = experiment;
  const words = `${formatCount(sentCount)} of ${formatCount(plan.callCount)} sent`;
  if (endedAt === null || state === 'running') return words;
  const ms = Date.parse(endedAt) - Date.parse(startedAt);
  return `${words} in ${formatLongDuration(ms * 1e6)}`;
}

function unansweredOf({ sends }: Experiment): number {
  return sends.filter(({ outcome }) =>
    ['timedOut', 'connectionLost', 'serverExited', 'cancelled', 'interrupted'].includes(outcome),
  ).length;
}
