import { constants } from 'node:fs';
import { access, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MisstepError } from '@misstep/model';
import { describeFailure, errorCode, type Failure } from './failure.ts';
import { layout } from './layout.ts';
import { makeFolder } from './make-folder.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from './migrations/index.ts';
import { newerFailure } from './newer-failure.ts';
import { isProcessAlive } from './process-token.ts';
import { rebuild } from './worker-client.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const HEADER_BYTES = 100;
const HEADER_MAGIC = 'SQLite format 3\0';
/** Where a database file holds its user_version, big-endian. */
const VERSION_OFFSET = 60;
const APPLICATION_OFFSET = 68;
const WRITE_FORMAT_OFFSET = 18;
const WAL_FORMAT = 2;

/**
 * Looks before it writes: DATA_FOLDER_NEWER, DATA_FOLDER_DAMAGED and DATA_FOLDER_READ_ONLY leave
 * the folder exactly as it was. Then makes what is missing, for the owner's eyes alone.
 */
export async function prepareDataFolder(dataFolder: string): Promise<void> {
  await onFileSystem(dataFolder, async () => {
    const database = layout.database(dataFolder);
    await refuseDatabase(dataFolder, database);
    await makeFolderIn(dataFolder, dataFolder);
    await access(dataFolder, constants.W_OK | constants.X_OK);
    for (const folder of [
      layout.sources(dataFolder),
      layout.incoming(dataFolder),
      layout.replays(dataFolder),
      layout.targetFolder(dataFolder),
    ]) {
      await makeFolderIn(dataFolder, folder);
      await access(folder, constants.W_OK | constants.X_OK);
    }
    // SQLite gives its log and shared memory the mode of the database file.
    const file = await open(database, 'a', FILE_MODE);
    await file.close();
  });
}

/** Why a folder can't be made, for the codes that come of where it is to stand. */
const WHY_NOT_MADE: Readonly<Record<string, string>> = {
  ENOENT: 'no folders can be made where it is to stand',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file, or a link that leads nowhere',
  EINVAL: 'its name is not allowed there',
  ELOOP: 'the links on its path lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  EMLINK: 'the folder above holds no more of them',
};

async function makeFolderIn(dataFolder: string, folder: string): Promise<void> {
  try {
    await makeFolder(folder, FOLDER_MODE);
  } catch (error) {
    const cause = errorCode(error) ?? '';
    const why = WHY_NOT_MADE[cause];
    if (why === undefined) throw error;
    const message = `The folder ${folder} can't be made: ${why}.`;
    const hint = 'Choose another folder with --data.';
    throw new MisstepError('DATA_FOLDER_READ_ONLY', message, { dataFolder, cause }, { hint });
  }
}

/** Removes uploads whose process is gone. */
export async function emptyIncoming(dataFolder: string): Promise<void> {
  await onFileSystem(dataFolder, async () => {
    const folder = layout.incoming(dataFolder);
    for (const name of await readdir(folder)) {
      const token = name.split('.')[0] ?? '';
      if (!isProcessAlive(token)) await rm(join(folder, name), { force: true, recursive: true });
    }
  });
}

/** Runs work on files; what goes wrong becomes a MisstepError. */
export async function onFileSystem<T>(dataFolder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MisstepError) throw error;
    throw rebuild(describeFailure(error, dataFolder));
  }
}

/** Reads the file's header by itself: opening it with SQLite may write a log beside it. */
async function refuseDatabase(dataFolder: string, path: string): Promise<void> {
  const header = await readHeader(dataFolder, path);
  if (header === null || header.length === 0) return;
  if (header.toString('latin1', 0, HEADER_MAGIC.length) !== HEADER_MAGIC) {
    throw new MisstepError('DATA_FOLDER_DAMAGED', `${path} is no SQLite database.`, { dataFolder });
  }
  if (header.length < HEADER_BYTES) {
    throw new MisstepError('DATA_FOLDER_DAMAGED', `${path} is cut off.`, { dataFolder });
  }
  const version = header.readUInt32BE(VERSION_OFFSET);
  if (version > SCHEMA_VERSION) {
    const failure: Failure = newerFailure(dataFolder, version);
    throw rebuild(failure);
  }
  // While ours has a log, its header may not have the mark yet; what has no log must have it.
  const owner = header.readUInt32BE(APPLICATION_OFFSET);
  const hasLog = header[WRITE_FORMAT_OFFSET] === WAL_FORMAT;
  if (owner !== APPLICATION_ID && (owner !== 0 || !hasLog)) {
    throw new MisstepError('DATA_FOLDER_DAMAGED', `${path} is another program's database.`, {
      dataFolder,
    });
  }
  await access(path, constants.R_OK | constants.W_OK);
}

async function readHeader(dataFolder: string, path: string): Promise<Buffer | null> {
  try {
    const folder = await stat(dataFolder);
    if (!folder.isDirectory()) {
      throw new MisstepError('DATA_FOLDER_READ_ONLY', `${dataFolder} is a file, not a folder.`);
    }
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    // What is wrong with the folder's path is said when it is to be made.
    if ((errorCode(error) ?? '') in WHY_NOT_MADE) return null;
    throw error;
  }
}
