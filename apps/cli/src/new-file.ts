import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { MisstepError } from '@misstep/model';
import { UsageError } from './command.ts';
import { codeOf, fileTrouble, unwritable } from './file-trouble.ts';
import { visible } from './terminal/visible.ts';

/** A file that a person named and that was not there before. */
export interface NewFile {
  write(bytes: string | Uint8Array): Promise<void>;
  /** Hands a stream to the work; what was begun is removed where it fails. */
  fill(work: (stream: Writable) => Promise<void>): Promise<void>;
  /** Removes it again where nothing was written after all. */
  dropUnwritten(): Promise<void>;
}

/** What stands at `path` is never written over; that it can't be made is a fault of the command line. */
export async function makeNewFile(path: string, option = '--out'): Promise<NewFile> {
  let file: FileHandle;
  try {
    file = await open(path, 'wx');
  } catch (error) {
    throw new UsageError(unwritable(path, error, option));
  }
  let isWritten = false;
  const dropUnwritten = async () => {
    if (isWritten) return;
    await file.close().catch(() => {});
    await rm(path, { force: true });
  };
  const guarded = async (work: () => Promise<void>) => {
    try {
      await work();
      isWritten = true;
    } catch (error) {
      await dropUnwritten();
      throw explainUnwritten(path, error);
    }
  };
  return {
    write: (bytes) =>
      guarded(async () => {
        await file.writeFile(bytes);
        await file.close();
      }),
    fill: (work) => guarded(() => work(file.createWriteStream())),
    dropUnwritten,
  };
}

export async function writeNewFile(path: string, bytes: string | Uint8Array): Promise<void> {
  await (await makeNewFile(path)).write(bytes);
}

/** Only what has to do with the disk is the file's; other failures are told as they are. */
function explainUnwritten(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (!['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return error;
  const message = `${visible(path)} could not be written to its end (${fileTrouble(error)}), and was removed again.`;
  return new MisstepError('DISK_FULL', message, { code }, { hint: 'Choose another FILE.' });
}
