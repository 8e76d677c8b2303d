import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** A folder with more entries than that is told as cut, not read to its end. */
export const MOST_ENTRIES = 200_000;
const MOST_LEVELS = 16;

export interface RecordingFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** The same as long as it is the same file under this name. */
  readonly inode: number;
}

export interface RecordingList {
  /** In the order of their paths. */
  readonly files: readonly RecordingFile[];
  /** Folders looked into, the root first. */
  readonly folders: readonly string[];
  /** False where the root itself is not there. */
  readonly exists: boolean;
  readonly unreadable: number;
  readonly links: number;
  /** True where the bound was reached: there may be more. */
  readonly isCut: boolean;
}

/**
 * The recordings below a folder, without opening one of them. Links are counted and not followed:
 * they may lead anywhere.
 */
export async function listRecordings(
  root: string,
  isRecording: (pathBelow: string) => boolean,
  options: { readonly signal?: AbortSignal; readonly mostEntries?: number } = {},
): Promise<RecordingList> {
  const { signal, mostEntries = MOST_ENTRIES } = options;
  const files: RecordingFile[] = [];
  const folders: string[] = [];
  const counts = { unreadable: 0, links: 0, entries: 0 };
  let exists = true;
  let isCut = false;
  const pending = [{ folder: root, level: 0 }];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    signal?.throwIfAborted();
    const { folder, level } = at;
    let entries: Dirent[];
    try {
      entries = await readdir(folder, { withFileTypes: true });
    } catch (error) {
      if (level === 0 && isAbsent(error)) exists = false;
      else if (!isAbsent(error)) counts.unreadable += 1;
      continue;
    }
    folders.push(folder);
    for (const entry of entries) {
      counts.entries += 1;
      if (counts.entries > mostEntries) {
        isCut = true;
        break;
      }
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) counts.links += 1;
      else if (entry.isDirectory()) {
        if (level < MOST_LEVELS) pending.push({ folder: path, level: level + 1 });
        else isCut = true;
      } else if (entry.isFile() && isRecording(relative(root, path).split(sep).join('/'))) {
        const file = await look(path);
        if (file === null) counts.unreadable += 1;
        else files.push(file);
      }
    }
    if (counts.entries > mostEntries) break;
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const { unreadable, links } = counts;
  return { files, folders, exists, unreadable, links, isCut };
}

async function look(path: string): Promise<RecordingFile | null> {
  try {
    const { size, mtimeMs, ino } = await lstat(path);
    return { path, sizeBytes: size, modifiedMs: mtimeMs, inode: ino };
  } catch {
    return null;
  }
}

function isAbsent(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ENOENT' || error.code === 'ENOTDIR';
}
