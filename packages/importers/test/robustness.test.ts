import { describe, expect, test } from 'vitest';
import { type ImportResult, importerById, importers, type SourceReader } from '../src/index.ts';
import { expectAccountsAddUp, expectSchemas, expectValuesReread, readValue } from './invariants.ts';
import { sourceOf, sourceOfText, stepsOf } from './support.ts';

async function read(id: string, main: SourceReader): Promise<ImportResult> {
  const importer = importerById(id);
  if (importer === null) throw new Error(`no importer ${id}`);
  const result = await importer.read({ main, companions: [] });
  expectAccountsAddUp(result, [main]);
  expectSchemas(result);
  await expectValuesReread(result, [main]);
  return result;
}

/** Bytes of a text in which every `§` is a byte that no UTF-8 has. */
function withBadBytes(text: string): Uint8Array {
  const parts = text.split('§').map((part) => Buffer.from(part));
  const joined = parts.flatMap((part, index) =>
    index === 0 ? [part] : [Buffer.from([0xff]), part],
  );
  return new Uint8Array(Buffer.concat(joined));
}

test.each(['', '\ufeff'])(
  'what stands behind a document loses nothing of it (%j)',
  async (mark) => {
    const thread = `{"v":0,"id":"T-1","messages":[
    {"role":"user","content":[{"type":"text","text":"é?"}]}]}`;
    const alone = await read('amp-thread', sourceOfText(`${mark}${thread}`));
    const torn = await read('amp-thread', sourceOfText(`${mark}${thread}\n{"v":`));
    expect(stepsOf(torn).map(({ id }) => id)).toEqual(stepsOf(alone).map(({ id }) => id));
    expect(stepsOf(torn)).not.toEqual([]);
    expect(torn.sources[0]?.records.malformed).toBe(1);
  },
);

test.each([
  [
    'plain-text',
    [
      '→ find_x {"note": "first half',
      'Calling tool `stock.reorder` with arguments {"sku": "A-1"}',
      '    other half"}',
    ],
  ],
  ['plain-text', ['→ find_x {"fork": "tapered",', '{"rims": 3}', '    {"id": 2}], "next": 1']],
  ['cascade-markdown', ['### Planner Response', '', '*User accepted the command `wc -l', 'x`*']],
] as const)('what an unfinished piece of %s was read as stays there', async (id, lines) => {
  const idsOf = async (count: number): Promise<string[]> => {
    const text = `${lines.slice(0, count).join('\n')}\n`;
    return stepsOf(await read(id, sourceOfText(text))).map((step) => step.id);
  };
  const all = await idsOf(lines.length);
  expect(all).not.toEqual([]);
  for (let count = 1; count < lines.length; count += 1) {
    expect(all).toEqual(expect.arrayContaining(await idsOf(count)));
  }
});

describe('bytes that are no UTF-8', () => {
  const line = (args: string): string =>
    `{"type":"assistant","uuid":"é","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"x","input":${args}}]}}\n`;

  test.each([
    ['claude-code-jsonl', line('{"bin":"A§é"}'), '{"bin":"A\ufffdé"}'],
    [
      'json-rpc-lines',
      '{"jsonrpc":"2.0","id":"é","method":"tools/call","params":{"name":"x","arguments":{"bin":"A§é"}}}',
      '{"bin":"A\ufffdé"}',
    ],
    ['plain-text', 'é User: x\n→ find_x {"bin":"A§é"}\n', '{"bin":"A\ufffdé"}'],
    ['claude-code-terminal', 'é\n⏺ Bash(echo A§é)\n', 'echo A\ufffdé'],
  ])('%s', async (id, text, expected) => {
    const main = sourceOf('bad', withBadBytes(text));
    const result = await read(id, main);
    const issue = result.issues.find(({ code }) => code === 'INVALID_UTF8');
    expect(issue?.offset).toBe(Buffer.from(text.slice(0, text.indexOf('§'))).length);
    const call = stepsOf(result).find(({ kind }) => kind === 'tool');
    expect(call?.arguments && (await readValue(call.arguments, [main]))).toBe(expected);
  });
});

describe('names that JavaScript has its own idea of', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s', async (name) => {
    const session = [
      {
        type: 'assistant',
        uuid: name,
        sessionId: name,
        message: { id: name, content: [{ type: 'tool_use', id: name, name, input: {} }] },
      },
      {
        type: 'user',
        uuid: `${name}2`,
        parentUuid: name,
        message: { content: [{ type: 'tool_result', tool_use_id: name, content: name }] },
      },
    ];
    const lines = [
      { jsonrpc: '2.0', id: name, method: 'tools/call', params: { name, arguments: {} } },
      { jsonrpc: '2.0', id: name, result: { content: [] } },
    ];
    const text = (records: readonly object[]): string =>
      records.map((each) => JSON.stringify(each)).join('\n');
    for (const [id, source] of [
      ['claude-code-jsonl', text(session)],
      ['json-rpc-lines', text(lines)],
      ['plain-text', `→ tools/call ${name} {"${name}": 1}\n← ${name} {}`],
    ] as const) {
      const [call] = stepsOf(await read(id, sourceOfText(source))).filter(
        ({ kind }) => kind === 'tool',
      );
      expect([id, call?.tool, call?.status]).toEqual([id, name, 'ok']);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('large and deep', () => {
  const deep = '['.repeat(50_000);
  test.each([
    ['one line of 10 MB', `→ find_x {"a": "${'x'.repeat(10_000_000)}`],
    ['deep JSON', `→ find_x ${deep}`],
    [
      'deep JSON-RPC',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":${deep}${']'.repeat(50_000)}}}`,
    ],
    [
      'deep session',
      `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"x","input":${deep}${']'.repeat(50_000)}}]}}`,
    ],
    ['NUL and control characters', '→ a_b {"x": "\u0000\u0007"}\n\u0000\u0001\n⏺ \u0000\n'],
  ])('%s', async (_name, text) => {
    for (const { id } of importers) await read(id, sourceOfText(text));
  });
});

test('carriage returns stay out of values and in spans', async () => {
  const main = sourceOfText('User: hi\r\n→ find_x {"a": 1}\r\n← nothing\r\n');
  const steps = stepsOf(await read('plain-text', main));
  const texts = [];
  for (const { content, arguments: given, result } of steps) {
    for (const value of [content[0]?.value, given, result]) {
      if (value) texts.push(await readValue(value, [main]));
    }
  }
  expect(texts).toEqual(['hi', '{"a": 1}', 'nothing']);
});
