import type { SourceHash } from '@misstep/model';
import type { Store } from '@misstep/store';

const BLOCK_BYTES = 1_048_576;
const MAX_BLOCKS = 16;
/** Larger pieces are read by themselves: they would push everything else out. */
const MAX_PIECE_BYTES = 262_144;

/**
 * Reads small pieces of sources through a few large blocks. A run has a value every few hundred
 * bytes, and opening its file for each would take longer than everything else together.
 */
export class SourceBlocks {
  readonly #store: Pick<Store, 'readSource'>;
  readonly #blocks = new Map<string, Promise<Uint8Array>>();

  constructor(store: Pick<Store, 'readSource'>) {
    this.#store = store;
  }

  async read(sha256: SourceHash, offset: number, length: number): Promise<Uint8Array> {
    if (length > MAX_PIECE_BYTES) return this.#store.readSource(sha256, offset, length);
    const first = Math.floor(offset / BLOCK_BYTES);
    const start = offset - first * BLOCK_BYTES;
    const block = await this.#block(sha256, first);
    if (start + length <= BLOCK_BYTES) return block.subarray(start, start + length);
    const next = await this.#block(sha256, first + 1);
    return Buffer.concat([block.subarray(start), next.subarray(0, start + length - BLOCK_BYTES)]);
  }

  #block(sha256: SourceHash, index: number): Promise<Uint8Array> {
    const key = `${sha256} ${index}`;
    const known = this.#blocks.get(key);
    const block = known ?? this.#store.readSource(sha256, index * BLOCK_BYTES, BLOCK_BYTES);
    // Put last again: the first of a map is then the one that was used longest ago.
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    if (known === undefined) block.catch(() => this.#blocks.delete(key));
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > MAX_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest);
    return block;
  }
}
