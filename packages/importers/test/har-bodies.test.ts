import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { importerById } from '../src/index.ts';
import { expectAccountsAddUp } from './invariants.ts';
import { sourceOfText } from './support.ts';

/** Bodies as recorders leave them: packed as they came, or cut in the request. */

const call = (id: number): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"weigh","arguments":{"crate":${id}}}}`;
const answer = (id: number, text: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${text}"}]}}`;

function entry(sent: string, content: object, headers: readonly object[] = []): object {
  return {
    startedDateTime: '2026-06-01T07:00:00.000Z',
    time: 20,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:9/mcp',
      headers: [],
      postData: { mimeType: 'application/json', text: sent },
    },
    response: { status: 200, headers, content: { mimeType: 'application/json', ...content } },
  };
}

async function read(entries: readonly object[]) {
  const main = sourceOfText(JSON.stringify({ log: { version: '1.2', entries } }));
  const result = await importerById('har')?.read({ main, companions: [] });
  if (result === undefined) throw new Error('no importer');
  expectAccountsAddUp(result, [main]);
  return { issues: result.issues, steps: result.runs.flatMap(({ steps }) => steps) };
}

test('a body that the recorder left packed is unpacked as the header says', async () => {
  const text = gzipSync(answer(1, '12 kg')).toString('base64');
  const packed = { encoding: 'base64', text };
  const header = { name: 'Content-Encoding', value: 'gzip' };
  const [step] = (await read([entry(call(1), packed, [header])])).steps;
  expect([step?.status, step?.result?.inlineText]).toEqual([
    'ok',
    expect.stringContaining('12 kg'),
  ]);
  // Without the header nothing says what the bytes are.
  const [unknown] = (await read([entry(call(1), packed)])).steps;
  expect([unknown?.status, unknown?.result?.state]).toEqual(['unanswered', 'notCaptured']);
});

test('a request that was cut is told, and its answer is lost to no other call', async () => {
  const { issues, steps } = await read([
    entry(call(1).slice(0, 50), { text: answer(1, 'of the cut one') }),
    entry(call(2), { text: answer(2, '12 kg') }),
  ]);
  expect(issues.map(({ code }) => code)).toEqual(['REQUEST_CUT']);
  expect(steps.map(({ status, callId }) => [status, callId])).toEqual([['ok', '2']]);
});
