import type { Step } from '@misstep/model';
import { counted } from '../../record-ledger.ts';
import type { Session } from './session.ts';
import type { Thread } from './thread.ts';

/**
 * Puts each sub-agent's steps below the call that started it. The call is known by the agent's id
 * in its result or in a progress record; failing that by the prompt's text, which is inferred.
 */
export function linkAgents(session: Session): void {
  const taken = new Set<Step>();
  for (const thread of session.threads) {
    if (thread.isMain || thread.steps.length === 0) continue;
    const recorded = recordedCall(session, thread);
    const call =
      recorded ?? callByPrompt(session, thread, taken) ?? compactionOf(session, thread, taken);
    if (call === null || thread.steps.includes(call)) {
      session.issues.add(
        'SUBAGENT_UNLINKED',
        `No call is known to have started sub-agent ${thread.agentId ?? '(without id)'}; its steps stand at the top.`,
        thread.sha256,
        thread.offset,
      );
      continue;
    }
    taken.add(call);
    if (call.kind === 'tool') call.kind = 'agent';
    const turns = new Set(thread.steps.filter(({ kind }) => kind === 'user').map(({ id }) => id));
    for (const step of thread.steps) {
      if (step.parentId === null || turns.has(step.parentId)) step.parentId = call.id;
    }
    if (recorded === null) {
      session.issues.count(
        'SUBAGENT_LINK_INFERRED',
        (count) =>
          `${counted(count, 'sub-agent')} put below a step because the prompts are equal or, for compaction, the times follow.`,
        thread.sha256,
        thread.offset,
      );
    }
  }
}

function recordedCall(session: Session, { agentId }: Thread): Step | null {
  if (agentId === null) return null;
  const byResult = session.calls.agents.get(agentId);
  if (byResult !== undefined) return byResult;
  const callId = session.agentCalls.get(agentId);
  return callId === undefined ? null : session.calls.byCallId(callId);
}

function callByPrompt(
  session: Session,
  { firstPrompt }: Thread,
  taken: ReadonlySet<Step>,
): Step | null {
  const calls = session.calls.byPrompt.get(firstPrompt ?? '') ?? [];
  return calls.find((call) => !taken.has(call)) ?? null;
}

/** The helper that writes a compaction's summary ends just before the boundary is recorded. */
function compactionOf(session: Session, thread: Thread, taken: ReadonlySet<Step>): Step | null {
  if (thread.agentId?.startsWith('acompact') !== true) return null;
  const end = thread.steps.at(-1)?.time.startedAtNs ?? null;
  const contexts = session.threads
    .filter(({ isMain }) => isMain)
    .flatMap(({ steps }) => steps)
    .filter((step) => step.kind === 'context' && !taken.has(step));
  if (end === null) return contexts.length === 1 ? (contexts[0] ?? null) : null;
  return contexts.find(({ time }) => time.startedAtNs !== null && time.startedAtNs >= end) ?? null;
}
