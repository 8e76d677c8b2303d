import { open, readdir } from 'node:fs/promises';

/** The variable by which every process that a connection's server starts can be known again. */
export const MARK_NAME = 'MISSTEP_CONNECTION';

const MOST_PROCESSES = 65_536;
const READ_AT_ONCE = 32;
/** A process whose environment is larger can hide; servers get a small one from us. */
const MOST_ENVIRONMENT_BYTES = 256 * 1024;
const POLL_MS = 20;
const TERMINATE_GRACE_MS = 300;
const KILL_ROUNDS = 5;

/**
 * Ends the processes whose environment holds the mark: those that left the server's process group
 * (`setsid`) as well. SIGTERM first, then SIGKILL. Linux only, where /proc shows environments, and
 * only for processes of the same user; elsewhere it does nothing. A process that was started with
 * an emptied environment is not found.
 */
export async function endMarkedProcesses(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  let pids = await findMarkedProcesses(mark);
  if (pids.length === 0) return;
  signalEach(pids, 'SIGTERM');
  const until = performance.now() + TERMINATE_GRACE_MS;
  while (pids.length > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    pids = await findMarkedProcesses(mark);
  }
  // One that starts another as it ends is found in the next round.
  for (let round = 0; pids.length > 0 && round < KILL_ROUNDS; round += 1) {
    signalEach(pids, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    pids = await findMarkedProcesses(mark);
  }
}

/** A zombie has no environment any more, so it is not among them. */
export async function findMarkedProcesses(mark: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid)
    .slice(0, MOST_PROCESSES);
  const entry = Buffer.from(`\0${MARK_NAME}=${mark}\0`);
  const found: number[] = [];
  for (let at = 0; at < pids.length; at += READ_AT_ONCE) {
    const some = pids.slice(at, at + READ_AT_ONCE);
    const hits = await Promise.all(some.map((pid) => environmentHolds(pid, entry)));
    found.push(...some.filter((_, index) => hits[index]));
  }
  return found;
}

async function environmentHolds(pid: number, entry: Buffer): Promise<boolean> {
  try {
    const file = await open(`/proc/${pid}/environ`);
    try {
      if ((await file.stat()).uid !== process.getuid?.()) return false;
      // The leading zero lets the first entry match like every other.
      const buffer = Buffer.alloc(MOST_ENVIRONMENT_BYTES + 1);
      let length = 1;
      while (length < buffer.length) {
        const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return buffer.subarray(0, length).includes(entry);
    } finally {
      await file.close();
    }
  } catch {
    // Gone meanwhile, or another user's.
    return false;
  }
}

function signalEach(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // Gone meanwhile.
    }
  }
}
