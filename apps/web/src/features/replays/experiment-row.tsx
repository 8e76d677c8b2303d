import type { ExperimentSummary, ReplaySummary } from '@misstep/contract';
import { Link } from '@tanstack/react-router';
import { Chip } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { datePartsOfInstant, formatDateParts } from '../../ui/format-time.ts';
import { Icon } from '../../ui/icon.tsx';
import list from '../../ui/list-screen.module.css';
import { NotRecorded } from '../../ui/not-recorded.tsx';
import text from '../../ui/text.module.css';
import { directionOf } from '../../ui/text-direction.ts';
import { useCurrentRow } from '../../ui/use-current-row.ts';
import { KIND_WORDS } from '../comparisons/experiment-words.tsx';
import { knownSoFar } from '../comparisons/running-words.ts';
import { visibleLine } from '../step-panel/visible-text.ts';
import { CALM_OUTCOMES } from './outcome-words.ts';
import styles from './replays-screen.module.css';

export interface RowProps {
  readonly isCurrent: boolean;
  readonly onCursor: () => void;
}

/** All calls of one experiment; its own calls stand below where it is unfolded. */
export function ExperimentRow(
  props: RowProps & {
    experimentId: string;
    replays: readonly ReplaySummary[];
    summary: ExperimentSummary | null;
    isUnfolded: boolean;
    onFold: () => void;
  },
) {
  const { replays, summary, isUnfolded } = props;
  const row = useCurrentRow(props.isCurrent);
  const [newest] = replays;
  if (newest === undefined) return null;
  const runTitle = visibleLine(newest.runTitle);
  const sent = new Date(newest.startedAt);
  const calls = countOf(replays.length, 'call');
  const failed = replays.filter(
    ({ outcome }) => outcome !== null && !CALM_OUTCOMES.has(outcome),
  ).length;
  return (
    <tr
      ref={row}
      className={classNames(props.isCurrent && list.current)}
      {...(props.isCurrent ? { 'aria-current': true } : {})}
      onClick={props.onCursor}
    >
      <td className={text.secondary} title={sent.toLocaleString()}>
        <span className={styles.group}>
          <button
            type="button"
            className={styles.fold}
            aria-expanded={isUnfolded}
            aria-label={`${calls} of this comparison`}
            onClick={props.onFold}
          >
            <span className={classNames(styles.fold, !isUnfolded && styles.folded)}>
              <Icon name="down" small />
            </span>
          </button>
          {formatDateParts(datePartsOfInstant(sent.getTime()), new Date().getFullYear())}
        </span>
      </td>
      <td title={runTitle}>
        <Link
          to="/comparisons/$experimentId"
          params={{ experimentId: props.experimentId }}
          className={list.link}
          dir={directionOf(runTitle)}
        >
          {runTitle}
        </Link>
      </td>
      <td>step {newest.stepSeq}</td>
      <td className={list.mono} title={newest.tool}>
        {newest.tool}
      </td>
      <td title={newest.targetName}>{newest.targetName}</td>
      <td className={list.number}>
        <NotRecorded title="each call has its own" />
      </td>
      <td>
        <Chip title="Calls of one comparison">{calls}</Chip>
      </td>
      <td title={summary?.sentence}>
        <span className={styles.verdict}>
          <span className={text.ellipsis}>
            {summary === null ? 'one comparison' : KIND_WORDS[summary.kind]}
            {failed === 0 ? '' : ` ${formatCount(failed)} failed.`}
            {summary === null ? '' : ` ${visibleLine(knownSoFar(summary))}`}
          </span>
        </span>
      </td>
    </tr>
  );
}
