import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Services } from '../src/compose.ts';
import { fileOf } from './recordings.ts';
import { openTestServices, smallRecording } from './support.ts';
import { zipOf } from './zip-file.ts';

const INSPECT_CORPUS = new URL('../../../../shared/corpus/inspect/', import.meta.url).pathname;

const encode = (text: string) => new TextEncoder().encode(text);
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function importOne(services: Services, path: string, bytes: Uint8Array | string) {
  const outcomes = await services.imports.importFiles([fileOf(path, bytes)]);
  expect(outcomes).toHaveLength(1);
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('no outcome');
  return outcome;
}

/** Steps without what names the source. */
async function stepsOf(services: Services, outcome: Awaited<ReturnType<typeof importOne>>) {
  const [run] = outcome.runs;
  if (run === undefined) throw new Error(`no run: ${outcome.error?.message}`);
  return services.store.listSteps(run.id);
}

async function sourceCount(services: Services): Promise<number> {
  const folder = join(services.store.dataFolder, 'sources');
  const names = existsSync(folder) ? await readdir(folder, { recursive: true }) : [];
  const files = await Promise.all(names.map((name) => stat(join(folder, name))));
  return files.filter((file) => file.isFile()).length;
}

function sampleOf(id: number): string {
  return JSON.stringify({
    id,
    epoch: 1,
    input: `Count the gulls at pier ${id}.`,
    messages: [
      { role: 'user', content: `Count the gulls at pier ${id}.` },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: `c${id}`, function: 'count', arguments: { pier: id }, type: 'function' },
        ],
      },
      { role: 'tool', tool_call_id: `c${id}`, function: 'count', content: `${id + 3} gulls` },
    ],
  });
}

const HEADER = JSON.stringify({
  version: 2,
  eval: { task: 'gulls', run_id: 'r1', model: 'demo/heron-1' },
});

describe('one compressed file', () => {
  test('gzip, zstd and UTF-16 give the steps that the plain text gives', async () => {
    const text = smallRecording();
    const services = await openTestServices();
    const plain = await importOne(services, 'a.jsonl', text);
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
    const bigEndian = Buffer.from(utf16).swap16();
    const half = Math.floor(text.length / 2);
    const members = Buffer.concat([gzipSync(text.slice(0, half)), gzipSync(text.slice(half))]);
    for (const [path, bytes] of [
      ['a.jsonl.gz', gzipSync(text)],
      ['two-members.jsonl.gz', members],
      ['a.txt', utf16],
      ['b.txt', bigEndian],
    ] as const) {
      const own = await openTestServices();
      const outcome = await importOne(own, path, bytes);
      expect(outcome).toMatchObject({ error: null, format: plain.format, path });
      expect(outcome.source?.sha256).toBe(sha256Of(bytes));
      expect(outcome.records).toEqual(plain.records);
      expect(outcome.runs.map(({ id }) => id)).toEqual(plain.runs.map(({ id }) => id));
      expect(await stepsOf(own, outcome)).toEqual(await stepsOf(services, plain));
      const [run] = outcome.runs;
      const { sources } = await own.store.getRun(run?.id ?? ('' as never));
      expect(sources.map(({ role }) => role)).toEqual(['main', 'container']);
      const container = sources.at(-1)?.sha256 ?? ('' as never);
      expect(await readFile(await own.store.sourcePath(container))).toEqual(Buffer.from(bytes));
      const again = await importOne(own, path, bytes);
      expect(again.alreadyImported).toBe(true);
    }
  });

  test('a cut one gives what stands before the cut, and says so', async () => {
    const services = await openTestServices();
    const whole = gzipSync(smallRecording().repeat(40), { level: 1 });
    const outcome = await importOne(services, 'cut.gz', whole.subarray(0, whole.length - 9));
    expect(outcome.error).toBeNull();
    expect(outcome.runs).toHaveLength(1);
    expect(outcome.issues.map(({ code }) => code)).toContain('CONTAINER_DAMAGED');
  });

  test('one that unpacks to far too much is refused, and leaves nothing behind', async () => {
    const services = await openTestServices();
    const bomb = gzipSync(Buffer.alloc(70 * 1024 * 1024, 0x20));
    const outcomes = await services.imports.importFiles([
      fileOf('bomb.gz', bomb),
      fileOf('good.jsonl', smallRecording()),
    ]);
    expect(outcomes[0]?.error?.code).toBe('IMPORT_UNREADABLE');
    expect(outcomes[0]?.error?.message).toMatch(/^bomb\.gz unpacks to more than 67108864 bytes/);
    expect(outcomes[1]).toMatchObject({ error: null });
    expect(await sourceCount(services)).toBe(1);
  });
});

