import { createHash } from 'node:crypto';
import { CANONICAL_VERSION, canonicalJson, parseJsonBytes } from '@misstep/json';
import type { Handshake, ListedTool } from '@misstep/mcp';
import {
  type Receipt,
  ReceiptSchema,
  type ReplayOutcome,
  type SourceHash,
  SourceHashSchema,
} from '@misstep/model';
import type { AskView } from './asks/ask-view.ts';
import { type ReplayPlan, recordedArguments } from './policy.ts';
import type { ReplayRequest } from './replay-call.ts';

export interface ReceiptFacts {
  readonly request: ReplayRequest;
  readonly plan: ReplayPlan;
  /** The argument text as it went out: on stdio its line breaks are spaces. */
  readonly sentArgumentsText: string;
  readonly listedTool: ListedTool | null;
  readonly handshake: Handshake | null;
  /** Of the answer's `result` member; null = the answer has none. */
  readonly result: ResultFacts | null;
  /** How many requests the call took; 0 = it was not sent. */
  readonly rounds: number;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly durationNs: bigint;
  readonly callDurationNs: bigint | null;
  /** Undefined = none. */
  readonly asks?: Receipt['asks'];
  readonly frameLog: Receipt['frameLog'];
  readonly outcome: ReplayOutcome;
  readonly outcomeDetail: string | null;
}

/** Size and hashes of a result; the canonical one is null where it is no JSON. */
export type ResultFacts = Receipt['result'];

/** The account of one replay, and its text, which is made once and kept as it is. */
export function createReceipt(facts: ReceiptFacts): { receipt: Receipt; receiptText: string } {
  const { request, plan, listedTool, handshake } = facts;
  const { call, target } = request;
  const recorded = recordedArguments(call);
  const sentSha256 = sha256(facts.sentArgumentsText);
  const recordedSha256 = recorded === null ? null : sha256(recorded);
  const receipt: Receipt = {
    receiptVersion: 1,
    id: request.replayId,
    canonicalization: CANONICAL_VERSION,
    runId: call.runId,
    stepId: call.stepId,
    stepSeq: call.stepSeq,
    tool: plan.tool,
    target: { name: target.name, address: target.address },
    pins: {
      arguments: plan.argumentsText === recorded ? 'recorded' : 'edited',
      tool: plan.tool === call.tool ? 'recorded' : 'edited',
      attempts: 1,
      rendering: 'none, raw bytes kept',
      connection: 'fresh',
    },
    arguments: {
      sizeBytes: Buffer.byteLength(facts.sentArgumentsText),
      sha256: sentSha256,
      canonicalSha256: sha256(canonicalJson(plan.argumentsDocument)),
      recordedSha256,
      sameBytesAsRecorded: recordedSha256 === null ? null : recordedSha256 === sentSha256,
    },
    toolDefinition: {
      sha256: listedTool === null ? null : sha256(listedTool.definitionBytes),
      recordedSha256: call.toolDefinitionSha256,
      readOnlyHint: listedTool?.readOnlyHint ?? null,
      destructiveHint: listedTool?.destructiveHint ?? null,
    },
    result: facts.result ?? { sizeBytes: null, sha256: null, canonicalSha256: null },
    server: { name: handshake?.serverName ?? null, version: handshake?.serverVersion ?? null },
    protocolRevision: handshake?.protocolRevision ?? null,
    protocolEra: handshake?.protocolEra ?? null,
    rounds: facts.rounds,
    transport: target.address.transport,
    startedAt: facts.startedAt.toISOString(),
    endedAt: facts.endedAt.toISOString(),
    durationNs: Number(facts.durationNs),
    callDurationNs: facts.callDurationNs === null ? null : Number(facts.callDurationNs),
    ...(facts.asks === undefined ? {} : { asks: facts.asks }),
    ...(facts.frameLog === undefined ? {} : { frameLog: facts.frameLog }),
    outcome: facts.outcome,
    outcomeDetail: facts.outcomeDetail,
    misstepVersion: request.misstepVersion,
  };
  return { receipt, receiptText: `${JSON.stringify(ReceiptSchema.parse(receipt), null, 2)}\n` };
}

/** What a server asked, and how much of the call's time went by over it; undefined = nothing. */
export function accountOfAsks(
  view: AskView,
  call: { readonly sentAtNs: bigint; readonly atNs: bigint } | null,
): Receipt['asks'] {
  const { asks, omittedCount } = view;
  if (asks.length === 0) return undefined;
  const by = (who: 'person' | 'default') => asks.filter(({ answer }) => answer?.by === who).length;
  return {
    byPerson: by('person'),
    byDefault: by('default') + omittedCount,
    unanswered: asks.filter(({ answer }) => answer === null).length,
    waitedNs: call === null ? null : Number(view.waitedNs(call.sentAtNs, call.atNs)),
  };
}

/** SHA-256 of a text's UTF-8 bytes or of bytes, as lower-case hexadecimal. */
export function sha256(data: string | Uint8Array): SourceHash {
  return SourceHashSchema.parse(createHash('sha256').update(data).digest('hex'));
}

/** What a receipt says of a result's bytes. Takes time in their number. */
export function describeResult(bytes: Uint8Array): ResultFacts {
  const parsed = parseJsonBytes(bytes);
  return {
    sizeBytes: bytes.length,
    sha256: sha256(bytes),
    canonicalSha256: parsed.ok ? sha256(canonicalJson(parsed.value)) : null,
  };
}
