import { type AuditedQuestion, type Step, type StepId, wholeInputOf } from '@misstep/model';
import { answerByParts, answerOutright, countOf } from './parts.ts';
import { countWhere, isLogged, isWhole, owesResult, type RunFacts } from './run-facts.ts';

/**
 * Question 5. What was added are the messages and results, whole and from a log. What was dropped
 * or summarised is known only from context steps that hold their text: a run without any is
 * `partly` at best, for steps can't tell "nothing was dropped" from "not recorded". Input that gets
 * smaller from one call of a model to the next without a context step between is counted as a
 * change that was not recorded.
 */
export function auditContext(facts: RunFacts): AuditedQuestion {
  const { steps, models, changes } = facts;
  const falls = countFalls(facts);
  const counts = {
    modelCalls: models.length,
    changes: changes.length,
    withContextSize: countWhere(models, (model) => sizeOf(model) !== null),
    unexplainedFalls: falls,
  };
  if (models.length === 0) {
    return answerOutright('context', 'no', ['model'], counts, 'No model calls recorded.');
  }
  const entries = steps.filter((step) =>
    CALLS.has(step.kind) ? owesResult(step) : step.kind === 'user' || step.kind === 'model',
  );
  return answerByParts(
    'context',
    [
      {
        field: 'context.added',
        count: 'withWholeText',
        have: countWhere(entries, isWholeEntry),
        of: entries.length,
        words: 'whole text',
        noun: 'message',
      },
      {
        field: 'context.changes',
        count: 'withWholeSummary',
        have: countWhere(
          changes,
          ({ content }) => content.length > 0 && content.every(({ value }) => isWhole(value)),
        ),
        of: Math.max(1, changes.length + falls),
        words: changes.length + falls === 0 ? '' : 'text',
        noun: 'change',
      },
    ],
    { ...counts, messages: entries.length },
    remarkOn(changes.length, falls),
  );
}

const CALLS: ReadonlySet<Step['kind']> = new Set<Step['kind']>(['tool', 'agent', 'retrieval']);

function remarkOn(changes: number, falls: number): string {
  if (falls > 0) return `The input got smaller ${countOf(falls, 'time')} without a recorded cause.`;
  return changes === 0 ? 'Nothing says what was dropped or summarised, or that nothing was.' : '';
}

function isWholeEntry(step: Step): boolean {
  if (!isLogged(step)) return false;
  const { kind, result, content } = step;
  if (!content.every(({ value }) => isWhole(value))) return false;
  if (CALLS.has(kind)) return isWhole(result);
  // A model call may consist of its tool calls alone; a user's message without text is a gap.
  return kind === 'model' || content.length > 0;
}

function countFalls({ steps, scopeOf }: RunFacts): number {
  const before = new Map<StepId | null, Map<string, number>>();
  let falls = 0;
  for (const step of steps) {
    const scope = scopeOf.get(step.id) ?? null;
    if (step.kind === 'context') before.delete(scope);
    const size = step.kind === 'model' ? sizeOf(step) : null;
    if (size === null) continue;
    const sizes = before.get(scope) ?? new Map<string, number>();
    const model = step.model ?? '';
    if (size < (sizes.get(model) ?? 0)) falls += 1;
    sizes.set(model, size);
    before.set(scope, sizes);
  }
  return falls;
}

/** Tokens that the model read, cached ones too; null = not recorded. */
function sizeOf({ usage }: Step): number | null {
  return usage === null ? null : wholeInputOf(usage);
}
