import type { JsonBytesDocument, JsonNode } from '@misstep/json';
import type { CapturedValue, Elision, EvidenceGrade, Origin, SourceHash } from '@misstep/model';
import { JsonView, type ScatteredGround } from './json-view.ts';

/** A JSON document in a source: a line of it, or the whole of it. */
export interface PlacedJson {
  readonly document: JsonBytesDocument;
  readonly sha256: SourceHash;
  /** Byte offset of the document in the source. */
  readonly offset: number;
  readonly evidence: EvidenceGrade;
  /** Where it stands in a document that was not read whole; '' if left out. */
  readonly pointer?: string;
  /** Where the document's bytes don't stand in one piece at `offset`. */
  readonly scattered?: Pick<ScatteredGround, 'pieces' | 'carrier'>;
}

/**
 * A view that may hold nothing: looking further from there is allowed and finds nothing either. So
 * importers can ask for `place.get('a').get('b').text()` of hostile data.
 */
export class JsonPlace {
  readonly source: PlacedJson;
  readonly view: JsonView | undefined;

  constructor(source: PlacedJson, view: JsonView | undefined) {
    this.source = source;
    this.view = view;
  }

  static root(source: PlacedJson): JsonPlace {
    return new JsonPlace(source, rootOf(source));
  }

  get node(): JsonNode | undefined {
    return this.view?.node;
  }

  /** RFC 6901, from the root of the document. */
  get pointer(): string {
    return this.view?.pointer ?? '';
  }

  get kind(): JsonNode['kind'] | 'absent' {
    return this.view?.node.kind ?? 'absent';
  }

  /** False for a missing value and for `null`. */
  get isThere(): boolean {
    return this.view !== undefined && !this.view.isNull;
  }

  get(key: string): JsonPlace {
    return new JsonPlace(this.source, this.view?.get(key));
  }

  /** Items of an array; none for anything else. */
  items(): JsonPlace[] {
    return (this.view?.items ?? []).map((item) => new JsonPlace(this.source, item));
  }

  /** Members of an object by key, of duplicates the last; none for anything else. */
  entries(): Map<string, JsonPlace> {
    const found = new Map<string, JsonPlace>();
    for (const [key, view] of this.view?.entries ?? []) {
      found.set(key, new JsonPlace(this.source, view));
    }
    return found;
  }

  /** What a string decodes to; null for anything else. */
  text(): string | null {
    return this.view?.text ?? null;
  }

  /** The JSON text as written; null where nothing is. */
  written(): string | null {
    return this.view?.written ?? null;
  }

  /** A whole number that isn't negative; null for anything else, a string too. */
  count(): number | null {
    return this.kind === 'number' ? (this.view?.count ?? null) : null;
  }

  isTrue(): boolean {
    return this.view?.isTrue ?? false;
  }

  isFalse(): boolean {
    return this.node?.kind === 'literal' && this.node.value === false;
  }

  /** The bytes of this place; those of the whole document where nothing is here. */
  origin(): Origin {
    return (this.view ?? rootOf(this.source)).origin;
  }

  /** A string by what it decodes to, anything else as JSON. Only where `node` is something. */
  value(elisions: Elision[] = []): CapturedValue {
    return (this.view ?? rootOf(this.source)).value(this.source.evidence, elisions);
  }
}

/** The items of a list, or the one value that it is. */
export function listOrOne(root: JsonPlace): JsonPlace[] {
  return root.kind === 'array' ? root.items() : [root];
}

function rootOf({ document, sha256, offset, scattered, pointer = '' }: PlacedJson): JsonView {
  if (scattered !== undefined) {
    return new JsonView({ kind: 'scattered', document, ...scattered }, document.root, '');
  }
  return new JsonView({ kind: 'bytes', document, sha256, offset }, document.root, pointer);
}
