import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isProcessAlive, ownProcessToken } from '../src/process-token.ts';

describe('a process token', () => {
  it('lives as long as its process', async () => {
    expect(isProcessAlive(ownProcessToken())).toBe(true);
    const child = spawn(process.execPath, ['--eval', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    const hasProc = existsSync('/proc/self/stat');
    // Without /proc only the number is known, which is the same for both.
    expect(isProcessAlive(`${pid}-1`)).toBe(!hasProc);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isProcessAlive(`${pid}-1`)).toBe(false);
    expect(isProcessAlive(`${pid}-0`)).toBe(false);
  });

  it('that is none names no living process', () => {
    for (const token of ['', 'x', '0-1', '-1-1', `${process.pid}.5-1`]) {
      expect(isProcessAlive(token)).toBe(false);
    }
  });
});
