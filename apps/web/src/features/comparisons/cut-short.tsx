import type { Experiment } from '@misstep/model';
import { Chip } from '../../ui/chip.tsx';

/** A call that went out and was stopped before its answer: it says nothing, but it was sent. */
export function CutShort(props: { send: Experiment['sends'][number] }) {
  const isStopped = props.send.outcome === 'cancelled';
  return (
    <Chip icon="minus" title="The call went out; what it did is not known">
      {isStopped ? 'sent, stopped' : 'sent, interrupted'}
    </Chip>
  );
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
