import type { Experiment, ReplayOutcome } from '@misstep/model';
import { Chip } from '../../ui/chip.tsx';
import { NotRecorded } from '../../ui/not-recorded.tsx';
import { CALM_OUTCOMES, OUTCOME_WORDS } from '../replays/outcome-words.ts';

/** A call that went out and was stopped before its answer: it says nothing, but it was sent. */
export function CutShort(props: { send: Experiment['sends'][number] }) {
  const isStopped = props.send.outcome === 'cancelled';
  return (
    <Chip icon="minus" title="The call went out; what it did is not known">
      {isStopped ? 'sent, stopped' : 'sent, interrupted'}
    </Chip>
  );
}

/** How the call of a row ended, if it went out. */
export function SendOutcome(props: {
  /** Null where the matrix has no answer of it. */
  outcome: ReplayOutcome | null;
  cut: Experiment['sends'][number] | null;
}) {
  const { outcome, cut } = props;
  if (outcome !== null) {
    return (
      <Chip tone={CALM_OUTCOMES.has(outcome) ? 'plain' : 'error'}>{OUTCOME_WORDS[outcome]}</Chip>
    );
  }
  return cut === null ? <NotRecorded title="not sent yet" /> : <CutShort send={cut} />;
}

/** The send of this place in the plan, where it was cut short; a matrix leaves it out. */
export function cutShortAt(
  experiment: Pick<Experiment, 'sends'>,
  isIt: (id: string) => boolean,
): Experiment['sends'][number] | null {
  return (
    experiment.sends.find(
      ({ id, outcome }) => isIt(id) && (outcome === 'cancelled' || outcome === 'interrupted'),
    ) ?? null
  );
}
