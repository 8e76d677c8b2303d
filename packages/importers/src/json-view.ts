import {
  byteSpan,
  escapePointerSegment,
  type JsonBytesDocument,
  type JsonDocument,
  type JsonNode,
  member,
  parseLooseJson,
  parseLooseJsonBytes,
  stringValue,
} from '@misstep/json';
import type { CapturedValue, Elision, EvidenceGrade, Origin, SourceHash } from '@misstep/model';
import { hasBareNumber } from './bare-numbers.ts';
import type { PlacedDocument, SourcePlace } from './placed-json.ts';
import type { SourceSpan } from './record-ledger.ts';
import { inlineValue, valueAt } from './step-builder.ts';

/**
 * Where a document's bytes are: in a source, nowhere contiguous (inside a carrier's string), or in
 * a binary source of which the document is another writing.
 */
type Ground =
  | {
      readonly kind: 'bytes';
      readonly document: JsonBytesDocument;
      readonly sha256: SourceHash;
      readonly offset: number;
    }
  | { readonly kind: 'inner'; readonly document: JsonDocument; readonly carrier: Origin }
  | ScatteredGround
  | { readonly kind: 'placed'; readonly placed: PlacedDocument };

/** A document whose bytes stand in the source in pieces, or not at all (no pieces). */
export interface ScatteredGround {
  readonly kind: 'scattered';
  readonly document: JsonBytesDocument;
  /** `start` counts in the bytes that the document was read from. */
  readonly pieces: readonly (SourceSpan & { readonly start: number })[];
  /** The record, for what no piece holds whole. */
  readonly carrier: Origin;
}

/**
 * A value of a parsed JSON source with the way to it: navigates like plain data, and gives the
 * exact bytes of whatever it finds. Pointers begin at the document's root.
 */
export class JsonView {
  readonly node: JsonNode;
  readonly pointer: string;
  readonly #ground: Ground;

  readonly #document: JsonDocument;

  constructor(ground: Ground, node: JsonNode, pointer: string) {
    this.#ground = ground;
    this.#document = ground.kind === 'placed' ? ground.placed.document : ground.document;
    this.node = node;
    this.pointer = pointer;
  }