const zstd = ['/usr/bin/zstd', '/usr/local/bin/zstd'].find((path) => existsSync(path));
if (zstd === undefined) console.info('There is no zstd command: its test is skipped.');

async function zstdOf(text: string): Promise<Uint8Array> {
  const running = promisify(execFile)(zstd ?? '', ['-c', '-q'], {
    encoding: 'buffer',
    maxBuffer: 1 << 28,
  });
  running.child.stdin?.end(text);
  return (await running).stdout;
}

describe.skipIf(zstd === undefined)('zstd', () => {
  test('is read, alone, in frames and as the method of a ZIP entry', async () => {
    const text = smallRecording();
    const services = await openTestServices();
    const plain = await importOne(services, 'a.jsonl', text);
    const half = Math.floor(text.length / 2);
    const frames = [await zstdOf(text.slice(0, half)), await zstdOf(text.slice(half))];
    // A frame that is to be skipped, with four bytes in it.
    const skipped = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]);
    const whole = await zstdOf(text);
    for (const bytes of [whole, Buffer.concat(frames), Buffer.concat([skipped, whole])]) {
      const own = await openTestServices();
      const outcome = await importOne(own, 'a.jsonl.zst', bytes);
      expect(await stepsOf(own, outcome)).toEqual(await stepsOf(services, plain));
    }
    const own = await openTestServices();
    const sampleText = sampleOf(1).padEnd(400_000);
    const sample = { name: 'samples/1_epoch_1.json', method: 93, packed: await zstdOf(sampleText) };
    const header = { name: 'header.json', bytes: encode(HEADER) };
    const right = zipOf([{ ...sample, bytes: encode(sampleText) }, header]);
    const outcome = await importOne(own, 'a.eval', right);
    expect(outcome).toMatchObject({ error: null, runs: [{ title: 'gulls: sample 1, epoch 1' }] });
    const wrong = zipOf([{ ...sample, bytes: encode(`${sampleText} `) }, header]);
    expect((await importOne(own, 'b.eval', wrong)).error?.message).toContain('checksum');
  });

  test('a window that is larger than any that is kept is told', async () => {
    const services = await openTestServices();
    // No single segment, a window of 2 GiB, an empty last block.
    const bytes = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xa8, 1, 0, 0]);
    const { error } = await importOne(services, 'wide.zst', bytes);
    expect(error?.message).toContain('a window of 2147483648 bytes');
  });

  test('a bomb is refused', async () => {
    const services = await openTestServices();
    const bomb = await zstdOf(' '.repeat(70 * 1024 * 1024));
    const outcome = await importOne(services, 'bomb.zst', bomb);
    expect(outcome.error?.message).toMatch(/unpacks to more than/);
    expect(await sourceCount(services)).toBe(0);
  });
});

