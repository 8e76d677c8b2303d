import type { Stats } from 'node:fs';
import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { MisstepError } from '@misstep/model';
import type { ImportInputFile } from '@misstep/server';

/**
 * The files that the given paths mean: files as they are, directories with everything below them
 * in the order of names, `-` for standard input. Links inside a directory are followed only where
 * they stay inside it. A path that doesn't exist, or that is neither file nor
 * folder, is still given: reading it says why not.
 */
export async function collectFiles(
  paths: readonly string[],
  stdin: Readable,
  signal: AbortSignal,
  onSkipped: (path: string, why: string) => void,
): Promise<ImportInputFile[]> {
  const files: ImportInputFile[] = [];
  for (const path of paths) {
    if (path === '-') {
      files.push({ path, name: 'standard input', open: () => until(signal, stdin) });
      continue;
    }
    const kind = await stat(path).catch(codeOf);
    if (typeof kind === 'string' || !kind.isDirectory()) {
      const refusal = refusalOf(kind);
      files.push(refusal === null ? fileAt(path) : refusedAt(path, refusal));
      continue;
    }
    for (const each of await listFolder(path, onSkipped)) files.push(fileAt(each));
  }
  return files;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
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
  if (typeof kind === 'string' || kind.isFile()) return null;
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

function refusedAt(path: string, refusal: MisstepError): ImportInputFile {
  return {
    path,
    open() {
      throw refusal;
    },
  };
}

/** A stream that nobody writes to any more would wait for ever. */
function until(signal: AbortSignal, stream: Readable): Readable {
  signal.addEventListener('abort', () => stream.destroy(), { once: true });
  return stream;
}

function fileAt(path: string): ImportInputFile {
  return { path, open: () => createReadStream(path, { highWaterMark: 1_048_576 }) };
}

async function listFolder(
  root: string,
  onSkipped: (path: string, why: string) => void,
): Promise<string[]> {
  const realRoot = await realpath(root);
  const seenFolders = new Set<string>();
  const found: string[] = [];
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const realFolder = await realpath(folder);
    if (seenFolders.has(realFolder)) continue;
    seenFolders.add(realFolder);
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink() && !(await leadsInside(path, realRoot))) {
        onSkipped(path, 'it leads outside the folder');
        continue;
      }
      const kind = await stat(path).catch(() => null);
      if (kind?.isDirectory() === true) pending.push(path);
      else if (kind?.isFile() === true) found.push(path);
      else onSkipped(path, 'it is no file');
    }
  }
  return found.sort();
}

async function leadsInside(path: string, realRoot: string): Promise<boolean> {
  const target = await realpath(path).catch(() => null);
  if (target === null) return false;
  const way = relative(realRoot, target);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
