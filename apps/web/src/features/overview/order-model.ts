import { EVIDENCE_GRADES } from '@misstep/model';
import type { RunModel } from '../run/use-run-model.ts';

/** One step's width on an axis that counts steps; only its ratio to the others means something. */
const SLOT_NS = 1e9;
/** Neighbours stay apart. */
const FILLED = 0.8;

/**
 * A run without times as the overview draws it: a step after the other, all equally wide and drawn as
 * derived. A run without steps has no span either.
 */
export function modelByOrder(model: RunModel): RunModel {
  const { skeleton } = model;
  const { count } = skeleton;
  const derived = EVIDENCE_GRADES.indexOf('derived');
  return {
    ...model,
    skeleton: {
      ...skeleton,
      startsNs: Array.from({ length: count }, (_, index) => index * SLOT_NS),
      durationsNs: Array.from({ length: count }, () => SLOT_NS * FILLED),
      timeEvidence: Array.from({ length: count }, () => derived),
    },
    span: count === 0 ? null : { startNs: 0, endNs: count * SLOT_NS },
    gaps: [],
  };
}
