import { parseLooseJsonBytes } from '@misstep/json';
import type { Origin } from '@misstep/model';
import type { SourceReader } from './importer.ts';
import { JsonView } from './json-view.ts';
import { ownText } from './own-text.ts';

/** Read at once where records are wanted one after the other; elsewhere only what is wanted. */
const AHEAD_BYTES = 1024 * 1024;
/** As far behind the last one a record counts as the next one. */
const NEAR_BYTES = 64 * 1024;
const CHUNKS_AT_HAND = 4;
/** Texts that many records share are kept once; the many others are not looked up for ever. */
const MOST_SHARED = 10_000;

/** Gives a value that was read before, by where it stands. One for many values. */
export type Recall = (place: Origin) => Promise<JsonView>;

export type KeptRecord = () => Promise<JsonView>;

/** Apart from the view, so that it holds on to none. */
function keptAt(recall: Recall, place: Origin): KeptRecord {
  return () => recall(place);
}

/** Reads again what was read of a record before. */
export async function rereading<Read>(
  recall: Recall,
  place: Origin,
  read: (record: JsonView) => Read | null,
): Promise<Read> {
  const found = read(await recall(place));
  if (found === null) throw new Error(CHANGED);
  return found;
}

function holding(view: JsonView): Recall {
  return () => Promise.resolve(view);
}

const CHANGED = 'the source is no longer what it was';

export interface Chunk {
  readonly reader: SourceReader;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/**
 * Records of a source that are read again when they are looked at, so that what they hold needn't
 * stay in memory between one look and the next.
 */
export class SourceRecords {
  readonly #reader: SourceReader;
  readonly #chunks: Chunk[];
  readonly #shared = new Map<string, string>();
  #lastEnd = -1;

  /** Where the source begins among all sources of the reading; see SourcePlaces. */
  readonly base: number;

  /** `chunks`: what several sources of one reading have at hand together. */
  constructor(reader: SourceReader, base = 0, chunks: Chunk[] = []) {
    this.#reader = reader;
    this.#chunks = chunks;
    this.base = base;
  }

  /** How to come by this value again. What has no bytes of its own as JSON stays in memory. */
  recallOf(view: JsonView): Recall {
    const isThere = !view.isInner && view.origin.sha256 === this.#reader.sha256;
    return isThere ? this.recall : holding(view);
  }

  /** The record, to be looked at later. */
  keep(view: JsonView): KeptRecord {
    const { pointer, ...place } = view.origin;
    return keptAt(this.recallOf(view), { ...place, pointer: this.share(pointer) });
  }

  readonly recall: Recall = async ({ sha256, offset, length, pointer }) => {
    const parsed = parseLooseJsonBytes(await this.bytes(offset, length));
    if (!parsed.ok) throw new Error(CHANGED);
    const ground = { kind: 'bytes' as const, document: parsed.value, sha256, offset };
    return new JsonView(ground, parsed.value.root, pointer);
  };

  /** The same text, kept by itself and, where it was seen before, once. */
  share(text: string): string {
    const known = this.#shared.get(text);
    if (known !== undefined) return known;
    if (this.#shared.size >= MOST_SHARED) this.#shared.clear();
    const own = ownText(text);
    this.#shared.set(own, own);
    return own;
  }

  async bytes(offset: number, length: number): Promise<Uint8Array> {
    const isNext = offset >= this.#lastEnd - AHEAD_BYTES && offset <= this.#lastEnd + NEAR_BYTES;
    this.#lastEnd = offset + length;
    const found = this.#chunks.find(
      (chunk) =>
        chunk.reader === this.#reader &&
        chunk.offset <= offset &&
        offset + length <= chunk.offset + chunk.bytes.length,
    );
    if (found !== undefined) return found.bytes.subarray(offset - found.offset).subarray(0, length);
    if (!isNext || length > AHEAD_BYTES) return this.#reader.read(offset, length);
    const left = this.#reader.sizeBytes - offset;
    const bytes = await this.#reader.read(offset, Math.min(AHEAD_BYTES, left));
    if (this.#chunks.push({ reader: this.#reader, offset, bytes }) > CHUNKS_AT_HAND)
      this.#chunks.shift();
    return bytes.subarray(0, length);
  }
}
