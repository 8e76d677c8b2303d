import type { CapturedValue, ContentPart, Origin, SourceHash, Step } from '@misstep/model';

/**
 * What of a step no query filters by, as one JSON array. Positions instead of names and a source
 * by its number make it a quarter as long, which is what opening a run of 100,000 steps waits for.
 */
type PackedOrigin = readonly [
  /** Index in the run's sources; the hash itself where the source isn't one of them. */
  source: number | string,
  offset: number,
  length: number,
  pointer: string,
];

type PackedValue = readonly [
  state: CapturedValue['state'],
  evidence: CapturedValue['evidence'],
  encoding: CapturedValue['encoding'],
  origin: PackedOrigin | null,
  inlineText: string | null,
  elisions: CapturedValue['elisions'],
];

type PackedDetails = readonly [
  callId: string | null,
  model: string | null,
  startedAtText: string | null,
  endedAtText: string | null,
  statusReason: string | null,
  pairing: Step['pairing'],
  arguments: PackedValue | null,
  result: PackedValue | null,
  content: readonly (readonly [kind: ContentPart['kind'], value: PackedValue, name?: string])[],
  usage: Step['usage'],
  origin: PackedOrigin,
  moreOrigins: readonly PackedOrigin[],
  emptyResult: boolean | null,
  /** Only for times that don't fit their columns. */
  startedAtDigits: string | null,
  endedAtDigits: string | null,
  /** Absent in details of before version 8. */
  recordedCostUsd?: string | null,
];

export type StepDetails = Pick<
  Step,
  | 'callId'
  | 'model'
  | 'statusReason'
  | 'pairing'
  | 'arguments'
  | 'result'
  | 'content'
  | 'usage'
  | 'recordedCostUsd'
  | 'origin'
  | 'moreOrigins'
  | 'emptyResult'
> & {
  readonly startedAtText: string | null;
  readonly endedAtText: string | null;
  readonly startedAtDigits: string | null;
  readonly endedAtDigits: string | null;
};

export function packDetails(details: StepDetails, sources: readonly SourceHash[]): string {
  const packed: PackedDetails = [
    details.callId,
    details.model,
    details.startedAtText,
    details.endedAtText,
    details.statusReason,
    details.pairing,
    packValue(details.arguments, sources),
    packValue(details.result, sources),
    details.content.map(({ kind, value, name }) =>
      name === undefined
        ? ([kind, packPresent(value, sources)] as const)
        : ([kind, packPresent(value, sources), name] as const),
    ),
    details.usage,
    packOrigin(details.origin, sources),
    details.moreOrigins.map((origin) => packOrigin(origin, sources)),
    details.emptyResult,
    details.startedAtDigits,
    details.endedAtDigits,
  ];
  // Most steps have none; what is left out costs nothing.
  const { recordedCostUsd } = details;
  return JSON.stringify(recordedCostUsd === null ? packed : [...packed, recordedCostUsd]);
}

export function unpackDetails(json: string, sources: readonly SourceHash[]): StepDetails {
  // Written by packDetails; its numbers are offsets and counts, so JSON.parse loses nothing.
  const packed = JSON.parse(json) as PackedDetails;
  return {
    callId: packed[0],
    model: packed[1],
    startedAtText: packed[2],
    endedAtText: packed[3],
    statusReason: packed[4],
    pairing: packed[5],
    arguments: unpackValue(packed[6], sources),
    result: unpackValue(packed[7], sources),
    content: packed[8].map(([kind, value, name]) => ({
      kind,
      value: unpackPresent(value, sources),
      ...(name === undefined ? {} : { name }),
    })),
    usage: packed[9],
    origin: unpackOrigin(packed[10], sources),
    moreOrigins: packed[11].map((origin) => unpackOrigin(origin, sources)),
    emptyResult: packed[12],
    startedAtDigits: packed[13],
    endedAtDigits: packed[14],
    recordedCostUsd: packed[15] ?? null,
  };
}

function packValue(value: CapturedValue | null, sources: readonly SourceHash[]) {
  return value === null ? null : packPresent(value, sources);
}

function packPresent(value: CapturedValue, sources: readonly SourceHash[]): PackedValue {
  const origin = value.origin === null ? null : packOrigin(value.origin, sources);
  const { state, evidence, encoding, inlineText, elisions } = value;
  return [state, evidence, encoding, origin, inlineText, elisions];
}

function packOrigin(origin: Origin, sources: readonly SourceHash[]): PackedOrigin {
  const index = sources.indexOf(origin.sha256);
  const { offset, length, pointer } = origin;
  return [index < 0 ? origin.sha256 : index, offset, length, pointer];
}

function unpackValue(packed: PackedValue | null, sources: readonly SourceHash[]) {
  return packed === null ? null : unpackPresent(packed, sources);
}

function unpackPresent(packed: PackedValue, sources: readonly SourceHash[]): CapturedValue {
  const [state, evidence, encoding, origin, inlineText, elisions] = packed;
  return {
    state,
    evidence,
    origin: origin === null ? null : unpackOrigin(origin, sources),
    encoding,
    inlineText,
    elisions,
  };
}

function unpackOrigin(packed: PackedOrigin, sources: readonly SourceHash[]): Origin {
  const [source, offset, length, pointer] = packed;
  const sha256 = typeof source === 'number' ? sources[source] : source;
  // Either a hash of the run's sources or one that packOrigin kept as it was.
  return { sha256: sha256 as SourceHash, offset, length, pointer };
}
