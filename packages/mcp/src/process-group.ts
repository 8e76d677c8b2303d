import { type ChildProcess, spawn } from 'node:child_process';

const POLL_MS = 20;
export const STDIN_END_GRACE_MS = 500;
const TERMINATE_GRACE_MS = 700;
const KILL_GRACE_MS = 300;

/**
 * Ends a child that leads its own process group, and everything it has started in that group:
 * first its stdin ends (the protocol's own way), then SIGTERM, then SIGKILL to the whole group.
 * Resolves within about 1.5 s whatever the processes do.
 */
export async function endProcessGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  child.stdin?.end();
  await waitUntil(() => hasExited(child), STDIN_END_GRACE_MS);
  if (process.platform === 'win32') return endWindowsTree(pid, child);
  if (!groupIsAlive(pid)) return;
  signalGroup(pid, 'SIGTERM');
  await waitUntil(() => !groupIsAlive(pid), TERMINATE_GRACE_MS);
  if (!groupIsAlive(pid)) return;
  signalGroup(pid, 'SIGKILL');
  await waitUntil(() => !groupIsAlive(pid), KILL_GRACE_MS);
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** A process id of 0 or -1 would signal ourselves or everyone; a spawned child never has it. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  if (pid <= 1) return false;
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

function groupIsAlive(pid: number): boolean {
  return signalGroup(pid, 0);
}

async function endWindowsTree(pid: number, child: ChildProcess): Promise<void> {
  if (hasExited(child)) return;
  await new Promise<void>((resolve) => {
    const killer = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    killer.once('error', () => resolve());
    killer.once('exit', () => resolve());
  });
}

async function waitUntil(condition: () => boolean, limitMs: number): Promise<void> {
  const until = performance.now() + limitMs;
  while (!condition() && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
