import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import type { PageStore } from '@misstep/importers';

/**
 * Pages of one reading in a file that is made with the first of them. Its name goes at once where
 * the system allows that for an open file, so that a killed process leaves nothing; else it goes
 * with `close`, or at the next start of the app.
 */
export class SpillFile implements PageStore {
  readonly #path: string;
  #file: number | null = null;
  readonly #offsets: number[] = [0];
  #buffer = new Uint8Array(65_536);

  /** Nothing may stand at `path`. */
  constructor(path: string) {
    this.#path = path;
  }

  put(bytes: Uint8Array): number {
    this.#file ??= this.#open();
    const number = this.#offsets.length - 1;
    const offset = this.#offsets[number] ?? 0;
    for (let written = 0; written < bytes.length; ) {
      const rest = bytes.length - written;
      written += writeSync(this.#file, bytes, written, rest, offset + written);
    }
    this.#offsets.push(offset + bytes.length);
    return number;
  }

  get(number: number): Uint8Array {
    const from = this.#offsets[number];
    const to = this.#offsets[number + 1];
    if (this.#file === null || from === undefined || to === undefined) {
      throw new Error(`the spill file has no page ${number}`);
    }
    if (this.#buffer.length < to - from) this.#buffer = new Uint8Array((to - from) * 2);
    const bytes = this.#buffer.subarray(0, to - from);
    for (let filled = 0; filled < bytes.length; ) {
      const rest = bytes.length - filled;
      const read = readSync(this.#file, bytes, filled, rest, from + filled);
      if (read === 0) throw new Error('the spill file ends early');
      filled += read;
    }
    return bytes;
  }

  close(): void {
    if (this.#file === null) return;
    closeSync(this.#file);
    this.#file = null;
    rmSync(this.#path, { force: true });
  }

  #open(): number {
    const file = openSync(this.#path, 'wx+', 0o600);
    try {
      rmSync(this.#path);
    } catch {
      // Windows may refuse it while the file is open.
    }
    return file;
  }
}
