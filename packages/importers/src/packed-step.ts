import type { CapturedValue, ContentPart, Origin, SourceHash, Step } from '@misstep/model';
import type { PageCodec } from './page-pool.ts';
import { TextBytes } from './text-bytes.ts';

/** What of a step is not needed to put a run's steps in order. */
export type StepBody = Omit<Step, 'id' | 'parentId' | 'seq'>;

type PackedOrigin = readonly [source: number, offset: number, length: number, pointer: string];

type PackedValue = readonly [
  state: CapturedValue['state'],
  evidence: CapturedValue['evidence'],
  origin: PackedOrigin | null,
  encoding: CapturedValue['encoding'],
  inlineText: string | null,
  elisions: CapturedValue['elisions'],
];

type PackedStep = readonly [
  kind: Step['kind'],
  name: string,
  server: string | null,
  tool: string | null,
  callId: string | null,
  model: string | null,
  startedAtNs: string | null,
  endedAtNs: string | null,
  startedAtText: string | null,
  endedAtText: string | null,
  timeEvidence: Step['evidence'],
  status: Step['status'],
  statusReason: string | null,
  pairing: Step['pairing'],
  arguments: PackedValue | null,
  result: PackedValue | null,
  content: readonly (readonly [kind: ContentPart['kind'], value: PackedValue, name?: string])[],
  usage: Step['usage'],
  evidence: Step['evidence'],
  origin: PackedOrigin,
  moreOrigins: readonly PackedOrigin[],
  summary: string,
  emptyResult: boolean | null,
  recordedCostUsd: Step['recordedCostUsd'],
];

/** Bodies of steps as JSON, with each source's hash by its number. */
export class StepCodec implements PageCodec<StepBody> {
  readonly #hashes: SourceHash[] = [];
  readonly #text = new TextBytes();

  pack(bodies: readonly StepBody[]): Uint8Array {
    return this.#text.encode(JSON.stringify(bodies.map((body) => this.#packBody(body))));
  }

  unpack(bytes: Uint8Array): StepBody[] {
    // Written by `pack`; its numbers are offsets and counts, so JSON.parse loses nothing.
    const packed = JSON.parse(this.#text.decode(bytes)) as PackedStep[];
    return packed.map((each) => this.#unpackBody(each));
  }

  #packBody(body: StepBody): PackedStep {
    const { time } = body;
    return [
      body.kind,
      body.name,
      body.server,
      body.tool,
      body.callId,
      body.model,
      time.startedAtNs === null ? null : String(time.startedAtNs),
      time.endedAtNs === null ? null : String(time.endedAtNs),
      time.startedAtText,
      time.endedAtText,
      time.evidence,
      body.status,
      body.statusReason,
      body.pairing,
      this.#packValue(body.arguments),
      this.#packValue(body.result),
      body.content.map(({ kind, value, name }) =>
        name === undefined
          ? ([kind, this.#packPresent(value)] as const)
          : ([kind, this.#packPresent(value), name] as const),
      ),
      body.usage,
      body.evidence,
      this.#packOrigin(body.origin),
      body.moreOrigins.map((origin) => this.#packOrigin(origin)),
      body.summary,
      body.emptyResult,
      body.recordedCostUsd,
    ];
  }

  #unpackBody(packed: PackedStep): StepBody {
    return {
      kind: packed[0],
      name: packed[1],
      server: packed[2],
      tool: packed[3],
      callId: packed[4],
      model: packed[5],
      time: {
        startedAtNs: packed[6] === null ? null : BigInt(packed[6]),
        endedAtNs: packed[7] === null ? null : BigInt(packed[7]),
        startedAtText: packed[8],
        endedAtText: packed[9],
        evidence: packed[10],
      },
      status: packed[11],
      statusReason: packed[12],
      pairing: packed[13],
      arguments: this.#unpackValue(packed[14]),
      result: this.#unpackValue(packed[15]),
      content: packed[16].map(([kind, value, name]) => ({
        kind,
        value: this.#unpackPresent(value),
        ...(name === undefined ? {} : { name }),
      })),
      usage: packed[17],
      evidence: packed[18],
      origin: this.#unpackOrigin(packed[19]),
      moreOrigins: packed[20].map((origin) => this.#unpackOrigin(origin)),
      summary: packed[21],
      emptyResult: packed[22],
      recordedCostUsd: packed[23],
    };
  }

  #packValue(value: CapturedValue | null): PackedValue | null {
    return value === null ? null : this.#packPresent(value);
  }

  #packPresent({ state, evidence, origin, encoding, inlineText, elisions }: CapturedValue) {
    const packedOrigin = origin === null ? null : this.#packOrigin(origin);
    return [state, evidence, packedOrigin, encoding, inlineText, elisions] as const;
  }

  #packOrigin({ sha256, offset, length, pointer }: Origin): PackedOrigin {
    let source = this.#hashes.indexOf(sha256);
    if (source < 0) source = this.#hashes.push(sha256) - 1;
    return [source, offset, length, pointer];
  }

  #unpackValue(packed: PackedValue | null): CapturedValue | null {
    return packed === null ? null : this.#unpackPresent(packed);
  }

  #unpackPresent(packed: PackedValue): CapturedValue {
    const [state, evidence, origin, encoding, inlineText, elisions] = packed;
    return {
      state,
      evidence,
      origin: origin === null ? null : this.#unpackOrigin(origin),
      encoding,
      inlineText,
      elisions,
    };
  }

  #unpackOrigin([source, offset, length, pointer]: PackedOrigin): Origin {
    const sha256 = this.#hashes[source];
    if (sha256 === undefined) throw new Error('a packed step names no source');
    return { sha256, offset, length, pointer };
  }
}
