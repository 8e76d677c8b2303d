import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode } from './failure.ts';

/**
 * Makes a folder and those above it that are missing, as Node's own recursive mkdir does; but that one
 * never ends where a file system has no such folder and takes none either, as /proc.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const missing: string[] = [];
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const code = await makeOne(folder, mode);
    if (code === null) break;
    if (code !== 'ENOENT' || folder === dirname(folder) || (await isFolder(dirname(folder)))) {
      throw refused(folder, code);
    }
    missing.unshift(folder);
  }
  for (const folder of missing) {
    const code = await makeOne(folder, mode);
    if (code !== null) throw refused(folder, code);
  }
}

/** Null where it is there now, else the system's code. */
async function makeOne(folder: string, mode: number): Promise<string | null> {
  try {
    await mkdir(folder, { mode });
    return null;
  } catch (error) {
    // A drive or a disk that is read-only may refuse a folder that it has.
    if (await isFolder(folder)) return null;
    const code = errorCode(error);
    if (code === null) throw error;
    return code;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (about) => about.isDirectory(),
    () => false,
  );
}

function refused(folder: string, code: string): Error {
  return Object.assign(new Error(`${code}: ${folder} can't be made`), { code, path: folder });
}
