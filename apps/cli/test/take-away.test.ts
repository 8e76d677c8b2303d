import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { depotRun } from './depot-server.ts';
import { misstep } from './support.ts';

test('take-away writes the call in every form that fits, with the recorded argument text', async () => {
  const recorded = `{"code": 9007199254740993, "s": "it's"}`;
  const { folder, dataFolder, runId } = await depotRun([recorded]);
  const take = (...words: string[]) =>
    misstep(dataFolder, ['take-away', runId, '1', '--target', 'depot', ...words]);

  const frames = await take('--as', 'frames');
  expect(frames.out.split('\n')[2]).toBe(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_parcel","arguments":${recorded}}}`,
  );
  const out = join(folder, 'call.sh');
  expect((await take('--as', 'shell', '--out', out)).exitCode).toBe(0);
  const script = (await readFile(out, 'utf8')).replace('sleep 10', 'sleep 1');
  expect(execFileSync('/bin/sh', ['-c', script]).toString()).toContain('9007199254740993');
  expect((await take('--as', 'shell', '--out', out)).exitCode).toBe(2);

  const [node] = (await take('--as', 'node', '--json')).documents();
  expect(node).toMatchObject({ as: 'node', fileName: 'call.test.mjs' });
  expect(String(node?.notes)).toContain('9007199254740992');
  expect((await take('--as', 'pytest')).out).toContain('def test_call');
  const curl = await take('--as', 'curl', '--json');
  expect([curl.exitCode, curl.documents()]).toMatchObject([
    1,
    [{ error: { code: 'REQUEST_INVALID' } }],
  ]);
  expect((await take('--as', 'powershell')).exitCode).toBe(2);
});
