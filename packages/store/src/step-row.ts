import type { Step } from '@misstep/model';
import { joinNanoseconds, splitNanoseconds } from './nanoseconds.ts';
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

/** What no query filters by. `...Digits` only where the time doesn't fit the column. */
interface StepDetails
  extends Pick<
    Step,
    | 'callId'
    | 'model'
    | 'statusReason'
    | 'pairing'
    | 'arguments'
    | 'result'
    | 'content'
    | 'usage'
    | 'origin'
    | 'moreOrigins'
    | 'emptyResult'
  > {
  readonly startedAtText: string | null;
  readonly endedAtText: string | null;
  readonly startedAtDigits?: string;
  readonly endedAtDigits?: string;
}

export function encodeStep(step: Step): StepRow {
  const started = splitNanoseconds(step.time.startedAtNs);
  const ended = splitNanoseconds(step.time.endedAtNs);
  const details: StepDetails = {
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
    origin: step.origin,
    moreOrigins: step.moreOrigins,
    emptyResult: step.emptyResult,
    ...(started.digits === null ? {} : { startedAtDigits: started.digits }),
    ...(ended.digits === null ? {} : { endedAtDigits: ended.digits }),
  };
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
    JSON.stringify(details),
  ];
}

export function decodeStep(row: StepRow): Step {
  const [seq, id, parentId, kind, status, name, server, tool, summary, startedAtNs, endedAtNs] =
    row;
  const [, , , , , , , , , , , evidence, timeEvidence, detailsJson] = row;
  // Written by encodeStep; a value's numbers are offsets and counts, so JSON.parse loses nothing.
  const details = JSON.parse(detailsJson) as StepDetails;
  return {
    // The casts give back the types of the step that was encoded.
    id: id as Step['id'],
    seq: Number(seq),
    parentId: parentId as Step['parentId'],
    kind: kind as Step['kind'],
    name: decodeText(name),
    server: decodeTextOrNull(server),
    tool: decodeTextOrNull(tool),
    callId: details.callId,
    model: details.model,
    time: {
      startedAtNs: joinNanoseconds(startedAtNs, details.startedAtDigits),
      endedAtNs: joinNanoseconds(endedAtNs, details.endedAtDigits),
      startedAtText: details.startedAtText,
      endedAtText: details.endedAtText,
      evidence: timeEvidence as Step['evidence'],
    },
    status: status as Step['status'],
    statusReason: details.statusReason,
    pairing: details.pairing,
    arguments: details.arguments,
    result: details.result,
    content: details.content,
    usage: details.usage,
    evidence: evidence as Step['evidence'],
    origin: details.origin,
    moreOrigins: details.moreOrigins,
    summary: decodeText(summary),
    emptyResult: details.emptyResult,
  };
}
