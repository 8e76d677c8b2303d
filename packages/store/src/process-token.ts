import { readFileSync } from 'node:fs';

const UNKNOWN_START = '0';

/**
 * Names a process so that it isn't taken for another one that got the same number later (in a
 * container every start may have it): number and, where /proc tells it, the time of its start.
 */
export function ownProcessToken(): string {
  ownToken ??= `${process.pid}-${readStat(process.pid)?.startTicks ?? UNKNOWN_START}`;
  return ownToken;
}

/** It never changes, and is asked for with every source. */
let ownToken: string | null = null;

/** True while the process that made the token runs. */
export function isProcessAlive(token: string): boolean {
  const [pidText, startTicks] = token.split('-');
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, but belongs to somebody else.
    const isForeign = error instanceof Error && 'code' in error && error.code === 'EPERM';
    if (!isForeign) return false;
  }
  const stat = readStat(pid);
  // Where the start can't be told, the number alone decides: rather spare than take away.
  if (stat === null) return true;
  return stat.startTicks === startTicks && !stat.hasEnded;
}

/** Those of the rows' processes that are gone: what they had begun will never end by itself. */
export function goneProcesses(rows: readonly { readonly process: string }[]): string[] {
  return rows.map((row) => row.process).filter((token) => !isProcessAlive(token));
}

/** Of /proc/PID/stat; null where there is no /proc or it is closed to us. */
function readStat(pid: number): { startTicks: string; hasEnded: boolean } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets and may hold blanks and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Fields 3 and 22. A zombie still has its number, but will never write again.
    return {
      startTicks: fields[19] ?? UNKNOWN_START,
      hasEnded: fields[0] === 'Z' || fields[0] === 'X',
    };
  } catch {
    return null;
  }
}
