import { MisstepError } from '@misstep/model';

/** Below this any ratio is harmless. */
const FREE_BYTES = 64 * 1024 * 1024;
/** Logs of repeated text compress 50 to 100 times; a file made to do harm a thousand times. */
const MAX_RATIO = 250;
const MAX_BYTES = 4 * 1024 * 1024 * 1024;
export const MAX_ENTRIES = 20_000;
export const MAX_DEPTH = 3;

/** What one given file may unpack to, with everything that is nested in it. */
export class UnpackBudget {
  readonly #path: string;
  readonly #limitBytes: number;
  readonly #givenBytes: number;
  #usedBytes = 0;

  constructor(path: string, givenBytes: number) {
    this.#path = path;
    this.#givenBytes = givenBytes;
    this.#limitBytes = Math.min(MAX_BYTES, Math.max(FREE_BYTES, givenBytes * MAX_RATIO));
  }

  /** IMPORT_UNREADABLE once more is unpacked than the file may hold. */
  take(sizeBytes: number): void {
    this.#usedBytes += sizeBytes;
    if (this.#usedBytes <= this.#limitBytes) return;
    throw new MisstepError(
      'IMPORT_UNREADABLE',
      `${this.#path} unpacks to more than ${this.#limitBytes} bytes from ${this.#givenBytes}, as files do that are made to fill a disk; nothing of it was kept.`,
      { limitBytes: this.#limitBytes, sizeBytes: this.#givenBytes },
      { hint: 'If you trust it, unpack it yourself and import its files.' },
    );
  }
}
