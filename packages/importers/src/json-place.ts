import {
  byteSpan,
  escapePointerSegment,
  type JsonBytesDocument,
  type JsonNode,
  member,
  nodeText,
  stringValue,
} from '@misstep/json';
import type { CapturedValue, Elision, EvidenceGrade, Origin, SourceHash } from '@misstep/model';
import { valueAt } from './step-builder.ts';

/** A JSON document in a source: a line of it, or the whole of it. */
export interface PlacedJson {
  readonly document: JsonBytesDocument;
  readonly sha256: SourceHash;
  /** Byte offset of the document in the source. */
  readonly offset: number;
  readonly evidence: EvidenceGrade;
}

/**
 * A place in a document, which may hold nothing: looking further from there is allowed and finds
 * nothing either. So importers can ask for `place.get('a').get('b').text()` of hostile data.
 */
export class JsonPlace {
  readonly source: PlacedJson;
  readonly node: JsonNode | undefined;
  /** RFC 6901, from the root of the document. */
  readonly pointer: string;

  constructor(source: PlacedJson, node: JsonNode | undefined, pointer: string) {
    this.source = source;
    this.node = node;
    this.pointer = pointer;
  }

  static root(source: PlacedJson): JsonPlace {
    return new JsonPlace(source, source.document.root, '');
  }

  get kind(): JsonNode['kind'] | 'absent' {
    return this.node?.kind ?? 'absent';
  }

  /** False for a missing value and for `null`. */
  get isThere(): boolean {
    return this.node !== undefined && !(this.node.kind === 'literal' && this.node.value === null);
  }

  get(key: string): JsonPlace {
    const node = member(this.source.document, this.node, key);
    return new JsonPlace(this.source, node, `${this.pointer}/${escapePointerSegment(key)}`);
  }

  /** Items of an array; none for anything else. */
  items(): JsonPlace[] {
    if (this.node?.kind !== 'array') return [];
    return this.node.items.map(
      (item, index) => new JsonPlace(this.source, item, `${this.pointer}/${index}`),
    );
  }

  /** Members of an object by key, of duplicates the last; none for anything else. */
  entries(): Map<string, JsonPlace> {
    const found = new Map<string, JsonPlace>();
    if (this.node?.kind !== 'object') return found;
    for (const { key, value } of this.node.members) {
      const name = stringValue(this.source.document, key);
      const pointer = `${this.pointer}/${escapePointerSegment(name)}`;
      found.set(name, new JsonPlace(this.source, value, pointer));
    }
    return found;
  }

  /** What a string decodes to; null for anything else. */
  text(): string | null {
    return this.node?.kind === 'string' ? stringValue(this.source.document, this.node) : null;
  }

  /** The JSON text as written; null where nothing is. */
  written(): string | null {
    return this.node === undefined ? null : nodeText(this.source.document, this.node);
  }

  /** A whole number that isn't negative; null for anything else. */
  count(): number | null {
    if (this.node?.kind !== 'number') return null;
    const value = Number(this.written());
    return Number.isSafeInteger(value) && value >= 0 ? value : null;
  }

  isTrue(): boolean {
    return this.node?.kind === 'literal' && this.node.value === true;
  }

  isFalse(): boolean {
    return this.node?.kind === 'literal' && this.node.value === false;
  }

  /** The bytes of this place; those of the whole document where nothing is here. */
  origin(): Origin {
    const { document, sha256, offset } = this.source;
    const span = byteSpan(document, this.node ?? document.root);
    const pointer = this.node === undefined ? '' : this.pointer;
    return { sha256, offset: offset + span.offset, length: span.length, pointer };
  }

  /** A string by what it decodes to, anything else as JSON. Only where `node` is something. */
  value(elisions: Elision[] = []): CapturedValue {
    const encoding = this.node?.kind === 'string' ? 'json-string' : 'json';
    return valueAt(this.origin(), encoding, this.source.evidence, elisions);
  }
}
