import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, misstep } from './support.ts';

/** A session whose model calls are written over two lines each, as the client does. */
function sessionOf(...models: readonly string[]): string {
  const at = (second: number) => `2026-01-05T09:00:${String(second).padStart(2, '0')}.000Z`;
  const head = { sessionId: 's1', cwd: '/desk', version: '2.1.0' };
  const asked = { role: 'user', content: 'How many bells?' };
  const records: object[] = [
    { ...head, type: 'user', uuid: 'u0', parentUuid: null, timestamp: at(0), message: asked },
  ];
  for (const [index, model] of models.entries()) {
    const usage = { input_tokens: 1_000_000, output_tokens: 100_000 };
    for (const [part, text] of ['Looking.', 'Four.'].entries()) {
      records.push({
        ...head,
        type: 'assistant',
        uuid: `u${index}-${part}`,
        parentUuid: part === 0 ? 'u0' : `u${index}-0`,
        requestId: `req_${index}`,
        timestamp: at(index * 2 + part + 1),
        message: {
          id: `msg_${index}`,
          role: 'assistant',
          model,
          content: [{ type: 'text', text }],
          usage,
        },
      });
    }
  }
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

async function importedSession(...models: readonly string[]): Promise<string> {
  const dataFolder = await makeFolder();
  const path = join(await makeFolder(), 'bells.jsonl');
  await writeFile(path, sessionOf(...models));
  expect((await misstep(dataFolder, ['import', path])).exitCode).toBe(0);
  return dataFolder;
}

async function costOf(dataFolder: string) {
  const [run] = (await misstep(dataFolder, ['runs', '--json'])).documents();
  return Reflect.get(Object(run), 'cost');
}

test('a run costs what its tokens do, once for each message, and prices of yours hold at once', async () => {
  const dataFolder = await importedSession('claude-sonnet-4-5-20250929', 'house-model');
  expect(await costOf(dataFolder)).toEqual({
    usd: '4.5',
    evidence: 'derived',
    atLeast: true,
    callCount: 2,
    costedCallCount: 1,
    statedUsd: null,
    recordedUsd: null,
    recordedCallCount: 0,
    derivedUsd: '4.5',
    derivedCallCount: 1,
    differs: false,
    unpricedModels: ['house-model'],
  });
  const [listed] = (await misstep(dataFolder, ['prices', '--json'])).documents();
  expect(listed).toMatchObject({
    problem: null,
    unpricedModels: [{ model: 'house-model', runCount: 1, callCount: 1, tokens: 1_100_000 }],
  });
  const words = ['prices', 'set', 'house-*', '--input', '0.5', '--output', '1.25', '--json'];
  const [set] = (await misstep(dataFolder, words)).documents();
  expect(set).toMatchObject({ unpricedModels: [] });
  expect(await costOf(dataFolder)).toMatchObject({
    usd: '5.125',
    costedCallCount: 2,
    // Long input of this model costs more than its row says.
    atLeast: true,
    unpricedModels: [],
  });
  const shown = await misstep(dataFolder, ['show', await runId(dataFolder)]);
  expect(shown.out).toContain('Cost: at least $5.125 derived\n');
  const steps = (await misstep(dataFolder, ['show', await runId(dataFolder), '--json']))
    .documents()
    .filter(({ kind }) => kind === 'model');
  expect(steps.map(({ cost }) => cost)).toMatchObject([
    { derivedUsd: '4.5', atLeast: true, price: { model: 'claude-sonnet-4-5', origin: 'builtIn' } },
    { derivedUsd: '0.625', atLeast: false, price: { model: 'house-*', origin: 'yours' } },
  ]);
  expect((await misstep(dataFolder, ['prices', 'reset', 'house-*'])).exitCode).toBe(0);
  expect(await costOf(dataFolder)).toMatchObject({ usd: '4.5' });
  const again = await misstep(dataFolder, ['prices', 'reset', 'house-*', '--json']);
  expect(again.exitCode).toBe(1);
  expect(again.documents()).toMatchObject([{ error: { code: 'PRICE_NOT_FOUND' } }]);
});

async function runId(dataFolder: string): Promise<string> {
  const [run] = (await misstep(dataFolder, ['runs', '--json'])).documents();
  return String(run?.id);
}

test('a price file that was damaged by hand is said, left alone, and the table holds', async () => {
  const dataFolder = await importedSession('claude-haiku-4-5');
  const path = join(dataFolder, 'prices.json');
  const damaged = '{"version":1,"prices":[{"model":"claude-haiku-4-5","input":0.5}]}';
  await writeFile(path, damaged);
  const listed = await misstep(dataFolder, ['prices']);
  expect(listed.err).toContain('does not have the form of docs/prices.md (/prices/0/input:');
  expect(await costOf(dataFolder)).toMatchObject({ usd: '1.5' });
  const words = ['prices', 'set', 'x', '--input', '1', '--output', '1', '--json'];
  const refused = await misstep(dataFolder, words);
  expect(refused.documents()).toMatchObject([{ error: { code: 'PRICES_UNREADABLE' } }]);
  expect(await readFile(path, 'utf8')).toBe(damaged);
});

test.each([
  ['a folder of its name', null, 'cannot be read (EISDIR)'],
  ['two prices of one model', ['2026-01-15', 'x', ' X'], 'has two prices of "X"'],
  ['a day that no calendar has', ['2026-02-30', 'x'], '/prices/0/date:'],
])('%s: the table alone holds', async (_what, given, words) => {
  const dataFolder = await importedSession('claude-haiku-4-5');
  const path = join(dataFolder, 'prices.json');
  if (given === null) await mkdir(path);
  else {
    const [date, ...models] = given;
    const amounts = { input: '1', cacheRead: null, cacheWrite: null, output: '1' };
    const rest = { ...amounts, longInputCostsMore: false, date, source: 'x' };
    const prices = models.map((model) => ({ model, ...rest }));
    await writeFile(path, JSON.stringify({ version: 1, prices }));
  }
  const listed = await misstep(dataFolder, ['prices']);
  expect(listed.err).toContain(words);
  expect(listed.exitCode).toBe(0);
  expect(await costOf(dataFolder)).toMatchObject({ usd: '1.5' });
  const shown = await misstep(dataFolder, ['show', await runId(dataFolder)]);
  expect(shown.out).toContain('$1.5');
});

test('a model with an escape sequence in its name is told with it visible', async () => {
  const words = ['prices', 'set', 'a\u001b[31m', '--input', '1', '--output', '1'];
  const { err, exitCode } = await misstep(await makeFolder(), words);
  expect([exitCode, err.includes('\u001b'), err.includes('a\\u001b[31m')]).toEqual([
    0,
    false,
    true,
  ]);
});

test('amounts are exact or refused', async () => {
  const dataFolder = await makeFolder();
  for (const words of [
    ['prices', 'set', 'x', '--input', '1'],
    ['prices', 'set', 'x', '--input', '$1', '--output', '1'],
    ['prices', 'set', 'x', '--input', '0.0000001', '--output', '1'],
    ['prices', 'set', '--input', '1', '--output', '1'],
    ['prices', 'reset'],
    ['prices', 'reset', 'x', '--all'],
  ]) {
    expect([words, (await misstep(dataFolder, words)).exitCode]).toEqual([words, 2]);
  }
});
