import type { Experiment, ExperimentKind } from '@misstep/model';
import { Chip } from '../../ui/chip.tsx';

/** The question that each kind asks. */
export const KIND_WORDS: Readonly<Record<ExperimentKind, string>> = {
  repeat: 'Does it hold still?',
  race: 'Are answers crossed?',
  attribute: 'Which argument did it?',
  boundary: 'Where does it change?',
};

export function StateChip(props: { state: Experiment['state'] }) {
  switch (props.state) {
    case 'running':
      return <Chip icon="clock">running</Chip>;
    case 'complete':
      return <Chip icon="check">complete</Chip>;
    case 'stopped':
      return <Chip icon="minus">stopped</Chip>;
    case 'interrupted':
      return (
        <Chip icon="minus" tone="unanswered">
          interrupted
        </Chip>
      );
    case 'failed':
      return (
        <Chip icon="cross" tone="error">
          failed
        </Chip>
      );
  }
}
