import type { ReplayOutcome } from '@misstep/model';
import { Chip } from '../../ui/chip.tsx';
import { CALM_OUTCOMES, OUTCOME_WORDS } from '../replays/outcome-words.ts';

/** How a replay ended. Crimson only where something failed. */
export function OutcomeChip(props: { outcome: ReplayOutcome }) {
  const calm = CALM_OUTCOMES.has(props.outcome);
  return (
    <Chip
      icon={props.outcome === 'result' ? 'check' : calm ? 'block' : 'cross'}
      tone={calm ? 'plain' : 'error'}
    >
      {OUTCOME_WORDS[props.outcome]}
    </Chip>
  );
}
