import { Chip } from '../../ui/chip.tsx';
import type { StepChip } from './step-chips.ts';

/** A chip of a step; dashed where Misstep inferred it. */
export function StepChipView(props: { chip: StepChip }) {
  const { chip } = props;
  const inferred = chip.tone === 'inferred';
  return (
    <Chip
      icon={chip.icon}
      tone={chip.tone === 'inferred' ? 'plain' : chip.tone}
      inferred={inferred}
      title={chip.meaning}
    >
      {chip.word}
    </Chip>
  );
}
