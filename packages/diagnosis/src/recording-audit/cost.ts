import type { AuditedQuestion } from '@misstep/model';
import { answerByParts, answerOutright } from './parts.ts';
import { countWhere, type RunFacts } from './run-facts.ts';

/**
 * Question 6. Tokens are asked of each model call by itself. Steps hold no money, since a price is
 * worked out from a table, not recorded: tokens make `partly`, their lack `no`.
 */
export function auditCost({ models }: RunFacts): AuditedQuestion {
  const of = models.length;
  if (of === 0) {
    const counts = { modelCalls: 0 };
    return answerOutright('cost', 'no', ['model'], counts, 'No model calls recorded.');
  }
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
        have: 0,
        of,
        words: 'money',
        noun: 'model call',
      },
    ],
    { modelCalls: of },
  );
}
