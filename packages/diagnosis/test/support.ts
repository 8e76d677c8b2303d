import {
  type AuditedQuestion,
  type AuditQuestionId,
  PriceFinder,
  RecordingAuditSchema,
  RunIdSchema,
  type Step,
  StepSchema,
} from '@misstep/model';
import { type AuditInput, auditRecording } from '../src/index.ts';

const sha256 = 'a'.repeat(64);

/** Steps from the few fields that a test is about, numbered in order; ids are s1, s2 ... */
export function makeSteps(...list: readonly Record<string, unknown>[]): Step[] {
  return list.map((fields, index) =>
    StepSchema.parse({
      id: `s${index + 1}`,
      seq: index + 1,
      parentId: null,
      kind: 'tool',
      name: 'find_parcel',
      server: null,
      tool: 'find_parcel',
      callId: null,
      model: null,
      time: timeAt(null, null),
      status: 'none',
      statusReason: null,
      pairing: null,
      arguments: null,
      result: null,
      content: [],
      usage: null,
      recordedCostUsd: null,
      evidence: 'logged',
      origin: { sha256, offset: index, length: 1, pointer: '' },
      moreOrigins: [],
      summary: '',
      emptyResult: null,
      ...fields,
    }),
  );
}

export function timeAt(
  startedAtNs: bigint | null,
  endedAtNs: bigint | null,
  evidence: Step['evidence'] = 'logged',
) {
  return { startedAtNs, endedAtNs, startedAtText: null, endedAtText: null, evidence };
}

export function value(evidence: Step['evidence'] = 'logged', fields: Record<string, unknown> = {}) {
  return {
    state: 'captured',
    evidence,
    origin: { sha256, offset: 0, length: 1, pointer: '' },
    encoding: 'json',
    inlineText: null,
    elisions: [],
    ...fields,
  };
}

export function cut(evidence: Step['evidence'] = 'logged') {
  const elisions = [{ pointer: '', kind: 'tail', count: null, marker: '...' }];
  return value(evidence, { state: 'elided', elisions });
}

export function words(evidence: Step['evidence'] = 'logged') {
  return [{ kind: 'text', value: value(evidence) }];
}

export function tokens(inputTokens: number | null, outputTokens: number | null) {
  const cache = { cacheReadTokens: null, cacheWriteTokens: null, inputExcludesCache: true };
  return { inputTokens, outputTokens, ...cache };
}

/** The audit by question, held against its shape. */
export function audit(
  steps: readonly Step[],
  rest: Partial<AuditInput> = {},
): Record<AuditQuestionId, AuditedQuestion> {
  const runId = RunIdSchema.parse(`r${'0'.repeat(20)}`);
  const given: AuditInput = {
    runId,
    steps,
    tools: [],
    frameCount: 0,
    clock: 'zoned',
    prices: new PriceFinder([]),
    recordedCostUsd: null,
    ...rest,
  };
  const { questions } = RecordingAuditSchema.parse(auditRecording(given));
  // Every id is there once: the shape asks for seven and the test below for their order.
  return Object.fromEntries(questions.map((each) => [each.id, each])) as Record<
    AuditQuestionId,
    AuditedQuestion
  >;
}
