import { readFile } from 'node:fs/promises';

/** The bytes of a replay's frame log; empty where it was never begun or is gone. */
export async function readFrameLogFile(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return new Uint8Array();
    }
    throw error;
  }
}
