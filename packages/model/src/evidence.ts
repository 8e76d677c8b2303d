import { z } from 'zod';

/**
 * How near to the transport a value was recorded, nearest first:
 * `wire` bytes off the transport, `logged` a client's own structured log, `rendered` text made
 * for people, `derived` worked out by Misstep.
 */
export const EVIDENCE_GRADES = ['wire', 'logged', 'rendered', 'derived'] as const;
export const EvidenceGradeSchema = z.enum(EVIDENCE_GRADES);
export type EvidenceGrade = z.infer<typeof EvidenceGradeSchema>;

/**
 * `captured` the source holds it whole; `elided` the source says that it cut it;
 * `notCaptured` the source never holds it; `redacted` somebody removed it on purpose.
 * "Not captured" is never shown as empty.
 */
export const CAPTURE_STATES = ['captured', 'elided', 'notCaptured', 'redacted'] as const;
export const CaptureStateSchema = z.enum(CAPTURE_STATES);
export type CaptureState = z.infer<typeof CaptureStateSchema>;

/** The nearest grade of a list; `derived` when the list is empty. */
export function bestEvidence(grades: Iterable<EvidenceGrade>): EvidenceGrade {
  let best = EVIDENCE_GRADES.length - 1;
  for (const grade of grades) best = Math.min(best, EVIDENCE_GRADES.indexOf(grade));
  return EVIDENCE_GRADES[best] ?? 'derived';
}
