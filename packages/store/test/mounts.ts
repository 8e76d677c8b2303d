import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MOUNT = 'mount';
const UNMOUNT = 'umount';

export function mount(...words: string[]): void {
  execFileSync(MOUNT, words, { stdio: 'ignore' });
}

/** Also while somebody still has a file open there. */
export function unmount(folder: string): void {
  execFileSync(UNMOUNT, ['-l', folder], { stdio: 'ignore' });
}

/** True where this process may mount file systems: root, with that capability. */
export const canMount = tryToMount();

function tryToMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'misstep-mount-'));
  try {
    mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder);
    unmount(folder);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}
