import { type AuditedQuestion, FAILED_STATUSES, type Step, type StepId } from '@misstep/model';
import { answerByParts, answerOutright } from './parts.ts';
import { cameBack, countWhere, isLogged, isWhole, owesResult, type RunFacts } from './run-facts.ts';

/**
 * Question 2. What became of a call is known by its status, which keeps the kinds of error apart.
 * Result and latency are asked of calls that something came back of; latency needs a recorded
 * start and end, not ones worked out from neighbours. That a result entered the context is known
 * only where the same source goes on with a model call of the same agent: a wire recording of a
 * server shows what was sent to the client, and text made for people what people were shown.
 */
export function auditOutcome(facts: RunFacts): AuditedQuestion {
  const { calls, frameCount } = facts;
  const answered = calls.filter(cameBack);
  const results = calls.filter(owesResult);
  const counts = {
    calls: calls.length,
    cameBack: answered.length,
    failed: countWhere(calls, ({ status }) => FAILED_STATUSES.has(status)),
    frames: frameCount,
  };
  if (calls.length === 0) {
    return answerOutright('call-outcome', 'no', ['call'], counts, 'No calls recorded.');
  }
  const lastModelSeq = lastModelSeqs(facts);
  const goesOn = (step: Step) =>
    isLogged(step) && step.seq < (lastModelSeq.get(threadOf(facts, step)) ?? 0);
  return answerByParts(
    'call-outcome',
    [
      {
        field: 'call.status',
        count: 'withStatus',
        have: countWhere(calls, ({ status }) => status !== 'unknown' && status !== 'none'),
        of: calls.length,
        words: 'outcome',
        noun: 'call',
      },
      {
        field: 'call.result',
        count: 'withWholeResult',
        have: countWhere(results, ({ result }) => isWhole(result)),
        of: results.length,
        words: 'whole text',
        noun: 'result',
      },
      {
        field: 'call.latency',
        count: 'withLatency',
        have: countWhere(
          answered,
          ({ time }) =>
            time.startedAtNs !== null && time.endedAtNs !== null && time.evidence !== 'derived',
        ),
        of: answered.length,
        words: 'start and end',
        noun: 'answered call',
      },
      {
        field: 'call.resultInContext',
        count: 'withResultInContext',
        have: countWhere(
          results,
          (call) =>
            call.result !== null &&
            call.result.state !== 'notCaptured' &&
            call.result.evidence !== 'rendered' &&
            goesOn(call),
        ),
        of: results.length,
        words: 'the context after it',
        noun: 'result',
      },
    ],
    counts,
  );
}

/** The last model call of each agent in each source. */
function lastModelSeqs(facts: RunFacts): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const model of facts.models) {
    if (isLogged(model)) last.set(threadOf(facts, model), model.seq);
  }
  return last;
}

function threadOf({ scopeOf }: RunFacts, { id, origin }: Step): string {
  const scope: StepId | null = scopeOf.get(id) ?? null;
  return `${scope ?? ''} ${origin.sha256}`;
}
