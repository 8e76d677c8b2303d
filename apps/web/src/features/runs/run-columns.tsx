import type { RunSummary } from '@misstep/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunSortKey } from '../../state/runs-search.ts';
import { Chip } from '../../ui/chip.tsx';
import { EvidenceGradeLabel } from '../../ui/evidence.tsx';
import { formatCount, formatTokens } from '../../ui/format-count.ts';
import { formatLongDuration } from '../../ui/format-time.ts';
import { MarkState } from '../../ui/mark-state.tsx';
import { NotRecorded } from '../../ui/not-recorded.tsx';
import { OutcomeState } from '../../ui/outcome-state.tsx';
import text from '../../ui/text.module.css';
import { directionOf } from '../../ui/text-direction.ts';
import { RunCostText } from '../prices/run-cost.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './run-columns.module.css';
import { runDurationNs, runStartedText, runTokens } from './run-time.ts';

/** Four widths of the list: 1280 px and wider, from 1100 px, narrower, and under 760 px. */
export type ListWidth = 'wide' | 'middle' | 'narrow' | 'small';

export interface RunColumn {
  readonly key: RunSortKey;
  readonly title: string;
  /** Where the column is too narrow for its title. */
  readonly shortTitle?: string;
  /** Said in the menu of columns where the title is short. */
  readonly longTitle?: string;
  readonly number?: true;
  /** Width of the grid track; null = not shown at that width. */
  readonly tracks: Readonly<Record<ListWidth, string | null>>;
  /** Columns that can't be hidden. */
  readonly fixed?: true;
  readonly cell: (run: RunSummary, width: ListWidth) => ReactNode;
}

