import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { depotRun, depotServer } from './depot-server.ts';
import { misstep } from './support.ts';

const definition = (name: string, description: string, limit: object) =>
  JSON.stringify({
    name,
    description,
    inputSchema: { type: 'object', properties: { limit }, required: ['limit'] },
  });
const LIVE = definition('find_parcel', 'Finds parcels.', { type: 'integer', maximum: 9 });
const BROKEN = '{"name":"get_page","inputSchema":{"type":"object","required":["cursor"]}}';
const SERVER = depotServer(`{"tools":[${LIVE},${BROKEN}]}`, `'{"content":[]}'`);

test('schema tells what strict clients refuse, and what has changed since the recording', async () => {
  const { folder, dataFolder } = await depotRun(['{}'], SERVER);
  const recorded = definition('find_parcel', 'Finds a parcel.', { type: 'integer', maximum: 5 });
  const lines = [
    ['send', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
    ['recv', `{"jsonrpc":"2.0","id":1,"result":{"tools":[${recorded}]}}`],
    [
      'send',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"find_parcel","arguments":{"limit":"4"}}}',
    ],
    ['recv', '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}'],
  ].map(([dir, msg], at) => `{"ts":"2026-01-05T10:00:0${at}.000Z","dir":"${dir}","msg":${msg}}\n`);
  const path = join(folder, 'listed.jsonl');
  await writeFile(path, lines.join(''));
  const [imported] = (await misstep(dataFolder, ['import', '--json', path])).documents();
  const [run] = (imported?.runs ?? []) as { id: string }[];
  const shown = (await misstep(dataFolder, ['show', run?.id ?? '', '--json'])).documents();
  const call = shown.find(({ tool }) => tool === 'find_parcel');
  const words = [
    'replay',
    run?.id ?? '',
    String(call?.seq),
    '--target',
    'depot',
    '--yes',
    '--json',
  ];
  const [replay] = (await misstep(dataFolder, words)).documents();

  const report = await misstep(dataFolder, ['schema', String(replay?.id), '--json']);
  expect([report.exitCode, report.documents()]).toMatchObject([
    0,
    [
      {
        arguments: {
          strict: { verdict: 'refused', issues: [{ pointer: '/limit', line: 1, column: 10 }] },
          lenient: { verdict: 'accepted', coercions: [{ from: '"4"', to: '4' }] },
        },
        result: { verdict: 'nothing declared' },
        toolList: {
          sentence:
            'A strict client would drop all 2 tools because of `get_page`: required names `cursor`, which is not in properties.',
        },
        drift: {
          changes: [
            { pointer: '/description', effect: 'reading' },
            { pointer: '/inputSchema/properties/limit/maximum', effect: 'validation' },
          ],
        },
      },
    ],
  ]);
  const { out } = await misstep(dataFolder, ['schema', String(replay?.id)]);
  expect(out).toContain('run the agent again');
  expect(out).toContain('must be integer');
});
