import type { RecordingAudit } from '@misstep/model';
import { auditContext } from './recording-audit/context.ts';
import { auditCost } from './recording-audit/cost.ts';
import { auditFirstWrong } from './recording-audit/first-wrong.ts';
import { auditHandOffs } from './recording-audit/hand-offs.ts';
import { auditLooping } from './recording-audit/looping.ts';
import { auditOutcome } from './recording-audit/outcome.ts';
import { type AuditInput, gatherFacts } from './recording-audit/run-facts.ts';
import { auditToolChoice } from './recording-audit/tool-choice.ts';

export type { AuditInput } from './recording-audit/run-facts.ts';

/**
 * Which of the seven questions this recording can answer, and what is missing for the rest. Reads
 * steps only, never payloads: a value counts as recorded where its capture state says that the
 * source holds it whole. Where steps can't tell, the answer is the lesser one. Linear in the steps.
 */
export function auditRecording(input: AuditInput): RecordingAudit {
  const facts = gatherFacts(input);
  return {
    runId: input.runId,
    questions: [
      auditToolChoice(facts),
      auditOutcome(facts),
      auditLooping(facts),
      auditHandOffs(facts),
      auditContext(facts),
      auditCost(facts),
      auditFirstWrong(facts),
    ],
  };
}
