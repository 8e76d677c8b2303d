import { statfsSync } from 'node:fs';
import type { ErrorCode } from '@misstep/model';

/** What crosses from the worker: an error as data, rebuilt as MisstepError by the client. */
export interface FailureData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * An expected failure inside the worker. It stands in for MisstepError there because the model
 * package brings schemas whose loading would double the worker's start.
 */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.details = details;
  }
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);
const UNWRITABLE = new Set(['EROFS', 'EACCES', 'EPERM']);

/** Turns whatever was thrown into a code of the catalogue; `dataFolder` names the place to the reader. */
export function describeFailure(error: unknown, dataFolder: string): FailureData {
  if (error instanceof Failure) {
    return { code: error.code, message: error.message, details: error.details };
  }
  const reason = error instanceof Error ? error.message : String(error);
  const cause = errorCode(error);
  const details = { dataFolder, cause: cause ?? reason };
  if (cause !== null && (FULL.has(cause) || (isWriteFailure(cause) && isFull(dataFolder)))) {
    return { code: 'DISK_FULL', message: `No space is left for ${dataFolder}.`, details };
  }
  if (cause !== null && (UNWRITABLE.has(cause) || cause.startsWith('SQLITE_READONLY'))) {
    return {
      code: 'DATA_FOLDER_READ_ONLY',
      message: `The data folder ${dataFolder} can't be written (${cause}).`,
      details,
    };
  }
  if (cause !== null && (cause.startsWith('SQLITE_CORRUPT') || cause === 'SQLITE_NOTADB')) {
    return {
      code: 'DATA_FOLDER_DAMAGED',
      message: `The database in ${dataFolder} is damaged (${reason}).`,
      details,
    };
  }
  if (cause?.startsWith('SQLITE_BUSY')) {
    return {
      code: 'INTERNAL',
      message: `Another process kept ${dataFolder} busy for too long.`,
      details,
    };
  }
  return { code: 'INTERNAL', message: `The store failed: ${reason}`, details };
}

export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** A full disk shows as an I/O error where SQLite grows its shared-memory file. */
function isWriteFailure(cause: string): boolean {
  return cause.startsWith('SQLITE_IOERR') || cause === 'SQLITE_CANTOPEN';
}

function isFull(dataFolder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dataFolder);
    return bavail * bsize < 65_536;
  } catch {
    return false;
  }
}
