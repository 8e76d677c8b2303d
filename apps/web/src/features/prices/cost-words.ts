import type { RunSummary, StepDetail } from '@misstep/contract';
import { formatUsd } from '../../ui/format-cost.ts';
import { countOf, formatCount } from '../../ui/format-count.ts';

type RunCost = RunSummary['cost'];
type StepCost = NonNullable<StepDetail['cost']>;

/** What a run cost, short: "$0.61", "≥$0.61"; null = not known. */
export function costText(cost: RunCost): string | null {
  if (cost.usd === null) return null;
  return `${cost.atLeast ? '≥' : ''}${formatUsd(cost.usd)}`;
}

/** The same whole: exact, where it is from, of how many calls, and what is missing. */
export function costSentences(cost: RunCost): string[] {
  const { usd, evidence, callCount, costedCallCount, statedUsd, derivedUsd } = cost;
  if (callCount === 0 && usd === null) return ['No model calls are recorded.'];
  const lines: string[] = [];
  if (usd === null) lines.push(`The cost of ${countOf(callCount, 'model call')} is not known.`);
  else {
    const bound = cost.atLeast ? 'At least ' : '';
    const from =
      statedUsd !== null
        ? 'as the recording states for the whole run'
        : evidence === 'recorded'
          ? 'recorded with its calls'
          : evidence === 'derived'
            ? 'derived from tokens and prices'
            : 'partly recorded, partly derived from tokens and prices';
    lines.push(`${bound}$${usd}, ${from}.`);
    if (statedUsd === null) {
      lines.push(
        `Known of ${formatCount(costedCallCount)} of ${countOf(callCount, 'model call')}.`,
      );
    }
  }
  if (derivedUsd !== null && evidence !== 'derived') {
    lines.push(
      `Tokens and prices give $${derivedUsd} for ${formatCount(cost.derivedCallCount)} of them${cost.differs ? ', which differs by more than 1 %' : ''}.`,
    );
  }
  if (cost.unpricedModels.length > 0) {
    const names = cost.unpricedModels.map((model) => model ?? 'calls that name no model');
    lines.push(`No price for ${names.join(', ')}.`);
  }
  return lines;
}

const MISSING: Readonly<Record<NonNullable<StepCost['missing']>, string>> = {
  tokens: 'its tokens are not recorded',
  model: 'its model is not recorded',
  price: 'its model has no price',
};

/** What a model call cost: the recorded amount as written, the derived one, how they compare. */
export function stepCostWords(cost: StepCost): { recorded: string; derived: string } {
  const { recordedUsd, derivedUsd, price, missing } = cost;
  const row =
    price === null
      ? ''
      : ` by the price of ${price.model} since ${price.date}${price.origin === 'yours' ? ', set by you' : ''}`;
  return {
    recorded: recordedUsd === null ? 'not recorded' : `$${recordedUsd}`,
    derived:
      derivedUsd === null
        ? `not known: ${missing === null ? 'no price' : MISSING[missing]}`
        : `${cost.atLeast ? 'at least ' : ''}$${derivedUsd}${row}${cost.differs ? '; it differs from the recorded amount by more than 1 %' : ''}`,
  };
}