export const RUN_COLUMNS: readonly RunColumn[] = [
  {
    key: 'title',
    title: 'Title',
    fixed: true,
    tracks: {
      wide: 'minmax(180px,252px)',
      middle: 'minmax(180px,252px)',
      narrow: 'minmax(0,1fr)',
      small: 'minmax(0,1fr)',
    },
    cell: (run) => <TitleCell run={run} />,
  },
  {
    key: 'evidence',
    title: 'Evidence, source format',
    shortTitle: 'Evidence',
    tracks: {
      wide: 'minmax(130px,200px)',
      middle: 'minmax(130px,200px)',
      narrow: '78px',
      small: '78px',
    },
    cell: (run, width) => (
      <span className={styles.evidence}>
        <span className={styles.grade}>
          <EvidenceGradeLabel grade={run.bestEvidence} />
        </span>
        {width === 'wide' || width === 'middle' ? (
          <span className={`${text.ellipsis} ${text.secondary}`} title={run.formatTitle}>
            {run.formatTitle}
          </span>
        ) : null}
      </span>
    ),
  },
  {
    key: 'client',
    title: 'Client, model',
    tracks: { wide: 'minmax(100px,160px)', middle: null, narrow: null, small: null },
    cell: (run) =>
      run.client === null && run.model === null ? (
        <NotRecorded />
      ) : (
        <span title={[run.client, run.model].filter((part) => part !== null).join(' ')}>
          {run.client} <span className={text.tertiary}>{run.model}</span>
        </span>
      ),
  },
  {
    key: 'started',
    title: 'Started',
    fixed: true,
    tracks: { wide: '118px', middle: '118px', narrow: '114px', small: null },
    cell: (run) => {
      const started = runStartedText(run, new Date());
      return started === null ? (
        <NotRecorded title="the source holds no date">no time</NotRecorded>
      ) : (
        <span
          className={text.secondary}
          title={`${run.startedAtText ?? started}${CLOCK_TITLES[run.clock] ?? ''}`}
        >
          {started}
          {run.clock === 'local' ? <span className={text.tertiary}> local</span> : null}
        </span>
      );
    },
  },
  {
    key: 'duration',
    title: 'Duration',
    number: true,
    tracks: { wide: '90px', middle: '90px', narrow: '84px', small: null },
    cell: (run) => {
      const durationNs = runDurationNs(run);
      return durationNs === null ? (
        <NotRecorded title="no times recorded, order only" />
      ) : (
        formatLongDuration(durationNs)
      );
    },
  },
  {
    key: 'steps',
    title: 'Steps',
    number: true,
    tracks: { wide: '50px', middle: '50px', narrow: '54px', small: null },
    cell: (run) => formatCount(run.stepCount),
  },
  {
    key: 'calls',
    title: 'Calls',
    longTitle: 'Tool calls',
    number: true,
    tracks: { wide: '50px', middle: null, narrow: null, small: null },
    cell: (run) => formatCount(run.toolCallCount),
  },
  {
    key: 'errors',
    title: 'Errs',
    longTitle: 'Errors',
    number: true,
    tracks: { wide: '40px', middle: '40px', narrow: '40px', small: null },
    cell: (run) => (
      <span className={run.errorCount > 0 ? styles.errors : undefined}>
        {formatCount(run.errorCount)}
      </span>
    ),
  },
  {
    key: 'tokens',
    title: 'Tokens',
    number: true,
    tracks: { wide: '62px', middle: '62px', narrow: null, small: null },
    cell: (run) => {
      const tokens = runTokens(run);
      return tokens === null ? (
        <NotRecorded />
      ) : (
        <span title={`${formatCount(tokens)} tokens`}>{formatTokens(tokens)}</span>
      );
    },
  },
  {
    key: 'cost',
    title: 'Cost',
    longTitle: 'Cost in USD, recorded or derived',
    number: true,
    tracks: { wide: '66px', middle: '66px', narrow: null, small: null },
    cell: (run) => <RunCostText cost={run.cost} />,
  },
  {
    key: 'mark',
    title: 'First wrong step',
    fixed: true,
    tracks: {
      wide: 'minmax(170px,1fr)',
      middle: 'minmax(170px,1fr)',
      narrow: '174px',
      small: '124px',
    },
    cell: (run) => <MarkState mark={run.mark} markSeq={run.markSeq} />,
  },
  {
    key: 'outcome',
    title: 'Outcome',
    tracks: { wide: '122px', middle: '122px', narrow: '110px', small: null },
    cell: (run) => <OutcomeState outcome={run.outcome} />,
  },
];

/** What a written time leaves open. */
const CLOCK_TITLES: Partial<Record<RunSummary['clock'], string>> = {
  local: ', local time: its zone is not recorded',
  timeOfDay: ', a time of day: its date is not recorded',
};

/** Columns that are shown, and the tracks of the grid: number, columns, actions. */
export function shownColumns(
  width: ListWidth,
  hidden: readonly string[],
): { columns: readonly RunColumn[]; template: string } {
  const columns = RUN_COLUMNS.filter(
    (column) => column.tracks[width] !== null && (column.fixed || !hidden.includes(column.key)),
  );
  const tracks = columns.map((column) => column.tracks[width]);
  return { columns, template: `24px ${tracks.join(' ')} 28px` };
}

function TitleCell({ run }: { run: RunSummary }) {
  // Other people's text: nothing in it may turn the line around.
  const title = visibleLine(run.title);
  return (
    <span className={styles.title}>
      <Link
        to="/runs/$runId"
        params={{ runId: run.id }}
        search={{}}
        className={styles.link}
        tabIndex={-1}
        title={title}
        dir={directionOf(title)}
      >
        {title}
      </Link>
      {run.tags.slice(0, 1).map((tag) => (
        <Chip key={tag} title={run.tags.join(', ')}>
          {tag.length > 16 ? `${tag.slice(0, 15)}…` : tag}
        </Chip>
      ))}
      {run.tags.length > 1 ? (
        <Chip title={run.tags.join(', ')}>{`+${run.tags.length - 1}`}</Chip>
      ) : null}
    </span>
  );
}
