import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MisstepError, type SourceHash } from '@misstep/model';
import { onFileSystem } from './data-folder.ts';
import { errorCode } from './failure.ts';
import { layout } from './layout.ts';
import { makeFolder } from './make-folder.ts';
import { ownProcessToken } from './process-token.ts';
import type { SourceClaims } from './source-claims.ts';
import { HeadHash } from './source-head.ts';
import type { SourceWriter, StoredSource } from './store.ts';

/** Writes to incoming/ and hashes on the way; `finish` puts the file in its place. */
export async function createSourceWriter(
  claims: SourceClaims,
  dataFolder: string,
  name: string,
): Promise<SourceWriter> {
  const random = randomBytes(8).toString('hex');
  const incomingPath = join(layout.incoming(dataFolder), `${ownProcessToken()}.${random}`);
  const file = await onFileSystem(dataFolder, () => open(incomingPath, 'wx', 0o600));
  const hash = new HeadHash();
  let state: 'open' | 'finished' | 'aborted' = 'open';

  async function abort(): Promise<void> {
    if (state !== 'open') return;
    state = 'aborted';
    await file.close().catch(() => undefined);
    await rm(incomingPath, { force: true });
  }

  /** An upload that failed takes no room from what comes next. */
  async function orAbort<T>(work: () => Promise<T>): Promise<T> {
    if (state !== 'open') throw new MisstepError('INTERNAL', `The upload of ${name} is ${state}.`);
    try {
      return await onFileSystem(dataFolder, work);
    } catch (error) {
      await abort();
      throw error;
    }
  }

  return {
    write: (chunk) =>
      orAbort(async () => {
        hash.update(chunk);
        for (let written = 0; written < chunk.length; ) {
          const { bytesWritten } = await file.write(chunk, written, chunk.length - written);
          written += bytesWritten;
        }
      }),
    finish: () =>
      orAbort(async () => {
        const { sha256, sizeBytes, head, opening } = hash.finish();
        const importedAt = new Date().toISOString();
        const source: StoredSource = { sha256, name, sizeBytes, importedAt };
        // The row comes first: a file without one would never be swept, and one with a claim never is.
        const stored = await claims.claim({ source, head, opening });
        if (await isInPlace(dataFolder, sha256, sizeBytes)) {
          // Whoever put it there has flushed it.
          await file.close();
          await rm(incomingPath, { force: true });
        } else {
          await file.sync();
          await file.close();
          await putInPlace(dataFolder, incomingPath, sha256);
        }
        state = 'finished';
        return stored;
      }),
    abort,
  };
}

async function isInPlace(
  dataFolder: string,
  sha256: SourceHash,
  sizeBytes: number,
): Promise<boolean> {
  const path = layout.source(dataFolder, sha256);
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile() || found.size !== sizeBytes) return false;
  // One that was damaged where it stands is put in place anew.
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576 })) {
    hash.update(chunk);
  }
  return hash.digest('hex') === sha256;
}

/** Renamed over the same bytes if they are there: a sweep in another process can't win the race. */
async function putInPlace(
  dataFolder: string,
  incomingPath: string,
  sha256: SourceHash,
): Promise<void> {
  const path = layout.source(dataFolder, sha256);
  const folder = dirname(path);
  // There are 256 of them, and most are there: they are made when one is missing.
  const isThere = await rename(incomingPath, path).then(
    () => true,
    (error: unknown) => {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
  if (!isThere) {
    await makeFolder(folder, 0o700);
    await rename(incomingPath, path);
  }
  await syncFolder(folder);
  if (!isThere) await syncFolder(layout.sources(dataFolder));
}

/** A rename survives a power cut only when the folder itself was flushed. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (error) {
    // Some file systems and Windows can't flush a folder; there is nothing more to be done then.
    if (!['EINVAL', 'EPERM', 'EISDIR'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    await folder.close();
  }
}

/** Fewer bytes than asked for at the end of the source. SOURCE_NOT_FOUND. */
export async function readSourceBytes(
  dataFolder: string,
  sha256: SourceHash,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const path = layout.source(dataFolder, sha256);
  return await onFileSystem(dataFolder, async () => {
    const file = await open(path, 'r').catch((error: unknown) => {
      throw errorCode(error) === 'ENOENT' ? sourceNotFound(sha256) : error;
    });
    try {
      const { size } = await file.stat();
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      let read = 0;
      while (read < bytes.length) {
        const { bytesRead } = await file.read(bytes, read, bytes.length - read, offset + read);
        if (bytesRead === 0) break;
        read += bytesRead;
      }
      return bytes.subarray(0, read);
    } finally {
      await file.close();
    }
  });
}

export function sourceNotFound(sha256: SourceHash): MisstepError {
  return new MisstepError('SOURCE_NOT_FOUND', `The source ${sha256} isn't in the data folder.`, {
    sha256,
  });
}
