import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FollowedFolderState } from '@misstep/contract';
import { MisstepError, type RunId, type Ulid } from '@misstep/model';
import { createUlid } from '@misstep/replay';
import type { FollowedFile, FollowedFolder, Store } from '@misstep/store';
import { explainError } from '../errors/explain-error.ts';
import { listRecordings } from './find/list-recordings.ts';
import type { FindService } from './find-service.ts';
import { type ChangedFile, FolderWatch, type WatchTimes } from './follow/folder-watch.ts';
import { type ReadFile, readChanged } from './follow/read-changed.ts';
import type { ImportService } from './import-service.ts';

const MOST_RUN_IDS = 20;
/** The command line adds and takes away folders, too. */
const LIST_CHECK_MS = 10_000;

export interface FollowService {
  /** From now on, what is followed is read. */
  start(): Promise<void>;
  list(): Promise<{ folders: FollowedFolderState[]; savedCount: number }>;
  /** NOT_FOUND for a place or path that is not there. `existing`: what is there is read as well. */
  follow(
    place: { readonly foundId: string } | { readonly path: string },
    existing?: boolean,
  ): Promise<FollowedFolderState>;
  unfollow(id: Ulid): Promise<boolean>;
  /** Reads a folder until the signal ends it, without keeping anything of that. */
  watch(path: string, options: WatchOptions): Promise<void>;
  close(): Promise<void>;
}

export interface WatchOptions {
  readonly existing: boolean;
  readonly format: string | null;
  readonly signal: AbortSignal;
  readonly onRead: (read: ReadFile) => void;
  readonly onStart?: (fileCount: number) => void;
  readonly onError: (error: MisstepError) => void;
  /** Told when the folder goes, and when it is back. */
  readonly onPresence?: (isThere: boolean) => void;
}

export function createFollowService(
  store: Store,
  imports: ImportService,
  finder: FindService,
  times?: WatchTimes,
): FollowService {
  return new Follows(store, imports, finder, times);
}

type Counts = Omit<FollowedFolderState, 'id' | 'path' | 'foundId' | 'client' | 'followedAt'>;

interface Followed {
  readonly folder: FollowedFolder;
  readonly controller: AbortController;
  readonly counts: { -readonly [Key in keyof Counts]: Counts[Key] };
  watch: FolderWatch | null;
}

class Follows implements FollowService {
  readonly #store: Store;
  readonly #imports: ImportService;
  readonly #finder: FindService;
  readonly #times: { times?: WatchTimes };
  readonly #followed = new Map<Ulid, Followed>();
  #listTimer: NodeJS.Timeout | null = null;
  #savedCount = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #isStarted = false;

  constructor(store: Store, imports: ImportService, finder: FindService, times?: WatchTimes) {
    this.#store = store;
    this.#imports = imports;
    this.#finder = finder;
    this.#times = times === undefined ? {} : { times };
  }

