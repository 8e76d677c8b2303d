import type { AuditedQuestion, Step } from '@misstep/model';
import { answerByParts, answerOutright } from './parts.ts';
import { countWhere, isWhole, type RunFacts } from './run-facts.ts';

/**
 * Question 3. Two calls can be told to be the same only where both have whole arguments. Goals
 * show in the model's own words: a model call counts where it has none that are cut or left out,
 * and a run in which no model call has words at all tells nothing of goals.
 */
export function auditLooping({ calls, models }: RunFacts): AuditedQuestion {
  const counts = { calls: calls.length, modelCalls: models.length };
  if (calls.length === 0) {
    return answerOutright('looping', 'no', ['call'], counts, 'No calls recorded.');
  }
  const speaks = models.some(({ content }) => content.some(({ value }) => isWhole(value)));
  const withWords = speaks ? countWhere(models, hasAllItsWords) : 0;
  return answerByParts(
    'looping',
    [
      {
        field: 'call.arguments',
        count: 'withWholeArguments',
        have: countWhere(calls, (call) => isWhole(call.arguments)),
        of: calls.length,
        words: 'whole arguments',
        noun: 'call',
      },
      {
        field: models.length === 0 ? 'model' : 'model.text',
        count: 'withWords',
        have: withWords,
        // Calls were chosen by something: without model calls its words are missing, not needless.
        of: Math.max(1, models.length),
        words: models.length === 0 ? '' : "the model's words",
        noun: 'model call',
      },
    ],
    counts,
    models.length === 0 ? 'No model calls recorded.' : '',
  );
}

function hasAllItsWords({ content }: Step): boolean {
  return content.every(({ value }) => isWhole(value));
}