describe('an evaluation log of Inspect', () => {
  const entries = [
    { name: '_journal/start.json', bytes: encode(HEADER) },
    { name: 'samples/1_epoch_1.json', bytes: encode(sampleOf(1)) },
    { name: 'samples/2_epoch_1.json', bytes: encode(sampleOf(2)), method: 0 },
    { name: 'summaries.json', bytes: encode('[]') },
    { name: 'reductions.json', bytes: encode('[]') },
    { name: 'header.json', bytes: encode(HEADER) },
  ];

  test('gives a run a sample, with values that stand in the unpacked entry', async () => {
    const services = await openTestServices();
    const bytes = zipOf(entries);
    const outcome = await importOne(services, 'gulls.eval', bytes);
    expect(outcome).toMatchObject({ error: null, format: 'inspect-json', issues: [] });
    expect(outcome.runs.map(({ title }) => title)).toEqual([
      'gulls: sample 1, epoch 1',
      'gulls: sample 2, epoch 1',
    ]);
    // Six entries, and three messages in each of two samples.
    expect(outcome.records).toEqual({
      total: 6 + 3 + 3,
      understood: 3 + 3 + 3,
      setAside: 3,
      notUnderstood: 0,
      malformed: 0,
    });
    const [first] = outcome.runs;
    const run = await services.store.getRun(first?.id ?? ('' as never));
    expect(run.run.model).toBe('demo/heron-1');
    expect(run.sources.map(({ role, part, name }) => [role, part, name])).toEqual([
      ['main', null, '1_epoch_1.json'],
      ['companion', 'header.json', 'header.json'],
      ['container', 'samples/1_epoch_1.json', 'gulls.eval'],
    ]);
    const steps = await stepsOf(services, outcome);
    const call = steps.find(({ kind }) => kind === 'tool');
    const origin = call?.arguments?.origin;
    if (origin == null) throw new Error('the arguments stand nowhere');
    const read = await services.store.readSource(origin.sha256, origin.offset, origin.length);
    expect(new TextDecoder().decode(read)).toBe('{"pier":1}');
    expect(run.sources.map(({ sha256 }) => sha256)).toContain(sha256Of(bytes));
  });

  test('is the same with 64-bit sizes, and gives the samples that a cut one still holds', async () => {
    const plain = await openTestServices();
    const { runs } = await importOne(plain, 'gulls.eval', zipOf(entries));
    const long = await openTestServices();
    const outcome = await importOne(long, 'gulls.eval', zipOf(entries, { zip64: true }));
    expect(outcome.runs).toEqual(runs);
    const cut = await openTestServices();
    const bytes = zipOf(entries);
    const half = await importOne(cut, 'cut.eval', bytes.subarray(0, bytes.length - 200));
    expect(half.issues[0]?.code).toBe('CONTAINER_DAMAGED');
    expect(half.runs.map(({ id }) => id)).toEqual(runs.map(({ id }) => id));
  });

  test('every cut of one gives an outcome, not an exception', async () => {
    const services = await openTestServices();
    const bytes = zipOf(entries);
    for (let length = 4; length < bytes.length; length += 97) {
      const outcome = await importOne(services, 'cut.eval', bytes.subarray(0, length));
      expect(outcome.error !== null || outcome.runs.length > 0).toBe(true);
      if (outcome.error !== null) expect(outcome.error.code).not.toBe('INTERNAL');
    }
  });
});

