import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { Activity } from '../src/activity.ts';
import { guardEnd } from '../src/guard-end.ts';
import { makeFolder } from './support.ts';

function catcher(): { stream: Writable; text: () => string } {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream, text: () => text };
}

function guarded(words: readonly string[]) {
  const process = Object.assign(new EventEmitter(), { exitCode: undefined as number | undefined });
  const [out, err] = [catcher(), catcher()];
  const activity = new Activity();
  const terminal = {
    stdin: Readable.from([]),
    stdout: out.stream,
    stderr: err.stream,
    environment: {},
    platform: 'linux' as const,
  };
  const letGo = guardEnd(process, terminal, words, activity);
  return { process, out, err, activity, letGo };
}

describe('a command that nothing can go on with', () => {
  test('says what it was at, with exit code 1', () => {
    const { process, out, err, activity } = guarded(['import', 'a.gz']);
    activity.is(() => 'importing, 0 of 1 file done, to be read: a.gz');
    process.emit('beforeExit');
    expect(process.exitCode).toBe(1);
    expect(err.text()).toMatch(/^misstep: The command ended before its work was done.*a\.gz\. /);
    expect(out.text()).toBe('');
    process.emit('beforeExit');
    expect(err.text().split('\n')).toHaveLength(2);
  });

  test('says it as JSON where JSON was asked for, and nothing once it is let go', () => {
    const asked = guarded(['import', '--json', 'a.gz']);
    asked.process.emit('beforeExit');
    expect(JSON.parse(asked.out.text())).toMatchObject({ error: { code: 'INTERNAL' } });
    const words = guarded(['target', 'add', 'x', '--', 'server', '--json']);
    words.process.emit('beforeExit');
    expect(words.out.text()).toBe('');
    const done = guarded(['runs']);
    done.letGo();
    done.process.emit('beforeExit');
    expect([done.process.exitCode, done.err.text()]).toEqual([undefined, '']);
  });

  test('is so in a process of its own, in which Node would end with 13 and no word', async () => {
    const script = join(await makeFolder(), 'waits.mjs');
    const built = (name: string) => JSON.stringify(new URL(`../dist/${name}`, import.meta.url));
    await writeFile(
      script,
      `import { guardEnd } from ${built('guard-end.js')};
       import { Activity } from ${built('activity.js')};
       const { stdin, stdout, stderr, env: environment, platform } = process;
       guardEnd(process, { stdin, stdout, stderr, environment, platform }, [], new Activity());
       await new Promise(() => undefined);`,
    );
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe'] });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, err]).toEqual([1, expect.stringContaining('nothing was begun')]);
  });
});