  async start(): Promise<void> {
    this.#isStarted = true;
    await this.#takeUpList();
    this.#listTimer = setInterval(() => {
      // What can't be asked now is asked again.
      this.#takeUpList().catch(() => undefined);
    }, LIST_CHECK_MS).unref();
  }

  async list() {
    await this.#takeUpList();
    const folders = [...this.#followed.values()].map((each) => this.#view(each));
    return { folders, savedCount: this.#savedCount };
  }

  async follow(
    place: { readonly foundId: string } | { readonly path: string },
    existing = false,
  ): Promise<FollowedFolderState> {
    const known = 'foundId' in place ? this.#finder.placeOf(place.foundId) : null;
    const path = known?.path ?? resolve('path' in place ? place.path : '');
    if (known === null) await requireFolder(path);
    const id = createUlid(Date.now());
    const followedAt = new Date().toISOString();
    const folder = await this.#store.followFolder({
      id,
      path,
      placeId: known?.id ?? null,
      followedAt,
    });
    if (folder.id === id && !existing) {
      await this.#store.putFollowedFiles(id, await filesNow(path, this.#recordings(folder)));
    }
    await this.#takeUpList();
    const followed = this.#followed.get(folder.id);
    return this.#view(followed ?? newFollowed(folder));
  }

  async unfollow(id: Ulid): Promise<boolean> {
    const was = await this.#store.unfollowFolder(id);
    await this.#takeUpList();
    return was;
  }

  async watch(path: string, options: WatchOptions): Promise<void> {
    const root = resolve(path);
    await requireFolder(root);
    const { signal, format } = options;
    const known = options.existing ? [] : await filesNow(root, () => true);
    options.onStart?.(known.length);
    const watch = new FolderWatch({
      root,
      isRecording: () => true,
      known,
      ...this.#times,
      onError: (error) => options.onError(explainError(error)),
      ...(options.onPresence === undefined ? {} : { onPresence: options.onPresence }),
      onChanged: async (changed) => {
        const read = await readChanged(this.#imports, changed, { signal, format });
        for (const each of read) options.onRead(each);
        return read.map(({ kept }) => kept);
      },
    });
    await watch.look();
    // Timers and watchers of the folder keep no process; this does, until the person ends it.
    const keepAlive = setInterval(() => undefined, 60_000);
    await new Promise<void>((done) => {
      if (signal.aborted) done();
      else signal.addEventListener('abort', () => done(), { once: true });
    });
    clearInterval(keepAlive);
    await watch.close();
  }

  async close(): Promise<void> {
    if (this.#listTimer !== null) clearInterval(this.#listTimer);
    this.#isStarted = false;
    await this.#turn.catch(() => undefined);
    await Promise.all([...this.#followed.values()].map(stop));
    this.#followed.clear();
  }

  /** Makes what is followed what the store says. */
  #takeUpList(): Promise<void> {
    const work = this.#turn.then(async () => {
      const folders = await this.#store.listFollowedFolders();
      const ids = new Set(folders.map(({ id }) => id));
      for (const [id, followed] of this.#followed) {
        if (ids.has(id)) continue;
        this.#followed.delete(id);
        await stop(followed);
      }
      for (const folder of folders) {
        const followed = this.#followed.get(folder.id) ?? newFollowed(folder);
        this.#followed.set(folder.id, followed);
        if (this.#isStarted && followed.watch === null) await this.#begin(followed);
      }
    });
    this.#turn = work.catch(() => undefined);
    return work;
  }

  async #begin(followed: Followed): Promise<void> {
    const { folder, counts } = followed;
    const watch = new FolderWatch({
      root: folder.path,
      isRecording: this.#recordings(folder),
      known: await this.#store.listFollowedFiles(folder.id),
      ...this.#times,
      onLooked({ exists, files, isCut }) {
        Object.assign(counts, {
          state: exists ? 'following' : 'absent',
          fileCount: files.length,
          isCut,
        });
      },
      onError(error) {
        counts.lastRemark = explainError(error).message;
      },
      onChanged: (changed) => this.#read(followed, changed),
    });
    followed.watch = watch;
    void watch.look();
  }

  async #read(
    { folder, counts, controller }: Followed,
    changed: readonly ChangedFile[],
  ): Promise<FollowedFile[]> {
    const { signal } = controller;
    const read = await readChanged(this.#imports, changed, { signal });
    for (const { change, outcome, kept } of read) {
      counts[`${change}Count`] += 1;
      const remark = remarkOf(change, outcome.path, outcome.error);
      if (remark !== null) counts.lastRemark = remark;
      const latest = [...kept.runIds, ...counts.lastRunIds];
      counts.lastRunIds = [...new Set<RunId>(latest)].slice(0, MOST_RUN_IDS);
    }
    counts.lastReadAt = new Date().toISOString();
    this.#savedCount += 1;
    const kept = read.map((each) => each.kept);
    await this.#store.putFollowedFiles(folder.id, kept);
    return kept;
  }

  #recordings(folder: FollowedFolder): (pathBelow: string) => boolean {
    if (folder.placeId === null) return () => true;
    try {
      return this.#finder.placeOf(folder.placeId).isRecording;
    } catch {
      // A place that another version knew.
      return () => true;
    }
  }

  #view({ folder, counts }: Followed): FollowedFolderState {
    const { id, path, placeId, followedAt } = folder;
    let client: string | null = null;
    try {
      client = placeId === null ? null : this.#finder.placeOf(placeId).client;
    } catch {
      // As above.
    }
    return { id, path, foundId: placeId, client, followedAt, ...counts };
  }
}

function newFollowed(folder: FollowedFolder): Followed {
  return {
    folder,
    controller: new AbortController(),
    watch: null,
    counts: {
      state: 'starting',
      fileCount: 0,
      isCut: false,
      newCount: 0,
      grownCount: 0,
      replacedCount: 0,
      failedCount: 0,
      lastReadAt: null,
      lastRemark: null,
      lastRunIds: [],
    },
  };
}

async function stop({ controller, watch }: Followed): Promise<void> {
  controller.abort(new MisstepError('IMPORT_NOT_FOUND', 'The folder is followed no more.'));
  await watch?.close();
}

/** What is there before anything is followed: it is known, and not read. */
async function filesNow(
  root: string,
  isRecording: (pathBelow: string) => boolean,
): Promise<FollowedFile[]> {
  const { files } = await listRecordings(root, isRecording);
  return files.map(({ inode, ...file }) => ({ ...file, inode: String(inode), runIds: [] }));
}

async function requireFolder(path: string): Promise<void> {
  const isFolder = await stat(path).then(
    (kind) => kind.isDirectory(),
    () => false,
  );
  if (!isFolder)
    throw new MisstepError(
      'NOT_FOUND',
      `${path} is no folder.`,
      { path },
      { hint: 'Check the path.' },
    );
}

function remarkOf(
  change: ReadFile['change'],
  path: string,
  error: MisstepError | null,
): string | null {
  if (error !== null) return `${path}: ${error.message}`;
  if (change !== 'replaced') return null;
  return `${path} was cut or written anew; it is read as a recording of its own.`;
}
