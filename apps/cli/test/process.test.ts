import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder, misstep, recordingOf } from './support.ts';

const ENTRY = fileURLToPath(new URL('../bin/misstep.js', import.meta.url));
const RESULT = '{"content":[{"type":"text","text":"here"}]}';

function start(words: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [ENTRY, ...words], {
    env: { PATH: process.env.PATH, CI: '1', ...environment },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

function finish(child: ChildProcessWithoutNullStreams) {
  return new Promise<{ code: number | null; signal: string | null; out: Buffer; err: string }>(
    (resolve) => {
      const out: Buffer[] = [];
      let err = '';
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => {
        err += chunk;
      });
      child.on('close', (code, signal) => resolve({ code, signal, out: Buffer.concat(out), err }));
    },
  );
}

/** The first line of standard output, read as JSON. */
function firstLine(child: ChildProcessWithoutNullStreams): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end >= 0) resolve(JSON.parse(text.slice(0, end)));
    });
    child.on('close', () => reject(new Error(`ended with: ${text}`)));
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** True once its handlers stand: SIGHUP is the last of them, and one that Node leaves alone. */
async function catches(pid: number | undefined): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const mask = BigInt(`0x${/^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  return (mask & 1n) !== 0n;
}

async function until(look: () => Promise<boolean> | boolean): Promise<void> {
  const endMs = performance.now() + 20_000;
  while (!(await look())) {
    if (performance.now() > endMs) throw new Error('the condition never came about');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('the built command', () => {
  test('takes standard input, exports the same bytes to a pipe, and ends quietly when the reader does', async () => {
    const folder = await makeFolder();
    const text = recordingOf(
      Array.from({ length: 2000 }, (_, index) => ({ args: `{"code":${index}}`, result: RESULT })),
    );
    const importing = start(['import', '--json', '-'], { MISSTEP_DATA: folder });
    importing.stdin.end(text);
    const imported = await finish(importing);
    expect([imported.code, imported.err]).toEqual([0, '']);
    const [run] = JSON.parse(imported.out.toString()).runs as { id: string; steps: number }[];
    expect(run?.steps).toBe(2000);

    const exported = await finish(start(['export-source', run?.id ?? '', '--data', folder]));
    expect(exported.code).toBe(0);
    const hashOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
    expect(hashOf(exported.out)).toBe(hashOf(text));

    const showing = start(['show', run?.id ?? '', '--json', '--data', folder]);
    showing.stdout.once('data', () => showing.stdout.destroy());
    const shown = await finish(showing);
    expect([shown.code, shown.err]).toEqual([0, '']);

    const wrong = await finish(start(['nope']));
    expect([wrong.code, wrong.out.length]).toEqual([2, 0]);
  });

  test('serve prints one address, answers it, and takes its children with it when it ends', async () => {
    const folder = await makeFolder();
    const script = join(folder, 'hang.cjs');
    const pidFile = join(folder, 'pid');
    await writeFile(
      script,
      `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000);`,
    );
    const data = join(folder, 'data');
    const recording = join(folder, 'rec.jsonl');
    await writeFile(recording, recordingOf([{ args: '{"code":1}', result: RESULT }]));
    const imported = await misstep(data, ['import', '--json', recording]);
    const [run] = (imported.documents()[0]?.runs ?? []) as { id: string }[];
    await misstep(data, ['target', 'add', 'hang', '--yes', '--', process.execPath, script]);
    const [, step] = (await misstep(data, ['show', run?.id ?? '', '--json'])).documents();

    const serving = start(['serve', '--port', '0', '--json', '--open', '--data', data]);
    const ended = finish(serving);
    const line = await firstLine(serving);
    expect(line).toMatchObject({ type: 'serving', dataFolder: data });
    const address = String(line.address);
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(303);
    const headers = { authorization: `Bearer ${line.token}`, 'content-type': 'application/json' };
    const origin = new URL(address).origin;
    const sent = await fetch(`${origin}/api/runs/${run?.id}/steps/${step?.id}/replays`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        targetName: 'hang',
        argumentsText: null,
        confirmTool: 'find_parcel',
        idempotencyKey: 'one-two-three',
      }),
    });
    expect(sent.status).toBe(200);
    const { id } = (await sent.json()) as { id: string };
    let pid = 0;
    await until(async () => {
      pid = Number(await readFile(pidFile, 'utf8').catch(() => '0'));
      return pid > 0;
    });
    expect(isAlive(pid)).toBe(true);
    serving.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, signal: null });
    await until(() => !isAlive(pid));

    // What ran is on record as cancelled, and the key sends nothing more.
    const again = start(['serve', '--port', '0', '--json', '--data', data]);
    const next = await firstLine(again);
    const replay = await fetch(`${new URL(String(next.address)).origin}/api/replays/${id}`, {
      headers: { authorization: `Bearer ${next.token}` },
    });
    expect(await replay.json()).toMatchObject({ state: 'done', outcome: 'interrupted' });
    const old = await fetch(`${new URL(String(next.address)).origin}/api/status`, { headers });
    expect(old.status).toBe(401);
    again.kill('SIGINT');
    await until(() => again.exitCode === 0);
  });

  test.skipIf(process.platform !== 'linux')(
    'what cannot be ended in order ends at the second signal',
    async () => {
      const folder = await makeFolder();
      const data = join(folder, 'data');
      const recording = join(folder, 'rec.jsonl');
      await writeFile(recording, recordingOf([{ args: '{"code":1}', result: RESULT }]));
      await misstep(data, ['import', recording]);
      // Standard input that never ends.
      const waiting = start([
        'replay',
        'r',
        '1',
        '--target',
        'x',
        '--arguments',
        '-',
        '--data',
        data,
      ]);
      const ended = finish(waiting);
      await until(() => catches(waiting.pid));
      waiting.kill('SIGTERM');
      const again = setInterval(() => waiting.kill('SIGINT'), 100);
      onTestFinished(() => clearInterval(again));
      expect(await ended).toMatchObject({ code: 130 });
    },
  );

  test('killed at any moment of an import, it leaves the run whole or nothing', async () => {
    const folder = await makeFolder();
    const data = join(folder, 'data');
    const recording = join(folder, 'rec.jsonl');
    const text = recordingOf(
      Array.from({ length: 20_000 }, (_, index) => ({ args: `{"code":${index}}`, result: RESULT })),
    );
    await writeFile(recording, text);
    await misstep(data, ['runs']);
    for (const waitMs of [250, 500, 750, 1000, 1300]) {
      const importing = start(['import', recording, '--data', data]);
      const ended = finish(importing);
      // The moment is the point of the test; whatever it hits has to hold.
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      importing.kill('SIGKILL');
      const { code } = await ended;
      const runs = (await misstep(data, ['runs', '--json'])).documents();
      if (code === 0) expect(runs).toHaveLength(1);
      for (const run of runs) expect(run).toMatchObject({ stepCount: 20_000 });
      const sources = await readdir(join(data, 'sources'), {
        recursive: true,
        withFileTypes: true,
      });
      expect(sources.filter((entry) => entry.isFile())).toHaveLength(runs.length);
      expect(await readdir(join(data, 'incoming'))).toEqual([]);
    }
    const last = await misstep(data, ['import', recording, '--json']);
    expect([last.exitCode, last.documents()]).toMatchObject([0, [{ runs: [{ steps: 20_000 }] }]]);
    expect((await misstep(data, ['runs', '--json'])).documents()).toHaveLength(1);
  }, 120_000);
});
