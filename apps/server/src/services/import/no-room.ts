import { isMisstepError } from '@misstep/model';
import type { Store, StoredSource } from '@misstep/store';

/** True where it is the disk that had no room. */
export function isNoRoom(error: unknown): boolean {
  return isMisstepError(error) && error.code === 'DISK_FULL';
}

/** Before the import is over, so that what comes next finds room: where no other has it on its way. */
export async function giveBack(store: Store, source: StoredSource, imports: number): Promise<void> {
  if (imports === 1) await store.sweepSources([source.sha256]);
}
