import { type JsonDocument, parseJson } from '@misstep/json';
import type { SourceHash } from '@misstep/model';

/** Where a value of a document that was put together stands in the source. */
export interface SourcePlace {
  /** In the source. */
  readonly offset: number;
  readonly length: number;
  /** True where those bytes are the value's text, in UTF-8; false where they are another writing of it. */
  readonly isText: boolean;
}

/**
 * A document of a binary source as JSON: the JSON is ours, and each value in it knows the bytes
 * that it was read from.
 */
export interface PlacedDocument {
  readonly document: JsonDocument;
  readonly sha256: SourceHash;
  /** By the offset in the JSON text at which the value begins. */
  readonly places: ReadonlyMap<number, SourcePlace>;
  /** Of the whole record, for values that stand nowhere by themselves (lists). */
  readonly whole: SourcePlace;
  /** The source's bytes as far as they are at hand, and where in the source they begin. */
  readonly bytes: Uint8Array;
  readonly bytesAt: number;
}

/** Writes JSON text and keeps where its values come from. */
export class PlacedWriter {
  readonly #parts: string[] = [];
  readonly #places = new Map<number, SourcePlace>();
  #length = 0;

  raw(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }

  /** What is written next comes from there. */
  place(place: SourcePlace): void {
    this.#places.set(this.#length, place);
  }

  /** Null where what was written is no JSON, which would be a fault of the caller. */
  finish(
    ground: Pick<PlacedDocument, 'sha256' | 'whole' | 'bytes' | 'bytesAt'>,
  ): PlacedDocument | null {
    const parsed = parseJson(this.#parts.join(''));
    if (!parsed.ok) return null;
    return { ...ground, document: parsed.value, places: this.#places };
  }
}
