import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { unitOfPath } from '@misstep/importers';
import type { FollowedFile } from '@misstep/store';
import { listRecordings, type RecordingFile, type RecordingList } from '../find/list-recordings.ts';

/** Folders that the system is asked to report on; in further ones changes are seen by looking. */
const MOST_WATCHED = 500;
const MOST_AT_ONCE = 200;

export interface WatchTimes {
  /** A file that has not changed for that long is read. */
  readonly settleMs: number;
  /** One that keeps changing is read that often all the same. */
  readonly longestMs: number;
  /** The folder is looked through that often, since the system may report nothing. */
  readonly rescanMs: number;
}

export const WATCH_TIMES: WatchTimes = { settleMs: 1500, longestMs: 15_000, rescanMs: 30_000 };

export interface ChangedFile {
  readonly file: RecordingFile;
  /** As it was when it was read last; null = it is new. */
  readonly before: FollowedFile | null;
}

export interface FolderWatchOptions {
  readonly root: string;
  readonly isRecording: (pathBelow: string) => boolean;
  readonly known: readonly FollowedFile[];
  /** Reads changed files and tells what to keep of each; a failure of all of them is thrown. */
  readonly onChanged: (changed: readonly ChangedFile[]) => Promise<readonly FollowedFile[]>;
  readonly onLooked?: (list: RecordingList) => void;
  readonly onError: (error: unknown) => void;
  /** Told when the folder that was there goes, and when it is back. */
  readonly onPresence?: (isThere: boolean) => void;
  readonly times?: WatchTimes;
}

/** Tells of new, grown and replaced files of a folder once they have settled. */
export class FolderWatch {
  readonly #options: FolderWatchOptions;
  readonly #times: WatchTimes;
  readonly #known: Map<string, FollowedFile>;
  readonly #changing = new Map<
    string,
    { size: number; atMs: number; lastMs: number; sinceMs: number }
  >();
  readonly #watchers = new Map<string, { watcher: FSWatcher; identity: string }>();
  #timer: NodeJS.Timeout | null = null;
  #dueMs = Number.POSITIVE_INFINITY;
  #looking: Promise<void> | null = null;
  #isClosed = false;
  /** Null = nobody has looked yet. */
  #isThere: boolean | null = null;

  constructor(options: FolderWatchOptions) {
    this.#options = options;
    this.#times = options.times ?? WATCH_TIMES;
    this.#known = new Map(options.known.map((file) => [file.path, file]));
  }

