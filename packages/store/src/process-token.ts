import { readFileSync } from 'node:fs';

/**
 * Names a process so that it isn't taken for another one that got the same number later (in a
 * container every start may have it): number and, where /proc tells it, the time of its start.
 */
export function ownProcessToken(): string {
  return tokenOf(process.pid);
}

/** True while the process that made the token runs. */
export function isProcessAlive(token: string): boolean {
  const pid = Number(token.split('-')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, but belongs to somebody else.
    const isForeign = error instanceof Error && 'code' in error && error.code === 'EPERM';
    if (!isForeign) return false;
  }
  const current = tokenOf(pid);
  // Where the start can't be told, the number alone decides: rather spare than take away.
  return current === token || current === `${pid}-0`;
}

function tokenOf(pid: number): string {
  return `${pid}-${startTicks(pid)}`;
}

/** Field 22 of /proc/PID/stat; '0' where there is no /proc. */
function startTicks(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets and may hold blanks and brackets.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0';
  } catch {
    return '0';
  }
}
