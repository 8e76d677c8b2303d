import type { AuditedQuestion } from '@misstep/model';
import { answerByParts, answerOutright } from './parts.ts';
import { countWhere, isWhole, type RunFacts } from './run-facts.ts';

/**
 * Question 1. The chosen tool is each call's name. Arguments count where they are whole. The tools
 * that were available are known for a call only where the recording holds definitions of the
 * call's own server, or definitions that name no server. A recording without model calls holds
 * what a server listed, not what a client passed on; the sentence says so.
 */
export function auditToolChoice({ calls, models, tools }: RunFacts): AuditedQuestion {
  const counts = { calls: calls.length, toolsListed: tools.length };
  if (calls.length === 0) {
    return answerOutright('tool-choice', 'no', ['call'], counts, 'No calls recorded.');
  }
  const servers = new Set(tools.map(({ server }) => server));
  const remark =
    tools.length > 0 && models.length === 0
      ? `The tools offered are the ${tools.length} that the server listed.`
      : '';
  return answerByParts(
    'tool-choice',
    [
      {
        field: 'call',
        count: 'withToolName',
        have: calls.length,
        of: calls.length,
        words: 'tool',
        noun: 'call',
      },
      {
        field: 'call.arguments',
        count: 'withWholeArguments',
        have: countWhere(calls, (call) => isWhole(call.arguments)),
        of: calls.length,
        words: 'whole arguments',
        noun: 'call',
      },
      {
        field: 'call.offeredTools',
        count: 'withOfferedTools',
        have: countWhere(calls, ({ server }) => servers.has(null) || servers.has(server)),
        of: calls.length,
        words: 'tools offered',
        noun: 'call',
      },
    ],
    counts,
    remark,
  );
}