  /** Looks through the folder; resolves when what had settled is read. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce()
      .catch((error: unknown) => {
        if (this.#isClosed) return;
        this.#options.onError(error);
        this.#lookIn(this.#times.rescanMs);
      })
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const folder of [...this.#watchers.keys()]) this.#unwatch(folder);
    await this.#looking;
  }

  async #lookOnce(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#dueMs = Number.POSITIVE_INFINITY;
    const { root, isRecording, onLooked } = this.#options;
    const list = await listRecordings(root, isRecording);
    if (this.#isClosed) return;
    onLooked?.(list);
    const wentAway = this.#notePresence(list.exists);
    await this.#watchAll(list.folders);
    const due = this.#withUnits(this.#settled(list.files), list.files);
    for (let at = 0, end = 0; at < due.length && !this.#isClosed; at = end) {
      end = Math.min(due.length, at + MOST_AT_ONCE);
      while (end < due.length && unitAt(due, end) === unitAt(due, end - 1)) end += 1;
      for (const file of await this.#options.onChanged(due.slice(at, end))) {
        this.#known.set(file.path, file);
      }
    }
    // Nothing reports that a folder is back.
    const isSoon = this.#changing.size > 0 || wentAway;
    this.#lookIn(isSoon ? this.#times.settleMs : this.#times.rescanMs);
  }

  /** True while the folder is gone that was there once. */
  #notePresence(isThere: boolean): boolean {
    const before = this.#isThere;
    // One that was never there is waited for without haste.
    if (before === null && !isThere) return false;
    this.#isThere = isThere;
    if (before !== null && before !== isThere) this.#options.onPresence?.(isThere);
    return !isThere;
  }

  #settled(files: readonly RecordingFile[]): ChangedFile[] {
    const nowMs = performance.now();
    const due: ChangedFile[] = [];
    const there = new Set<string>();
    for (const file of files) {
      const { path, sizeBytes, modifiedMs, inode } = file;
      there.add(path);
      const before = this.#known.get(path) ?? null;
      const isSame =
        before !== null &&
        before.sizeBytes === sizeBytes &&
        before.modifiedMs === modifiedMs &&
        before.inode === String(inode);
      if (isSame) {
        this.#changing.delete(path);
        continue;
      }
      const seen = this.#changing.get(path);
      const isStill = seen !== undefined && seen.size === sizeBytes && seen.lastMs === modifiedMs;
      const sinceMs = seen?.sinceMs ?? nowMs;
      const atMs = isStill ? seen.atMs : nowMs;
      const { settleMs, longestMs } = this.#times;
      if (nowMs - atMs >= settleMs || nowMs - sinceMs >= longestMs) {
        due.push({ file, before });
        this.#changing.delete(path);
      } else this.#changing.set(path, { size: sizeBytes, atMs, lastMs: modifiedMs, sinceMs });
    }
    for (const path of this.#changing.keys()) if (!there.has(path)) this.#changing.delete(path);
    return due;
  }

  /** What stands together is read together: where one of them changed, the others come along. */
  #withUnits(due: readonly ChangedFile[], files: readonly RecordingFile[]): ChangedFile[] {
    const units = new Set(due.map(({ file }) => unitOfPath(file.path)));
    const changed = new Set(due.map(({ file }) => file.path));
    const along = files
      .filter(({ path }) => !changed.has(path) && units.has(unitOfPath(path)))
      .map((file) => ({ file, before: this.#known.get(file.path) ?? null }));
    return [...due, ...along].sort((a, b) =>
      unitOfPath(a.file.path) < unitOfPath(b.file.path) ? -1 : 1,
    );
  }

  /** A watcher stays with the folder that it was made for, also where another has taken its name. */
  async #watchAll(folders: readonly string[]): Promise<void> {
    const wanted = new Map<string, string>();
    for (const folder of folders.slice(0, MOST_WATCHED)) {
      const identity = await identityOf(folder);
      if (identity !== null) wanted.set(folder, identity);
    }
    for (const [folder, { identity }] of this.#watchers) {
      if (wanted.get(folder) !== identity) this.#unwatch(folder);
    }
    for (const [folder, identity] of wanted) {
      if (this.#isClosed || this.#watchers.has(folder)) continue;
      try {
        const watcher = watch(folder, { persistent: false }, (event, name) => {
          // A folder that goes reports its own name, and nothing more of what comes in its place.
          if (event === 'rename' && name === basename(folder)) this.#unwatch(folder);
          this.#lookIn(this.#times.settleMs);
        });
        // A folder that goes, or a system without room for more: looking finds the changes then.
        watcher.on('error', () => this.#unwatch(folder));
        this.#watchers.set(folder, { watcher, identity });
      } catch {
        return;
      }
    }
  }

  #unwatch(folder: string): void {
    this.#watchers.get(folder)?.watcher.close();
    this.#watchers.delete(folder);
  }

  /** Sooner than planned is possible, later is not: many reports are one look. */
  #lookIn(delayMs: number): void {
    const dueMs = performance.now() + delayMs;
    if (this.#isClosed || dueMs >= this.#dueMs) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = setTimeout(() => void this.look(), delayMs);
    this.#timer.unref();
  }
}

async function identityOf(folder: string): Promise<string | null> {
  const found = await stat(folder, { bigint: true }).catch(() => null);
  return found === null ? null : `${found.dev} ${found.ino} ${found.birthtimeNs}`;
}

function unitAt(due: readonly ChangedFile[], index: number): string {
  return unitOfPath(due[index]?.file.path ?? '');
}
