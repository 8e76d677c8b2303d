import type {
  CapturedValue,
  Elision,
  EvidenceGrade,
  Origin,
  SourceHash,
  Step,
  StepId,
  StepTime,
  ValueEncoding,
} from '@misstep/model';
import { keptStep } from './read-in-pages.ts';

/**
 * A step's id: where its first record begins, in base 36, and the ordinal of the step within that
 * record. Steps of companion sources carry the companion's part in front.
 */
export function stepIdAt(offset: number, ordinal = 0, part: string | null = null): StepId {
  const place = `${offset.toString(36)}-${ordinal}`;
  const prefix = part === null ? '' : `${part.replace(/[^0-9a-zA-Z_-]/g, '_').slice(0, 80)}.`;
  // The brand is for what this makes: base-36 digits, "-", "." and a cleaned part.
  return `${prefix}${place}` as StepId;
}

export type StepFields = Pick<Step, 'id' | 'kind' | 'name' | 'evidence' | 'origin'> & Partial<Step>;

/** A step with everything that `fields` leaves out set to "nothing known". */
export function makeStep(fields: StepFields): Step {
  return keptStep({
    seq: 1,
    parentId: null,
    server: null,
    tool: null,
    callId: null,
    model: null,
    time: noTime(),
    status: 'none',
    statusReason: null,
    pairing: null,
    arguments: null,
    result: null,
    content: [],
    usage: null,
    recordedCostUsd: null,
    moreOrigins: [],
    summary: '',
    emptyResult: null,
    ...fields,
  });
}

export function noTime(): StepTime {
  return {
    startedAtNs: null,
    endedAtNs: null,
    startedAtText: null,
    endedAtText: null,
    evidence: 'derived',
  };
}

/** A value whose bytes stand in the source; elided as soon as there is an elision. */
export function valueAt(
  origin: Origin,
  encoding: ValueEncoding,
  evidence: EvidenceGrade,
  elisions: Elision[] = [],
): CapturedValue {
  const state = elisions.length > 0 ? 'elided' : 'captured';
  return { state, evidence, origin, encoding, inlineText: null, elisions };
}

/** A value that no contiguous bytes hold; `origin` says where it was put together from. */
export function inlineValue(
  text: string,
  origin: Origin | null,
  evidence: EvidenceGrade,
  elisions: Elision[] = [],
): CapturedValue {
  const state = elisions.length > 0 ? 'elided' : 'captured';
  return { state, evidence, origin, encoding: 'inline', inlineText: text, elisions };
}

export function originAt(
  sha256: SourceHash,
  span: { offset: number; length: number },
  pointer = '',
): Origin {
  return { sha256, offset: span.offset, length: span.length, pointer };
}
