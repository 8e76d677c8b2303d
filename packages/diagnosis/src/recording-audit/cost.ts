import { type AuditedQuestion, costOfStep } from '@misstep/model';
import { answerByParts, answerOutright } from './parts.ts';
import { countWhere, type RunFacts } from './run-facts.ts';

/**
 * Question 6. Tokens and money are asked of each model call by itself. Money counts where the source
 * states it, or where tokens and a price give it whole; which of the two is said.
 */
export function auditCost({ models, prices, recordedCostUsd }: RunFacts): AuditedQuestion {
  const of = models.length;
  if (of === 0) {
    const counts = { modelCalls: 0 };
    return answerOutright('cost', 'no', ['model'], counts, 'No model calls recorded.');
  }
  const costs = models.map((step) => costOfStep(step, prices));
  const withRecordedMoney = countWhere(costs, (cost) => (cost?.recordedUsd ?? null) !== null);
  const withDerivedMoney = countWhere(
    costs,
    (cost) =>
      cost !== null && cost.recordedUsd === null && cost.derivedUsd !== null && !cost.atLeast,
  );
  const stated =
    recordedCostUsd === null ? '' : 'The source states the money of the run as a whole.';
  const derived =
    withDerivedMoney === 0
      ? ''
      : `The money of ${withDerivedMoney} is derived from tokens and a price table, not recorded.`;
  return answerByParts(
    'cost',
    [
      {
        field: 'usage.inputTokens',
        count: 'withInputTokens',
        have: countWhere(models, ({ usage }) => (usage?.inputTokens ?? null) !== null),
        of,
        words: 'input tokens',
        noun: 'model call',
      },
      {
        field: 'usage.outputTokens',
        count: 'withOutputTokens',
        have: countWhere(models, ({ usage }) => (usage?.outputTokens ?? null) !== null),
        of,
        words: 'output tokens',
        noun: 'model call',
      },
      {
        field: 'usage.money',
        count: 'withMoney',
        have: withRecordedMoney + withDerivedMoney,
        of,
        words: 'money',
        noun: 'model call',
      },
    ],
    { modelCalls: of, withRecordedMoney, withDerivedMoney },
    [derived, stated].filter((text) => text !== '').join(' '),
  );
}