  /** The member of an object; the last of equal keys, as JSON.parse keeps it. */
  get(key: string): JsonView | undefined {
    const node = member(this.#document, this.node, key);
    return node === undefined ? undefined : this.#below(node, key);
  }

  /** `get` along a path; undefined as soon as a part is missing. */
  at(...keys: readonly string[]): JsonView | undefined {
    let place: JsonView | undefined = this;
    for (const key of keys) place = place?.get(key);
    return place;
  }

  /** The first of the keys that is there and isn't null. */
  firstOf(...keys: readonly string[]): JsonView | undefined {
    for (const key of keys) {
      const found = this.get(key);
      if (found !== undefined && !found.isNull) return found;
    }
    return undefined;
  }

  get items(): JsonView[] {
    if (this.node.kind !== 'array') return [];
    return this.node.items.map((item, index) => this.#below(item, String(index)));
  }

  /** Members in source order; the last of equal keys. */
  get entries(): Map<string, JsonView> {
    const found = new Map<string, JsonView>();
    if (this.node.kind !== 'object') return found;
    for (const { key, value } of this.node.members) {
      const name = stringValue(this.#document, key);
      found.set(name, this.#below(value, name));
    }
    return found;
  }

  get isObject(): boolean {
    return this.node.kind === 'object';
  }

  get isArray(): boolean {
    return this.node.kind === 'array';
  }

  get isNull(): boolean {
    return this.node.kind === 'literal' && this.node.value === null;
  }

  get isTrue(): boolean {
    return this.node.kind === 'literal' && this.node.value === true;
  }

  /** The decoded string; null where this is no string. */
  get text(): string | null {
    return this.node.kind === 'string' ? stringValue(this.#document, this.node) : null;
  }

  /** The exact JSON text. */
  get written(): string {
    return this.#document.text.slice(this.node.start, this.node.end);
  }

  /** A number as it is written, also where it is written as a string; null otherwise. */
  get number(): string | null {
    const text = this.node.kind === 'number' ? this.written : this.text;
    if (text === null) return null;
    const isNumber = this.node.kind === 'number' ? /\d/ : /^-?\d+(\.\d+)?$/;
    return isNumber.test(text) ? text : null;
  }

  /** A count: a whole number that isn't negative, also written as a string. */
  get count(): number | null {
    const value = this.number === null ? Number.NaN : Number(this.number);
    return Number.isSafeInteger(value) && value >= 0 ? value : null;
  }

  get document(): JsonDocument {
    return this.#document;
  }

  /** True where values have no bytes of their own as JSON (JSON inside a string, a binary source). */
  get isInner(): boolean {
    if (this.#ground.kind === 'scattered') {
      return originInPieces(this.#ground, this.node, this.pointer) === null;
    }
    return this.#ground.kind !== 'bytes';
  }

  get origin(): Origin {
    if (this.#ground.kind === 'inner') return this.#ground.carrier;
    if (this.#ground.kind === 'scattered') {
      return originInPieces(this.#ground, this.node, this.pointer) ?? this.#ground.carrier;
    }
    if (this.#ground.kind === 'placed') {
      const { sha256, whole } = this.#ground.placed;
      const { offset, length } = this.#place ?? whole;
      return { sha256, offset, length, pointer: '' };
    }
    const { document, sha256, offset } = this.#ground;
    const span = byteSpan(document, this.node);
    return { sha256, offset: offset + span.offset, length: span.length, pointer: this.pointer };
  }

  /** A string by what it decodes to, anything else as JSON. */
  value(evidence: EvidenceGrade, elisions: Elision[] = []): CapturedValue {
    const isString = this.node.kind === 'string';
    if (this.#place?.isText === true) return valueAt(this.origin, 'text', evidence, elisions);
    if (this.isInner) {
      return inlineValue(this.text ?? this.written, this.origin, evidence, elisions);
    }
    const encoding = hasBareNumber(this.#document, this.node) ? 'text' : 'json';
    return valueAt(this.origin, isString ? 'json-string' : encoding, evidence, elisions);
  }

  /** What this string holds as JSON (an object or a list); null where it holds none. */
  inner(): JsonView | null {
    const text = this.text;
    if (text === null || !/^\s*[[{"]/.test(text)) return null;
    if (this.#place?.isText === true) return this.#innerBytes(this.#place);
    const parsed = parseLooseJson(text);
    if (!parsed.ok) return null;
    return new JsonView(
      { kind: 'inner', document: parsed.value, carrier: this.origin },
      parsed.value.root,
      '',
    );
  }

  /** This, or what the string holds as JSON, at most two levels deep. */
  unwrapped(): JsonView {
    const once = this.inner();
    return once?.inner() ?? once ?? this;
  }

  /** A node of the same document at a pointer below this view's. */
  located(node: JsonNode, pointer: string): JsonView {
    return new JsonView(this.#ground, node, `${this.pointer}${pointer}`);
  }

  /** Text that stands as it is in a binary source: JSON in it has bytes of its own. */
  #innerBytes({ offset, length }: SourcePlace): JsonView | null {
    if (this.#ground.kind !== 'placed') return null;
    const { bytes, bytesAt, sha256 } = this.#ground.placed;
    const parsed = parseLooseJsonBytes(bytes.subarray(offset - bytesAt, offset - bytesAt + length));
    if (!parsed.ok) return null;
    const ground = { kind: 'bytes' as const, document: parsed.value, sha256, offset };
    return new JsonView(ground, parsed.value.root, '');
  }

  get #place(): SourcePlace | undefined {
    return this.#ground.kind === 'placed'
      ? this.#ground.placed.places.get(this.node.start)
      : undefined;
  }

  #below(node: JsonNode, segment: string): JsonView {
    return new JsonView(this.#ground, node, `${this.pointer}/${escapePointerSegment(segment)}`);
  }
}

/** Where a node stands as a whole; null where it goes over several pieces. */
function originInPieces(
  { document, pieces }: ScatteredGround,
  node: JsonNode,
  pointer: string,
): Origin | null {
  const { offset: at, length } = byteSpan(document, node);
  const piece = pieces.find(({ start, length: size }) => start <= at && at < start + size);
  if (piece === undefined || at + length > piece.start + piece.length) return null;
  const offset = piece.offset + at - piece.start;
  return {
    sha256: piece.sha256,
    offset,
    length,
    pointer: pieces.length === 1 ? pointer : '',
  };
}

/** JSON text put together by an importer, carried by the record that it was put together from. */
export function assembledView(jsonText: string, carrier: Origin): JsonView | null {
  const parsed = parseLooseJson(jsonText);
  if (!parsed.ok) return null;
  return new JsonView({ kind: 'inner', document: parsed.value, carrier }, parsed.value.root, '');
}
