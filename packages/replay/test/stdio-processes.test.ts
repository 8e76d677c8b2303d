import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  endingOf,
  isRunning,
  type Replayed,
  replayOnce,
  serverFrames,
  stdioTarget,
} from './replay-once.ts';

/** The text content of the answer. */
function answerText(replayed: Replayed): string {
  const answer = serverFrames(replayed).find(({ text }) => text.includes('"content"'));
  return JSON.parse(answer?.text ?? '{}').result.content[0].text;
}

describe('what a stdio server is given', () => {
  it('is an allow-listed environment without our secrets', async () => {
    process.env.FAKE_SECRET = 'must not be seen';
    try {
      const names = answerText(await replayOnce(stdioTarget('print-env'))).split('\n');
      expect(names).toContain('PATH');
      expect(names).not.toContain('FAKE_SECRET');
    } finally {
      delete process.env.FAKE_SECRET;
    }
  });

  it('is an argument vector, never a shell', async () => {
    const address = stdioTarget('echo');
    if (address.transport !== 'stdio') throw new Error('stdio expected');
    const hostile = { ...address, args: [...address.args, '--log', '$(touch pwned);\n`id`'] };
    expect(endingOf(await replayOnce(hostile)).outcome).toBe('result');
  });
});

describe('after a replay over stdio', () => {
  it('a grandchild that ignores SIGTERM is gone', async () => {
    const replayed = await replayOnce(stdioTarget('grandchild'));
    expect(endingOf(replayed).outcome).toBe('result');
    const pid = Number(answerText(replayed));
    expect(pid).toBeGreaterThan(1);
    expect(isRunning(pid)).toBe(false);
  });

  it.skipIf(process.platform !== 'linux')(
    'a grandchild in a session of its own is gone too, and no stranger with it',
    async () => {
      const stranger = spawn(process.execPath, ['-e', 'setInterval(()=>{},1000)'], {
        env: { ...process.env, MISSTEP_CONNECTION: 'of another connection' },
        stdio: 'ignore',
      });
      try {
        const replayed = await replayOnce(stdioTarget('setsid-grandchild'));
        expect(endingOf(replayed).outcome).toBe('result');
        const pid = Number(answerText(replayed));
        expect(pid).toBeGreaterThan(1);
        expect(isRunning(pid)).toBe(false);
        expect(isRunning(stranger.pid ?? 0)).toBe(true);
      } finally {
        stranger.kill('SIGKILL');
      }
    },
  );

  it('a server that ignores the end of stdin and SIGTERM is gone', async () => {
    const replayed = await replayOnce(stdioTarget('ignores-end'));
    const started = replayed.events.find(({ kind }) => kind === 'started');
    const pid = Number(/process (\d+)/.exec(started?.text ?? '')?.[1]);
    expect(pid).toBeGreaterThan(1);
    expect(isRunning(pid)).toBe(false);
    expect(replayed.events).toContainEqual(
      expect.objectContaining({ kind: 'exit', text: 'ended by SIGKILL' }),
    );
  });
});
