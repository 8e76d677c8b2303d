import type { AuditedQuestion } from '@misstep/model';
import { answerByParts, answerOutright } from './parts.ts';
import { countWhere, isLogged, isWhole, type RunFacts } from './run-facts.ts';

/**
 * Question 4. Of each hand-off is asked what was handed on, what was done and what came back.
 * That there was none is an answer only where every model call was read from a log: text made for
 * people may leave hand-offs out, and a recording without model calls can't show them.
 */
export function auditHandOffs({ agents, models, parents }: RunFacts): AuditedQuestion {
  const counts = { handOffs: agents.length, modelCalls: models.length };
  if (agents.length === 0) {
    if (models.length === 0) {
      const sentence = 'No hand-offs and no model calls recorded: hand-offs could not be seen.';
      return answerOutright('hand-offs', 'no', ['model', 'handOff'], counts, sentence);
    }
    const speakers = new Set(models.flatMap(({ model, name }) => (model === null ? [name] : [])));
    if (speakers.size > 1) {
      const sentence = `${speakers.size} speakers take turns; whether one handed work to another is not recorded.`;
      return answerOutright(
        'hand-offs',
        'partly',
        ['handOff'],
        { ...counts, speakers: speakers.size },
        sentence,
      );
    }
    if (models.every(isLogged)) {
      const sentence =
        'No hand-offs: the log has the model calls, and none of them handed work on.';
      return answerOutright('hand-offs', 'answered', [], counts, sentence);
    }
    const sentence = 'No hand-offs recorded, but text made for people may leave them out.';
    return answerOutright('hand-offs', 'partly', ['handOff'], counts, sentence);
  }
  const of = agents.length;
  return answerByParts(
    'hand-offs',
    [
      {
        field: 'handOff.context',
        count: 'withContext',
        have: countWhere(
          agents,
          ({ arguments: given, content }) =>
            isWhole(given) ||
            (given === null && content.length > 0 && content.every(({ value }) => isWhole(value))),
        ),
        of,
        words: 'what was handed on',
        noun: 'hand-off',
      },
      {
        field: 'handOff.steps',
        count: 'withSteps',
        have: countWhere(agents, ({ id }) => parents.has(id)),
        of,
        words: 'what was done',
        noun: 'hand-off',
      },
      {
        field: 'handOff.result',
        count: 'withWholeResult',
        have: countWhere(agents, ({ result }) => isWhole(result)),
        of,
        words: 'what came back',
        noun: 'hand-off',
      },
    ],
    counts,
  );
}
