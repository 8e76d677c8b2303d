import type { SourceHash, Step } from '@misstep/model';
import { joinNanoseconds, splitNanoseconds } from './nanoseconds.ts';
import { packDetails, unpackDetails } from './step-details.ts';
import { decodeText, decodeTextOrNull, encodeText, encodeTextOrNull } from './stored-text.ts';

/** Columns of `steps` after `runKey`, in the order of a row. */
export const STEP_COLUMNS = [
  'seq',
  'id',
  'parentId',
  'kind',
  'status',
  'name',
  'server',
  'tool',
  'summary',
  'startedAtNs',
  'endedAtNs',
  'evidence',
  'timeEvidence',
  'detailsJson',
] as const;

/** A step as it is stored: an array, since those cross threads several times faster than objects. */
export type StepRow = readonly [
  seq: number | bigint,
  id: string,
  parentId: string | null,
  kind: string,
  status: string,
  name: string,
  server: string | null,
  tool: string | null,
  summary: string,
  startedAtNs: bigint | null,
  endedAtNs: bigint | null,
  evidence: string,
  timeEvidence: string,
  detailsJson: string,
];

/** `sources`: the run's, in the order in which they are saved. */
export function encodeStep(step: Step, sources: readonly SourceHash[]): StepRow {
  const started = splitNanoseconds(step.time.startedAtNs);
  const ended = splitNanoseconds(step.time.endedAtNs);
  return [
    step.seq,
    step.id,
    step.parentId,
    step.kind,
    step.status,
    encodeText(step.name),
    encodeTextOrNull(step.server),
    encodeTextOrNull(step.tool),
    encodeText(step.summary),
    started.column,
    ended.column,
    step.evidence,
    step.time.evidence,
    packDetails(
      {
        callId: step.callId,
        model: step.model,
        startedAtText: step.time.startedAtText,
        endedAtText: step.time.endedAtText,
        statusReason: step.statusReason,
        pairing: step.pairing,
        arguments: step.arguments,
        result: step.result,
        content: step.content,
        usage: step.usage,
        recordedCostUsd: step.recordedCostUsd,
        origin: step.origin,
        moreOrigins: step.moreOrigins,
        emptyResult: step.emptyResult,
        startedAtDigits: started.digits,
        endedAtDigits: ended.digits,
      },
      sources,
    ),
  ];
}

/** The step that `encodeStep` was given, with the same sources. */
export function decodeStep(row: StepRow, sources: readonly SourceHash[]): Step {
  const details = unpackDetails(row[13], sources);
  return {
    // The casts give back the types of the step that was encoded.
    id: row[1] as Step['id'],
    seq: Number(row[0]),
    parentId: row[2] as Step['parentId'],
    kind: row[3] as Step['kind'],
    name: decodeText(row[5]),
    server: decodeTextOrNull(row[6]),
    tool: decodeTextOrNull(row[7]),
    callId: details.callId,
    model: details.model,
    time: {
      startedAtNs: joinNanoseconds(row[9], details.startedAtDigits),
      endedAtNs: joinNanoseconds(row[10], details.endedAtDigits),
      startedAtText: details.startedAtText,
      endedAtText: details.endedAtText,
      evidence: row[12] as Step['evidence'],
    },
    status: row[4] as Step['status'],
    statusReason: details.statusReason,
    pairing: details.pairing,
    arguments: details.arguments,
    result: details.result,
    content: details.content,
    usage: details.usage,
    recordedCostUsd: details.recordedCostUsd,
    evidence: row[11] as Step['evidence'],
    origin: details.origin,
    moreOrigins: details.moreOrigins,
    summary: decodeText(row[8]),
    emptyResult: details.emptyResult,
  };
}
