import type { ReplaySummary, RunDetail, StepDetail } from '@misstep/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Segment } from '../../ui/segment.tsx';
import { directionOf } from '../../ui/text-direction.ts';
import { groupReplays, type ReplayEntry } from '../replays/group-replays.ts';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './replay-screen.module.css';

const DRAFT = 'draft';
const MOST_IN_SWITCHER = 5;

/** Where the call stands, and the way to its replays: those sent by themselves first. */
export function ReplayHeader(props: {
  run: RunDetail;
  step: StepDetail;
  replays: readonly ReplaySummary[];
  total: number;
  shownId: string | undefined;
  onShow: (id: string | undefined) => void;
  onCompare: () => void;
  narrow: React.ReactNode;
}) {
  const { run, step, replays, total } = props;
  const isMarked = run.mark?.place.kind === 'step' && run.mark.place.stepId === step.id;
  const entries = groupReplays(replays);
  const own = entries.flatMap((entry) => (entry.kind === 'own' ? [entry.replay] : []));
  const experiments = entries.flatMap((entry) => (entry.kind === 'experiment' ? [entry] : []));
  const shown = own.slice(0, MOST_IN_SWITCHER).reverse();
  const isListed =
    props.shownId === undefined || shown.some((replay) => replay.id === props.shownId);
  const isOfExperiment = experiments.some((entry) =>
    entry.replays.some((replay) => replay.id === props.shownId),
  );
  // The one shown stands in the list whatever its age.
  const isOlderShown = !isListed && own.some((replay) => replay.id === props.shownId);
  const hidden = own.length - shown.length - (isOlderShown ? 1 : 0);
  const navigate = useNavigate();
  return (
    <header className={styles.header}>
      <div className={styles.path}>
        <Link to="/runs/$runId" params={{ runId: run.id }} dir={directionOf(run.title)}>
          {visibleLine(run.title)}
        </Link>
        <span className={styles.slash}>/</span>
        <Link to="/runs/$runId" params={{ runId: run.id }} search={{ step: step.id }}>
          {`step ${step.seq}`}
        </Link>
        <span className={styles.slash}>/</span>
        <h1 className={styles.title}>
          Replay <span className={styles.tool}>{visibleLine(step.tool ?? step.name)}</span>
        </h1>
        {isMarked ? (
          <Chip icon="flag" tone="mark">
            the mark
          </Chip>
        ) : null}
      </div>
      <span className={styles.spacer} />
      {props.narrow}
      <Button onClick={props.onCompare} title="Which argument did it? Shows the plan first (C)">
        Compare two calls <Kbd>C</Kbd>
      </Button>
      {experiments.length === 0 ? null : (
        <Menu
          label="Calls by comparisons"
          trigger={
            <Button title="Calls of this step that comparisons sent">
              {`${countOf(replays.length - own.length, 'call')} by ${countOf(experiments.length, 'comparison')}`}
              <Icon name="down" small />
            </Button>
          }
          items={experiments.map((entry) => ({
            id: entry.experimentId,
            label: experimentWords(entry, replays, total),
            onSelect: () =>
              void navigate({
                to: '/comparisons/$experimentId',
                params: { experimentId: entry.experimentId },
              }),
          }))}
        />
      )}
      <span className={styles.label}>
        {hidden > 0
          ? `${formatCount(hidden)} older not listed; [ goes there`
          : 'Replays of this call'}
      </span>
      <Segment
        label="Replays of this call"
        options={[
          ...(isListed || props.shownId === undefined
            ? []
            : [
                {
                  value: props.shownId,
                  label: nameOf(props.shownId, replays, total) ?? '',
                  title: isOfExperiment ? 'A call of a comparison' : 'An older replay',
                },
              ]),
          ...shown.map((each) => ({
            value: each.id as string,
            label: nameOf(each.id, replays, total) ?? '',
          })),
          { value: DRAFT, label: `r${total + 1} draft` },
        ]}
        value={props.shownId ?? DRAFT}
        onChange={(value) => props.onShow(value === DRAFT ? undefined : value)}
      />
    </header>
  );
}

/** `r3 to r26, 24 calls`: what one comparison sent, by the numbers that its calls have here. */
function experimentWords(
  entry: Extract<ReplayEntry, { kind: 'experiment' }>,
  replays: readonly ReplaySummary[],
  total: number,
): string {
  const calls = countOf(entry.replays.length, 'call');
  const [newest, oldest] = [entry.replays[0], entry.replays.at(-1)];
  const [from, to] = [oldest, newest].map((each) => nameOf(each?.id, replays, total));
  return from === to ? `${from}, ${calls}` : `${from} to ${to}, ${calls}`;
}

/** `r2`: a replay's number among those of the call, oldest first. */
export function nameOf(
  id: string | undefined,
  replays: readonly ReplaySummary[],
  total: number,
): string | null {
  if (id === undefined) return null;
  const at = replays.findIndex((each) => each.id === id);
  return at < 0 ? `r${total + 1}` : `r${total - at}`;
}
