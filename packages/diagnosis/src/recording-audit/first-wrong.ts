import type { AuditedQuestion, RunClock, Step, StepId } from '@misstep/model';
import { answerByParts, answerOutright } from './parts.ts';
import { countWhere, isLogged, type RunFacts } from './run-facts.ts';

/**
 * Question 7. Records always have an order; a step whose time is before that of the step before it
 * under the same agent contradicts it. Times worked out from neighbours don't count. Parents of steps
 * read from text made for people are guessed from the layout and don't count either, nor does a
 * result that was joined to its call by order. A clock without zone or date orders steps as well.
 */
export function auditFirstWrong(facts: RunFacts): AuditedQuestion {
  const { steps, calls, agents, clock } = facts;
  const counts = { steps: steps.length, calls: calls.length + agents.length };
  if (steps.length === 0) {
    return answerOutright('first-wrong', 'no', ['step.time'], counts, 'No steps recorded.');
  }
  const linked = [...calls, ...agents];
  const paired = linked.filter(({ result }) => result !== null);
  return answerByParts(
    'first-wrong',
    [
      {
        field: 'step.order',
        count: 'inOrder',
        have: steps.length - countContradictions(facts),
        of: steps.length,
        words: 'order',
        noun: 'step',
      },
      {
        field: 'step.time',
        count: 'withTime',
        have: countWhere(steps, hasTime),
        of: steps.length,
        words: 'time',
        noun: 'step',
      },
      {
        field: 'step.parent',
        count: 'withParent',
        have: countWhere(linked, (step) => step.parentId !== null && isLogged(step)),
        of: linked.length,
        words: 'parent',
        noun: 'call',
      },
      {
        field: 'call.pairing',
        count: 'pairedById',
        have: countWhere(paired, ({ pairing }) => pairing?.by === 'id' && !pairing.derived),
        of: paired.length,
        words: 'call by id',
        noun: 'result',
      },
    ],
    counts,
    [linked.length === 0 ? 'No calls recorded.' : '', CLOCK_REMARKS[clock]]
      .filter((remark) => remark !== '')
      .join(' '),
  );
}

const CLOCK_REMARKS: Readonly<Record<RunClock, string>> = {
  zoned: '',
  local: 'The clock has no zone.',
  timeOfDay: 'The clock has no date.',
  monotonic: 'The clock has no date.',
  none: '',
};

function hasTime({ time }: Step): boolean {
  // A step whose start is worked out may have its end from the source, and the other way round.
  if (time.startedAtText !== null || time.endedAtText !== null) return true;
  return (time.startedAtNs ?? time.endedAtNs) !== null && time.evidence !== 'derived';
}

function countContradictions({ steps, scopeOf }: RunFacts): number {
  const latest = new Map<StepId | null, bigint>();
  let contradictions = 0;
  for (const step of steps) {
    const { startedAtNs, evidence } = step.time;
    if (startedAtNs === null || evidence === 'derived') continue;
    const scope = scopeOf.get(step.id) ?? null;
    const before = latest.get(scope);
    if (before !== undefined && startedAtNs < before) contradictions += 1;
    else latest.set(scope, startedAtNs);
  }
  return contradictions;
}
