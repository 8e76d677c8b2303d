import { homedir } from 'node:os';
import type { FoundFolder, LookedFolder } from '@misstep/contract';
import { MisstepError } from '@misstep/model';
import { AGENT_FOLDERS, type AgentFolder } from './find/agent-folders.ts';
import { listRecordings, type RecordingFile, type RecordingList } from './find/list-recordings.ts';
import { isRecordingOf, resolveFolder, type Surroundings } from './find/resolve-folder.ts';
import { TypedFolders } from './find/typed-folders.ts';

export interface FindService {
  /** What the known agents have on this machine: names and sizes of files, none of them opened. */
  find(signal?: AbortSignal): Promise<FoundFolder[]>;
  /** The recordings of some of those folders; `sinceMs`: changed then or later. NOT_FOUND. */
  filesOf(
    ids: readonly string[],
    sinceMs?: number | null,
    signal?: AbortSignal,
  ): Promise<RecordingFile[]>;
  /** A folder by its id, which says where it is and what in it is a recording. */
  placeOf(id: string): Place;
  /** What is in a folder that a person typed, and the id by which it is known from now on. */
  look(path: string, signal?: AbortSignal): Promise<LookedFolder>;
  /** Folders whose paths begin as what was typed so far. */
  offer(path: string): Promise<{ folders: string[]; omitted: number }>;
  /** Where a typed folder is; null for one of the table. */
  typedPath(id: string): string | null;
}

export interface Place {
  readonly id: string;
  readonly client: string;
  readonly path: string;
  readonly isRecording: (pathBelow: string) => boolean;
}

/** An id is that of the table, with `~2` and so on for further places of the same client. */
export function createFindService(
  surroundings: Surroundings = {
    platform: process.platform,
    home: homedir(),
    environment: process.env,
  },
): FindService {
  const places = placesOf(surroundings);
  const typed = new TypedFolders(surroundings);
  const placeOf = (id: string): Place => {
    const place = places.find((each) => each.id === id) ?? typed.find(id);
    if (place !== undefined) return place;
    const ids = [...new Set(places.map((each) => each.id))].join(', ');
    throw new MisstepError(
      'NOT_FOUND',
      `There is no folder "${id}".`,
      { id },
      { hint: `The ids: ${ids}.` },
    );
  };
  return {
    placeOf,
    async look(path, signal) {
      const place = await typed.add(path);
      const list = await listRecordings(place.path, place.isRecording, options(signal));
      return { id: place.id, folder: place.path, ...amountOf(list) };
    },
    offer: (path) => typed.offer(path),
    typedPath: (id) => typed.find(id)?.path ?? null,
    async find(signal) {
      const found: FoundFolder[] = [];
      for (const place of places) {
        const list = await listRecordings(place.path, place.isRecording, options(signal));
        if (list.exists) found.push(describe(place, list));
      }
      return found;
    },
    async filesOf(ids, sinceMs = null, signal) {
      const files: RecordingFile[] = [];
      for (const place of ids.map(placeOf)) {
        const list = await listRecordings(place.path, place.isRecording, options(signal));
        for (const file of list.files) {
          if (sinceMs === null || file.modifiedMs >= sinceMs) files.push(file);
        }
      }
      return files;
    },
  };
}

interface KnownPlace extends Place {
  readonly folder: AgentFolder;
}

function placesOf(surroundings: Surroundings): KnownPlace[] {
  const { platform } = surroundings;
  const known = platform === 'darwin' || platform === 'win32' ? platform : 'linux';
  return AGENT_FOLDERS.flatMap((folder) => {
    const isRecording = isRecordingOf(folder.files);
    return folder.folders[known].map((template, index) => ({
      id: index === 0 ? folder.id : `${folder.id}~${index + 1}`,
      client: folder.client,
      path: resolveFolder(template, surroundings),
      isRecording,
      folder,
    }));
  });
}

function options(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function describe({ id, client, path, folder }: KnownPlace, list: RecordingList): FoundFolder {
  return {
    id,
    client,
    holds: folder.holds,
    folder: path,
    format: folder.format,
    note: folder.note,
    source: folder.source,
    ...amountOf(list),
  };
}

/** How much is in a folder, and what of it could not be looked at. */
function amountOf(list: RecordingList) {
  const newestMs = list.files.reduce((newest, file) => Math.max(newest, file.modifiedMs), 0);
  return {
    fileCount: list.files.length,
    sizeBytes: list.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    newestAt: newestMs === 0 ? null : new Date(newestMs).toISOString(),
    linkCount: list.links,
    unreadableCount: list.unreadable,
    isCut: list.isCut,
  };
}
