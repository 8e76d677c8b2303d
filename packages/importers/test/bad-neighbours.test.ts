import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseFormat, type ImportResult, importerById, makeSourceHead } from '../src/index.ts';
import { tnet } from './encode-tnetstring.ts';
import { expectAccountsAddUp, expectSchemas, expectValuesReread } from './invariants.ts';
import { FIXTURES_FOLDER, sourceOf, sourceOfText, stepsOf } from './support.ts';

/** One bad part costs itself: neither those beside it nor much time. */

async function read(id: string, bytes: Uint8Array | string): Promise<ImportResult> {
  const main = typeof bytes === 'string' ? sourceOfText(bytes) : sourceOf('any', bytes);
  const importer = importerById(id);
  if (importer === null) throw new Error(`no importer ${id}`);
  const result = await importer.read({ main, companions: [] });
  expectAccountsAddUp(result, [main]);
  expectSchemas(result);
  await expectValuesReread(result, [main]);
  return result;
}

const call = (id: number): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"cast","arguments":{"bell":${id}}}}`;
const answer = (id: number): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"rung ${id}"}]}}`;

describe('JSON-RPC', () => {
  test.each(['5', 'null', '"x"', '{}', '[]', `[${call(9)}]`])(
    'a batch with %s in it keeps its messages',
    async (bad) => {
      const result = await read(
        'json-rpc-lines',
        `[${bad},${call(1)},${call(2)}]\n[${answer(1)},${bad},${answer(2)}]\n`,
      );
      const calls = stepsOf(result).map(({ callId, status }) => [callId, status]);
      expect(calls).toEqual([
        ['1', 'ok'],
        ['2', 'ok'],
      ]);
      const issue = result.issues.find(({ code }) => code === 'BATCH_PART_NOT_READ');
      expect(issue?.message).toMatch(/^2 parts of batches that are no JSON-RPC/);
      expect(result.sources[0]?.records).toMatchObject({ total: 2, understood: 2 });
      const remarks = result.runs[0]?.frames.map(({ remark }) => remark);
      expect(remarks).toEqual(Array(2).fill('batch of 3 values, 1 of them no JSON-RPC'));
    },
  );

  test.each(['', '{"dir":"send","msg":'])('nested arrays (%j) cost one line', async (open) => {
    const deep = `${open}${'['.repeat(20_000)}${']'.repeat(20_000)}${open === '' ? '' : '}'}`;
    const text = `${call(1)}\n${deep}\n${answer(1)}\n`;
    const result = await read('json-rpc-lines', text);
    expect(stepsOf(result).map(({ status }) => status)).toEqual(['ok']);
    expect(result.sources[0]?.records).toMatchObject({ total: 3, understood: 2 });
    const head = await makeSourceHead(sourceOfText(text));
    expect(chooseFormat(head).importer?.id).toBe('json-rpc-lines');
  });
});

describe('mitmproxy', () => {
  const flows = new Uint8Array(readFileSync(join(FIXTURES_FOLDER, 'mitmproxy/ferry.mitm')));
  const twice = async (...between: Uint8Array[]): Promise<ImportResult> =>
    read('mitmproxy', new Uint8Array(Buffer.concat([flows, ...between, flows])));

  test.each<[string, Uint8Array]>([
    ['a list', tnet(['no', 'flow'])],
    ['text', tnet('no flow')],
    ['garbage', Buffer.from('\n12 <garbage>\n99:x')],
    ['a flow that was cut', flows.subarray(0, 300)],
    ['zeros', new Uint8Array(2000)],
  ])('%s between two files costs itself alone', async (_name, between) => {
    const whole = (await read('mitmproxy', flows)).sources[0]?.records;
    const { records, unused } = (await twice(between)).sources[0] ?? {};
    expect(records?.understood).toBe(2 * (whole?.understood ?? 0));
    expect(records?.malformed).toBe((whole?.malformed ?? 0) * 2 + 1);
    const lost = unused?.find(({ state }) => state === 'malformed');
    expect([lost?.offset, lost?.length]).toEqual([flows.length, between.length]);
  });
});

describe('Cursor', () => {
  const text = readFileSync(join(FIXTURES_FOLDER, 'cursor-markdown/windows.md'), 'utf8');

  test('an export that was translated for Windows twice reads as it was', async () => {
    const twice = text.replaceAll('\r\n', '\r\r\n');
    const { importer } = chooseFormat(await makeSourceHead(sourceOfText(twice)));
    expect(importer?.id).toBe('cursor-markdown');
    const brief = async (of: string) =>
      stepsOf(await read('cursor-markdown', of)).map(({ kind, summary }) => [kind, summary]);
    expect(await brief(twice)).toEqual(await brief(text));
  });
});

describe('YAML', () => {
  const transcript = (args: string): string =>
    `meta:\n  version: 1\n  session_id: "x"\nmessages:\n- t: 0\n  dir: c2s\n  payload:\n    jsonrpc: "2.0"\n    id: 1\n    method: tools/call\n    params: {name: ring, arguments: ${args}}\n- t: 1\n  dir: s2c\n  payload:\n    jsonrpc: "2.0"\n    id: 1\n    result: {content: []}\n`;

  test('an alias is the last node before it with its anchor, also where another repeats it', async () => {
    const result = await read(
      'mcp-vcr',
      transcript('{a: &x 1, b: &y [*x], c: &x 2, d: *y, e: *x}'),
    );
    const args = stepsOf(result)[0]?.arguments;
    expect(args?.state === 'notCaptured' ? null : args?.inlineText).toBe(
      '{"a":1,"b":[1],"c":2,"d":[1],"e":2}',
    );
  });

  test.each([
    ['a list of itself', '&a [*a]'],
    ['a deep list', `${'['.repeat(60_000)}${']'.repeat(60_000)}`],
  ])('%s costs its message alone', async (_name, args) => {
    const { sources } = await read('mcp-vcr', transcript(args));
    expect(sources[0]?.records).toMatchObject({ malformed: 1, understood: 2 });
  });

  test.each([
    ['aliases', `[&a x${',*a'.repeat(20_000)}]`],
    ['anchors', `[${Array.from({ length: 10_000 }, (_, n) => `&a${n} x,*a${n} `).join(',')}]`],
  ])(
    'many %s are read in time of their number',
    async (_name, args) => {
      const { sources } = await read('mcp-vcr', transcript(args));
      expect(sources[0]?.records).toMatchObject({ total: 3, understood: 3 });
    },
    // Asking for each alias anew took minutes.
    30_000,
  );
});
