import { isUtf8 } from 'node:buffer';
import { createReadStream, type Dirent, type Stats } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import type { Readable } from 'node:stream';
import { MisstepError } from '@misstep/model';
import type { ImportInputFile } from '@misstep/server';
import { codeOf } from './file-trouble.ts';

export interface CollectListener {
  /** Of what lies in a folder and is not given. */
  readonly onSkipped: (path: string, why: string) => void;
  /** Of a given folder of which nothing is given. */
  readonly onEmpty: (folder: string) => void;
}

/**
 * The files that the given paths mean: files as they are, directories with everything below them
 * in the order of names, `-` for standard input. Links inside a directory are followed only where
 * they stay inside it. What can't be looked at is still given: reading it says why not. Names are
 * bytes: one that is no UTF-8 is read like any other, and shown with its bytes escaped.
 */
export async function collectFiles(
  paths: readonly string[],
  stdin: Readable,
  signal: AbortSignal,
  { onSkipped, onEmpty }: CollectListener,
): Promise<ImportInputFile[]> {
  const files: ImportInputFile[] = [];
  for (const path of paths) {
    if (path === '-') {
      files.push({ path, name: 'standard input', open: () => until(signal, stdin) });
      continue;
    }
    const bytes = Buffer.from(path);
    const kind = await stat(bytes).catch(codeOf);
    const refusal = refusalOf(kind);
    if (typeof kind !== 'string' && kind.isDirectory()) {
      const listed = await listFolder(bytes, onSkipped);
      if (listed.length === 0) onEmpty(shownPath(bytes));
      for (const each of listed) files.push(each);
    } else files.push(refusal === null ? fileAt(bytes, sizeOf(kind)) : failedAt(bytes, refusal));
  }
  return files;
}

/** Opening a pipe or a device may wait for ever, and nothing could interrupt it. */
function refusalOf(kind: Stats | string): MisstepError | null {
  if (kind === 'ENOENT' || kind === 'ENOTDIR') {
    return new MisstepError(
      'IMPORT_UNREADABLE',
      'The file does not exist.',
      { code: kind },
      { hint: 'Check the path.' },
    );
  }
  if (typeof kind === 'string' || kind.isFile() || kind.isDirectory()) return null;
  return new MisstepError(
    'IMPORT_UNREADABLE',
    `It is ${nameOf(kind)}, neither a file nor a folder.`,
    {},
    { hint: 'Give - to read standard input.' },
  );
}

function nameOf(kind: Stats): string {
  if (kind.isFIFO()) return 'a named pipe';
  if (kind.isSocket()) return 'a socket';
  return 'a device';
}

/** A stream that nobody writes to any more would wait for ever. */
function until(signal: AbortSignal, stream: Readable): Readable {
  signal.addEventListener('abort', () => stream.destroy(), { once: true });
  return stream;
}

function sizeOf(kind: Stats | string): number {
  return typeof kind === 'string' ? 0 : kind.size;
}

function fileAt(path: Buffer, sizeBytes: number): ImportInputFile {
  return {
    path: shownPath(path),
    sizeBytes,
    open: () =>
      sizeBytes > CHUNK_BYTES
        ? inOneBuffer(path)
        : createReadStream(path, { highWaterMark: CHUNK_BYTES }),
  };
}

const CHUNK_BYTES = 1_048_576;

/** A stream makes a buffer for each chunk, of which dozens stay until somebody looks for garbage. Each chunk is good until the next. */
async function* inOneBuffer(path: Buffer): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** A file or folder that couldn't even be looked at: fails with that reason when it is its turn. */
function failedAt(path: Buffer, error: unknown): ImportInputFile {
  return {
    path: shownPath(path),
    // biome-ignore lint/correctness/useYield: it fails before there is anything to give.
    async *open() {
      throw error;
    },
  };
}

/** UTF-8 as it is; in a name that is none every byte beyond ASCII becomes `\\xe9`. */
function shownPath(path: Buffer): string {
  if (isUtf8(path)) return path.toString();
  return path
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
}

async function listFolder(
  root: Buffer,
  onSkipped: (path: string, why: string) => void,
): Promise<ImportInputFile[]> {
  const found: { readonly path: Buffer; readonly file: ImportInputFile }[] = [];
  const seenFolders = new Set<string>();
  const pending = [root];
  let realRoot: Buffer | null = null;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    let entries: Dirent<Buffer>[];
    try {
      const realFolder = await realpath(folder, { encoding: 'buffer' });
      realRoot ??= realFolder;
      if (seenFolders.has(realFolder.toString('latin1'))) continue;
      seenFolders.add(realFolder.toString('latin1'));
      entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
    } catch (error) {
      found.push({ path: folder, file: failedAt(folder, error) });
      continue;
    }
    for (const entry of entries) {
      const path = below(folder, entry.name);
      try {
        if (entry.isSymbolicLink() && !(await leadsInside(path, realRoot))) {
          onSkipped(shownPath(path), 'it leads outside the folder');
          continue;
        }
        const kind = await stat(path);
        if (kind.isDirectory()) pending.push(path);
        else if (kind.isFile()) found.push({ path, file: fileAt(path, kind.size) });
        else onSkipped(shownPath(path), 'it is no file');
      } catch (error) {
        found.push({ path, file: failedAt(path, error) });
      }
    }
  }
  return found.sort((a, b) => Buffer.compare(a.path, b.path)).map(({ file }) => file);
}

const SEPARATOR = Buffer.from(sep);

function below(folder: Buffer, name: Buffer): Buffer {
  const ends = folder.subarray(-SEPARATOR.length).equals(SEPARATOR);
  return Buffer.concat(ends ? [folder, name] : [folder, SEPARATOR, name]);
}

/** Throws where the link leads nowhere. */
async function leadsInside(path: Buffer, realRoot: Buffer): Promise<boolean> {
  const target = await realpath(path, { encoding: 'buffer' });
  const inside = below(realRoot, Buffer.alloc(0));
  return target.equals(realRoot) || target.subarray(0, inside.length).equals(inside);
}
