import { unitOfPath } from '@misstep/importers';
import type { Store, StoredSource } from '@misstep/store';
import { isNoRoom } from './no-room.ts';
import { explainUnreadable, failedOutcome, type SourceOutcome } from './outcome.ts';
import { receiveSource } from './receive-source.ts';

export interface ImportInputFile {
  /** As the person named it. */
  readonly path: string;
  /** As it was when it was listed; only for the progress. */
  readonly sizeBytes?: number;
  /** What its source is called; the last part of the path if not given. */
  readonly name?: string;
  open(): AsyncIterable<Uint8Array>;
}

/** Many small files are taken in and read in turns, so that neither disk nor memory holds all twice. */
const FILES_AT_ONCE = 1000;
const BYTES_AT_ONCE = 512 * 1024 * 1024;

/** What stands together (a database and its log) comes in one chunk, however large. */
export function* inChunks(
  files: readonly ImportInputFile[],
): Generator<readonly ImportInputFile[]> {
  const units = new Map<string, ImportInputFile[]>();
  for (const file of files) {
    const unit = unitOfPath(file.path);
    const known = units.get(unit);
    if (known === undefined) units.set(unit, [file]);
    else known.push(file);
  }
  let chunk: ImportInputFile[] = [];
  let bytes = 0;
  for (const unit of units.values()) {
    const size = unit.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0);
    const isFull = chunk.length + unit.length > FILES_AT_ONCE || bytes + size > BYTES_AT_ONCE;
    if (chunk.length > 0 && isFull) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    for (const file of unit) chunk.push(file);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}

/** Each waits for the disk several times, which keeps neither the processor nor the others busy. */
const TAKEN_IN_AT_ONCE = 24;

/** Takes files in; one that can't be read is told and leaves the others alone. */
export async function receiveChunk(
  store: Store,
  files: readonly ImportInputFile[],
  options: {
    readonly signal: AbortSignal;
    readonly onBytes: (bytes: number) => void;
    /** Each source as it is stored: also where a later file ends it all. */
    readonly onSource: (source: StoredSource) => void;
    readonly onOutcome: (outcome: SourceOutcome) => void;
  },
): Promise<{ path: string; source: StoredSource }[]> {
  const { signal, onBytes, onSource, onOutcome } = options;
  const received: ({ path: string; source: StoredSource } | null)[] = files.map(() => null);
  let receivedBytes = 0;
  let next = 0;
  /** What found no room beside others that came at the same time. */
  const crowdedOut: number[] = [];
  const takeIn = async (file: ImportInputFile, index: number, isAgain = false): Promise<void> => {
    let ownBytes = 0;
    try {
      const source = await receiveSource(store, file.name ?? baseName(file.path), file.open(), {
        signal,
        keepsSmall: true,
        onBytes: (bytes) => {
          receivedBytes += bytes - ownBytes;
          ownBytes = bytes;
          onBytes(receivedBytes);
        },
      });
      onSource(source);
      received[index] = { path: file.path, source };
    } catch (error) {
      signal.throwIfAborted();
      receivedBytes -= ownBytes;
      if (isNoRoom(error) && !isAgain) {
        crowdedOut.push(index);
        return;
      }
      onOutcome(failedOutcome(file.path, null, explainUnreadable(file.path, error)));
    }
  };
  const takeTurns = async (): Promise<void> => {
    for (let file = files[next]; file !== undefined; file = files[next]) {
      next += 1;
      await takeIn(file, next - 1);
    }
  };
  const turns = Array.from({ length: TAKEN_IN_AT_ONCE }, takeTurns);
  // Also where one has failed, the others are waited for: nothing goes on behind the caller's back.
  await Promise.allSettled(turns);
  await Promise.all(turns);
  // One that doesn't fit has given back by now what it took: the small ones first, each by itself.
  const sizeOf = (index: number): number => files[index]?.sizeBytes ?? 0;
  for (const index of crowdedOut.sort((a, b) => sizeOf(a) - sizeOf(b))) {
    const file = files[index];
    if (file !== undefined) await takeIn(file, index, true);
  }
  return received.filter((each) => each !== null);
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) || path;
}
