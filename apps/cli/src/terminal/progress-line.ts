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

/** One line that overwrites itself, only where somebody watches. */
export class ProgressLine {
  readonly #terminal: Terminal;
  readonly #totalBytes: number;
  readonly #startedMs = performance.now();
  #shownAtMs = 0;
  #isShown = false;

  /** `totalBytes`: 0 where it is not known. */
  constructor(terminal: Terminal, totalBytes: number) {
    this.#terminal = terminal;
    this.#totalBytes = totalBytes;
  }

  show(progress: Progress): void {
    const nowMs = performance.now();
    if (this.#terminal.stderr.isTTY !== true || nowMs - this.#shownAtMs < 100) return;
    this.#shownAtMs = nowMs;
    this.#isShown = true;
    const words = progressWords(progress, this.#totalBytes, nowMs - this.#startedMs);
    this.#terminal.stderr.write(`\r\x1b[2K${words}`);
  }

  clear(): void {
    if (this.#isShown) this.#terminal.stderr.write('\r\x1b[2K');
    this.#isShown = false;
  }
}

/** "12.0 of 100.0 MB read, 4,310 records, 4,310 steps, 8.1 MB/s, 11 s to go". */
export function progressWords(progress: Progress, totalBytes: number, elapsedMs: number): string {
  const { phase, bytes, records, steps } = progress;
  const amount =
    totalBytes === 0 ? megabytes(bytes) : `${tenths(bytes)} of ${megabytes(totalBytes)}`;
  if (phase === 'receiving') return `${amount} taken in`;
  if (totalBytes > 0 && bytes >= totalBytes) {
    return `${amount} read, ${counted(records, 'record')}, ${counted(steps, 'step')}, saving`;
  }
  const words = [`${amount} read`, counted(records, 'record'), counted(steps, 'step')];
  if (elapsedMs >= MIN_RATE_MS && bytes > 0) {
    words.push(`${megabytes((bytes / elapsedMs) * 1000)}/s`);
    const leftMs = (elapsedMs / bytes) * (totalBytes - bytes);
    if (leftMs > 0) words.push(`${Math.ceil(leftMs / 1000)} s to go`);
  }
  return words.join(', ');
}

function megabytes(bytes: number): string {
  return `${tenths(bytes)} MB`;
}

function tenths(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
