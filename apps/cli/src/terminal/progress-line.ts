import type { Terminal } from './terminal.ts';
import { counted } from './visible.ts';

/** Below this the rate says nothing yet. */
const MIN_RATE_MS = 500;

interface Progress {
  readonly phase: 'receiving' | 'reading';
  readonly bytes: number;
  readonly records: number;
  readonly steps: number;
}

/** How fast each of the two phases has been: files are taken in and then read, in turns. */
export class PhaseRates {
  readonly #spentMs = { receiving: 0, reading: 0 };
  readonly #doneBytes = { receiving: 0, reading: 0 };
  #phase: Progress['phase'] = 'receiving';
  #sinceMs: number;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  take({ phase, bytes }: Progress, nowMs: number): void {
    // It is told of what was done, so the time before it was spent on that.
    this.#spentMs[phase] += nowMs - this.#sinceMs;
    this.#sinceMs = nowMs;
    this.#phase = phase;
    this.#doneBytes[phase] = Math.max(this.#doneBytes[phase], bytes);
    // What is read has been taken in, also where nobody told of the last of it.
    if (phase === 'reading') {
      this.#doneBytes.receiving = Math.max(this.#doneBytes.receiving, bytes);
    }
  }

  /** The most that was told of each phase: files are read behind those that are taken in, some of them twice. */
  get done(): Pick<ProgressFacts, 'readBytes' | 'takenBytes'> {
    const { receiving, reading } = this.#doneBytes;
    return { readBytes: reading, takenBytes: receiving };
  }

  /** Bytes a second of the phase that is on its way; null where that says nothing yet. */
  get bytesPerSecond(): number | null {
    const perMs = this.#perMs(this.#phase);
    return perMs === null ? null : perMs * 1000;
  }

  /** Until all is taken in and read; null where one of the two is not known yet. */
  remainingMs(totalBytes: number): number | null {
    const receiving = this.#leftMs('receiving', totalBytes);
    const reading = this.#leftMs('reading', totalBytes);
    return receiving === null || reading === null ? null : receiving + reading;
  }

  #leftMs(phase: Progress['phase'], totalBytes: number): number | null {
    const left = Math.max(0, totalBytes - this.#doneBytes[phase]);
    if (left === 0) return 0;
    const perMs = this.#perMs(phase);
    return perMs === null ? null : left / perMs;
  }

  #perMs(phase: Progress['phase']): number | null {
    const [spentMs, bytes] = [this.#spentMs[phase], this.#doneBytes[phase]];
    return spentMs < MIN_RATE_MS || bytes === 0 ? null : bytes / spentMs;
  }
}

/** One line that overwrites itself, only where somebody watches. */
export class ProgressLine {
  readonly #terminal: Terminal;
  readonly #totalBytes: number;
  readonly #totalFiles: number;
  readonly #rates = new PhaseRates(performance.now());
  #doneFiles = 0;
  #shownAtMs = 0;
  #isShown = false;

  /** `totalBytes`: 0 where it is not known. */
  constructor(terminal: Terminal, totalBytes: number, totalFiles = 1) {
    this.#terminal = terminal;
    this.#totalBytes = totalBytes;
    this.#totalFiles = totalFiles;
  }

  show(progress: Progress): void {
    const nowMs = performance.now();
    this.#rates.take(progress, nowMs);
    if (this.#terminal.stderr.isTTY !== true || nowMs - this.#shownAtMs < 100) return;
    this.#shownAtMs = nowMs;
    this.#isShown = true;
    const { bytesPerSecond, done } = this.#rates;
    const words = progressWords(progress, {
      ...done,
      totalBytes: this.#totalBytes,
      bytesPerSecond,
      remainingMs: this.#totalBytes === 0 ? null : this.#rates.remainingMs(this.#totalBytes),
      files: this.#totalFiles > 1 ? { done: this.#doneFiles, total: this.#totalFiles } : null,
    });
    this.#terminal.stderr.write(`\r\x1b[2K${words}`);
  }

  /** What became of one of the files is known. */
  countFile(): void {
    this.#doneFiles += 1;
  }

  clear(): void {
    if (this.#isShown) this.#terminal.stderr.write('\r\x1b[2K');
    this.#isShown = false;
  }
}

export interface ProgressFacts {
  readonly readBytes: number;
  /** Those that are read among them. */
  readonly takenBytes: number;
  /** 0 where it is not known. */
  readonly totalBytes: number;
  /** Of what is done now: taking in and reading have rates of their own. */
  readonly bytesPerSecond: number | null;
  /** Of both together. */
  readonly remainingMs: number | null;
  /** Where there are several. */
  readonly files: { readonly done: number; readonly total: number } | null;
}

/**
 * "12.0 of 100.0 MB read, 14.5 MB taken in, 3 of 40 files, 4310 records, 4310 steps, 8.1 MB/s, 11 s to go". What
 * is read stands first in both phases, so that no number goes back where one follows the other.
 */
export function progressWords(
  { phase, records, steps }: Omit<Progress, 'bytes'>,
  facts: ProgressFacts,
): string {
  const { readBytes, takenBytes, totalBytes, bytesPerSecond, remainingMs, files } = facts;
  const amount =
    totalBytes === 0 ? megabytes(readBytes) : `${tenths(readBytes)} of ${megabytes(totalBytes)}`;
  const words = [`${amount} read`];
  if (takenBytes > readBytes) words.push(`${megabytes(takenBytes)} taken in`);
  if (files !== null) words.push(`${files.done} of ${counted(files.total, 'file')}`);
  if (phase === 'reading') words.push(counted(records, 'record'), counted(steps, 'step'));
  if (phase === 'reading' && totalBytes > 0 && readBytes >= totalBytes) {
    return [...words, 'saving'].join(', ');
  }
  if (bytesPerSecond !== null) words.push(`${megabytes(bytesPerSecond)}/s`);
  if (remainingMs !== null && remainingMs > 0) words.push(`${timeWords(remainingMs)} to go`);
  return words.join(', ');
}

function timeWords(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

function megabytes(bytes: number): string {
  return `${tenths(bytes)} MB`;
}

function tenths(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
