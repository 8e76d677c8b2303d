import { type Step, StepSchema } from '@misstep/model';

const sha256 = 'a'.repeat(64);

/** A whole step from the few fields that a test is about. */
export function makeStep(seq: number, fields: Record<string, unknown> = {}): Step {
  return StepSchema.parse({
    id: `s${seq}`,
    seq,
    parentId: null,
    kind: 'tool',
    name: 'list_orders',
    server: null,
    tool: 'list_orders',
    callId: null,
    model: null,
    time: makeTime(null, null),
    status: 'ok',
    statusReason: null,
    pairing: null,
    arguments: null,
    result: null,
    content: [],
    usage: null,
    recordedCostUsd: null,
    evidence: 'logged',
    origin: { sha256, offset: seq, length: 1, pointer: '' },
    moreOrigins: [],
    summary: '',
    emptyResult: null,
    ...fields,
  });
}

export function makeTime(startedAtNs: bigint | null, endedAtNs: bigint | null): Step['time'] {
  return { startedAtNs, endedAtNs, startedAtText: null, endedAtText: null, evidence: 'logged' };
}

export function makeValue(offset: number, length: number, fields: Record<string, unknown> = {}) {
  return {
    state: 'captured',
    evidence: 'logged',
    origin: { sha256, offset, length, pointer: '' },
    encoding: 'json',
    inlineText: null,
    elisions: [],
    ...fields,
  };
}
