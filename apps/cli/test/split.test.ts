import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { depotRun, depotServer } from './depot-server.ts';
import { misstep } from './support.ts';

const recorded = '{"code": "red", "limit": 9007199254740993,  "deep": {"a": [1, 2]}}';
const edited = '{"code":"blue","limit":9007199254740993,"deep":{"a":[1,3]},"new":1.0}';

test('each change goes out alone, with the recorded bytes around it', async () => {
  const { folder, dataFolder, runId } = await depotRun([recorded]);
  const file = join(folder, 'edited.json');
  await writeFile(file, `${edited}\n`);
  const words = ['replay', runId, '1', '--target', 'depot', '--arguments', file, '--split'];

  const unsent = await misstep(dataFolder, [...words, '--json']);
  expect([unsent.exitCode, unsent.documents()]).toMatchObject([
    1,
    [{ kind: 'split', ending: 'failed', replays: [] }],
  ]);
  expect(unsent.err).toContain('Plan: 3 calls');

  const sent = await misstep(dataFolder, [...words, '--yes', '--json']);
  const texts = [
    recorded.replace('"red"', '"blue"'),
    recorded.replace('[1, 2]', '[1, 3]'),
    recorded.replace('{"a": [1, 2]}', '{"a": [1, 2]},"new":1.0'),
  ];
  expect([sent.exitCode, sent.documents()]).toMatchObject([
    0,
    [
      {
        kind: 'split',
        ending: 'complete',
        reason: null,
        plan: {
          calls: [
            { pointer: '/code', before: '"red"', after: '"blue"', argumentsText: texts[0] },
            { pointer: '/deep/a/1', before: '2', after: '3', argumentsText: texts[1] },
            { pointer: '/new', before: null, after: '1.0', argumentsText: texts[2] },
          ],
        },
        replays: [{ pointer: '/code', outcome: 'result' }, {}, { pointer: '/new' }],
      },
    ],
  ]);
  for (const text of texts) expect(sent.err).toContain(text);
  // The server gives back the very bytes that came.
  const replays = sent.documents()[0]?.replays as { id: string }[];
  for (const [index, { id }] of replays.entries()) {
    const frames = await readFile(join(dataFolder, 'replays', `${id}.frames`), 'utf8');
    expect(frames).toContain(`"arguments":${texts[index] ?? '-'}`);
  }
}, 120_000);

test('what can not be split is said before anything starts', async () => {
  const { folder, dataFolder, runId } = await depotRun([recorded], depotServer());
  const file = join(folder, 'same.json');
  await writeFile(file, recorded.replace('"red"', '"blue"'));
  const words = ['replay', runId, '1', '--target', 'depot'];
  const single = await misstep(dataFolder, [...words, '--arguments', file, '--split', '--yes']);
  expect([single.exitCode, single.err]).toMatchObject([
    1,
    expect.stringContaining('Only `/code` differs'),
  ]);
  const bare = await misstep(dataFolder, [...words, '--split']);
  expect([bare.exitCode, bare.err]).toMatchObject([2, expect.stringContaining('--arguments')]);
  const other = ['--arguments', file, '--split', '--tool', 'peek'];
  expect((await misstep(dataFolder, [...words, ...other])).exitCode).toBe(2);
}, 120_000);