describe('any other ZIP file', () => {
  test('with a file an event is one conversation, in the order of the numbers', async () => {
    const eventOf = (number: number, source: 'user' | 'agent', text: string) => ({
      name: `talk/events/event-0000${number}-x.json`,
      bytes: encode(
        JSON.stringify({
          kind: 'MessageEvent',
          id: `e${number}`,
          timestamp: `2026-11-20T09:15:0${number}.5`,
          source,
          llm_message: { role: source === 'user' ? 'user' : 'assistant', content: text },
        }),
      ),
    });
    const services = await openTestServices();
    const bytes = zipOf([eventOf(2, 'agent', 'At the weir.'), eventOf(1, 'user', 'Where is it?')]);
    const outcome = await importOne(services, 'talk.zip', bytes);
    expect(outcome).toMatchObject({ error: null, format: 'openhands', runs: [{ steps: 2 }] });
    expect(outcome.records).toMatchObject({ total: 2 + 2, understood: 2 + 2 });
    const steps = await stepsOf(services, outcome);
    expect(steps.map(({ summary }) => summary)).toEqual(['Where is it?', 'At the weir.']);
  });

  test('gives the recordings in it; what is none is counted with its place', async () => {
    const services = await openTestServices();
    const bytes = zipOf([
      { name: 'logs/', bytes: new Uint8Array(0) },
      { name: '__proto__', bytes: encode(smallRecording()) },
      { name: '../../picture.png', bytes: Buffer.from([0x89, 0x50, 0, 0, 0, 1, 2, 3]) },
      { name: 'locked.jsonl', bytes: encode('secret'), flags: 0x801 },
      { name: '__MACOSX/a', bytes: encode('x') },
    ]);
    const outcome = await importOne(services, 'logs.zip', bytes);
    expect(outcome).toMatchObject({ error: null, runs: [{}] });
    const [run] = outcome.runs;
    const unused = await services.store.listUnused(run?.id ?? ('' as never), {
      offset: 0,
      limit: 10,
    });
    const ofContainer = unused.records.filter(({ sha256 }) => sha256 === sha256Of(bytes));
    expect(ofContainer.map(({ state, reason }) => [state, reason])).toEqual([
      ['malformed', 'locked.jsonl: it is encrypted'],
      ['setAside', '__MACOSX/a: a note of the file manager'],
      ['notUnderstood', '../../picture.png: no format recognises it'],
    ]);
    expect(await sourceCount(services)).toBe(2);
  });

  test('holding none fails with one sentence; bombs and nested ones are refused', async () => {
    const services = await openTestServices();
    const none = await importOne(services, 'a.zip', zipOf([]));
    expect(none.error?.message).toMatch(/a\.zip holds no recording/);
    const lying = zipOf([
      { name: 'a', bytes: Buffer.alloc(70 * 1024 * 1024, 0x20), statedBytes: 5 },
    ]);
    expect((await importOne(services, 'c.zip', lying)).error?.message).toMatch(/unpacks to more/);
    let nested: Uint8Array = encode(smallRecording());
    for (let depth = 0; depth < 5; depth += 1) nested = zipOf([{ name: 'a', bytes: nested }]);
    expect((await importOne(services, 'd.zip', nested)).error).not.toBeNull();
    const twice = gzipSync(zipOf([{ name: 'a.jsonl', bytes: encode(smallRecording()) }]));
    expect((await importOne(services, 'e.zip.gz', twice)).runs).toHaveLength(1);
    expect(await sourceCount(services)).toBe(3);
  });
});

const corpus = existsSync(INSPECT_CORPUS);
if (!corpus) console.info('The corpus is not there: its evaluation logs are skipped.');

describe.skipIf(!corpus)('real evaluation logs', () => {
  test.each([
    ['log_read_sample.eval', 1],
    ['log_streaming.eval', 4],
    ['2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval', 10],
  ])('%s: a run a sample, and its SHA-256 stays', async (name, samples) => {
    const services = await openTestServices();
    const bytes = await readFile(join(INSPECT_CORPUS, name));
    const outcome = await importOne(services, name, bytes);
    expect(outcome.error).toBeNull();
    expect(outcome.runs).toHaveLength(samples);
    expect(outcome.records).toMatchObject({ notUnderstood: 0, malformed: 0 });
    expect(outcome.runs.every(({ steps }) => steps > 0)).toBe(true);
    const [run] = outcome.runs;
    const { sources } = await services.store.getRun(run?.id ?? ('' as never));
    const kept = sources.find(({ role }) => role === 'container');
    expect(kept?.sha256).toBe(sha256Of(bytes));
    expect(await readFile(await services.store.sourcePath(kept?.sha256 ?? ('' as never)))).toEqual(
      bytes,
    );
  });
});
