import { isMisstepError } from '@misstep/model';

/** True where it is the disk that had no room. */
export function isNoRoom(error: unknown): boolean {
  return isMisstepError(error) && error.code === 'DISK_FULL';
}
