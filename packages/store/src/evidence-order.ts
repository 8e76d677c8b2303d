import type { EvidenceGrade } from '@misstep/model';

/**
 * EVIDENCE_GRADES of the model in its order; said again because loading the model's schemas
 * would double the worker's start. The type makes a grade that is missing here an error.
 */
const ORDER = { wire: 0, logged: 1, rendered: 2, derived: 3 } as const satisfies Record<
  EvidenceGrade,
  number
>;

// The keys of a literal whose type lists the grades.
export const EVIDENCE_ORDER = Object.keys(ORDER) as EvidenceGrade[];
