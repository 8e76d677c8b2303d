import { Readable } from 'node:stream';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createImportService } from '../src/services/import-service.ts';
import { fileOf } from './recordings.ts';
import { openTestServices, smallRecording } from './support.ts';
import { zipOf } from './zip-file.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** Lines that differ, so that the packed bytes are many enough to be damaged in the middle. */
function longRecording(): string {
  return Array.from({ length: 300 }, (_, index) =>
    smallRecording().replaceAll('2026', String(2000 + (index % 20))),
  ).join('');
}

function damaged(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

describe('damaged compressed data', () => {
  test('give what stands before the damage, and leave the others of the batch alone', async () => {
    const services = await openTestServices();
    const text = smallRecording();
    const packed = gzipSync(text);
    const twice = Buffer.concat([packed, packed]);
    const cases: [string, Uint8Array][] = [
      ['checksum.gz', damaged(packed, packed.length - 6)],
      ['trailing.gz', Buffer.concat([packed, encode('something that is no gzip')])],
      ['second.gz', damaged(twice, packed.length + 12)],
      ['padded.gz', Buffer.concat([packed, new Uint8Array(40_000)])],
      ['header.gz', new Uint8Array([0x1f, 0x8b, 8])],
    ];
    const outcomes = await services.imports.importFiles([
      ...cases.map(([path, bytes]) => fileOf(path, bytes)),
      fileOf('good.jsonl', text),
    ]);
    const told = outcomes.map(({ path, runs, issues, error }) => [
      path,
      runs[0]?.steps ?? error?.code,
      issues.some(({ code }) => code === 'CONTAINER_DAMAGED'),
    ]);
    const steps = outcomes.at(-1)?.runs[0]?.steps;
    expect(steps).toBeGreaterThan(0);
    expect(told).toEqual([
      ['checksum.gz', steps, true],
      ['trailing.gz', steps, true],
      ['second.gz', steps, true],
      ['padded.gz', steps, false],
      ['header.gz', 'IMPORT_UNREADABLE', true],
      ['good.jsonl', steps, false],
    ]);
  });

  test('lose no more than what stands behind the damage, wherever that is', async () => {
    const services = await openTestServices();
    const text = longRecording();
    const packed = gzipSync(text);
    expect(packed.length).toBeGreaterThan(200);
    for (const part of [0.3, 0.9]) {
      // Of the data before the place alone, the unpacked bytes are known.
      const at = Math.floor(packed.length * part);
      const [whole, hurt] = await services.imports.importFiles([
        fileOf('cut.gz', packed.subarray(0, at)),
        fileOf('hurt.gz', damaged(packed, at)),
      ]);
      expect(hurt?.issues.map(({ code }) => code)).toContain('CONTAINER_DAMAGED');
      expect(hurt?.error).toBeNull();
      expect(hurt?.records.total).toBeGreaterThanOrEqual(whole?.records.total ?? Infinity);
      expect(hurt?.records.total).toBeGreaterThan(0);
    }
  });
});

describe('a ZIP file with one bad entry', () => {
  const good = { name: 'good.jsonl', bytes: encode(smallRecording()) };

  test.each([
    ['damaged data', { packed: damaged(deflateRawSync(good.bytes), 40) }],
    ['data that end early', { packed: deflateRawSync(good.bytes).subarray(0, 60) }],
    ['bytes behind its data', { packed: deflateRawSync(encode('short')) }],
  ])('%s: the good one is read', async (_what, bad) => {
    const services = await openTestServices();
    const bytes = encode(longRecording());
    const [outcome] = await services.imports.importFiles([
      fileOf('a.zip', zipOf([{ name: 'bad.jsonl', bytes, ...bad }, good])),
    ]);
    expect(outcome).toMatchObject({ error: null });
    expect(outcome?.runs).toHaveLength(1);
    const { malformed = 0, notUnderstood = 0 } = outcome?.records ?? {};
    expect(malformed + notUnderstood).toBe(1);
    expect(outcome?.issues.map(({ message }) => message).join()).toContain('bad.jsonl');
  });

  test.each([7, 0xfffffff0])(
    'a recording that states %d bytes is read, and that is told',
    async (statedBytes) => {
      const services = await openTestServices();
      const [outcome] = await services.imports.importFiles([
        fileOf('a.zip', zipOf([{ ...good, statedBytes }])),
      ]);
      expect(outcome?.runs).toHaveLength(1);
      expect(outcome?.issues.map(({ code }) => code)).toContain('ENTRY_SIZE_WRONG');
    },
  );

  test('entries without a byte are set aside, however many', async () => {
    const services = await openTestServices();
    const empty = Array.from({ length: 5000 }, (_, index) => ({
      name: `e${index}.jsonl`,
      bytes: new Uint8Array(),
      method: index % 2 === 0 ? 8 : 0,
    }));
    const [outcome, none] = await services.imports.importFiles([
      fileOf('a.zip', zipOf([...empty, good])),
      fileOf('b.zip', zipOf(empty)),
    ]);
    expect(outcome?.records).toMatchObject({ setAside: 5000, notUnderstood: 0 });
    expect(none?.error?.message).toContain('e0.jsonl: it is empty');
    expect(none?.records.total).toBe(5000);
    expect((await services.store.stats()).runCount).toBe(1);
  });
});

test('an entry that is named as JSON and is none is malformed, not a text', async () => {
  const services = await openTestServices();
  const cut = '{\n  "id": 1,\n  "input": "Count the terns at';
  const [outcome, alone] = await services.imports.importFiles([
    fileOf(
      'a.zip',
      zipOf([
        { name: 'samples/2_epoch_1.json', bytes: encode(cut) },
        { name: 'notes.jsonl', bytes: encode('Terns were counted twice.') },
        { name: 'good.jsonl', bytes: encode(smallRecording()) },
      ]),
    ),
    fileOf('b.zip', zipOf([{ name: 'cut.json', bytes: encode(cut) }])),
  ]);
  expect(outcome).toMatchObject({ error: null, runs: [{}] });
  expect(outcome?.records).toMatchObject({ notUnderstood: 0, malformed: 2 });
  expect(outcome?.issues.filter(({ code }) => code === 'RECORD_MALFORMED')).toMatchObject([
    { message: 'samples/2_epoch_1.json: it is named as JSON, and is none or cut' },
    { message: 'notes.jsonl: it is named as JSON, and is none or cut' },
  ]);
  expect(alone?.runs).toEqual([]);
  expect(alone?.error?.message).toContain('named as JSON');
});

test('a failure says that entries were not looked at', async () => {
  const services = await openTestServices();
  const empty = Array.from({ length: 20_001 }, (_, index) => ({
    name: `${index}.txt`,
    bytes: new Uint8Array(),
    method: 0,
  }));
  const [outcome] = await services.imports.importFiles([fileOf('a.zip', zipOf(empty))]);
  expect(outcome?.error?.message).toContain('1 entry beyond the first 20000 was not read.');
  expect(outcome?.issues.map(({ code }) => code)).toContain('ENTRIES_OMITTED');
});

test('each run from a ZIP file shows what became of the other entries, however they were saved', async () => {
  const services = await openTestServices();
  const parts = ['2026', '2025', '2024'].map((year) => ({
    name: `${year}.jsonl`,
    bytes: encode(smallRecording().replaceAll('2026', year)),
  }));
  const others = [1, 2].map((index) => ({
    name: `${index}.png`,
    bytes: Uint8Array.of(0x89, 0x50, 0, 0, 0, index),
  }));
  const zip = fileOf('a.zip', zipOf([...parts, ...others, { name: 'e', bytes: encode('') }]));
  const [outcome] = await services.imports.importFiles([zip]);
  expect(outcome?.runs).toHaveLength(3);
  for (const { id } of outcome?.runs ?? []) {
    const container = (await services.store.getRun(id)).sources.find(
      ({ role }) => role === 'container',
    );
    expect(container?.records).toMatchObject({ total: 6, notUnderstood: 2, setAside: 1 });
    const { records } = await services.store.listUnused(id, { offset: 0, limit: 50 });
    expect(records.filter(({ sha256 }) => sha256 === container?.sha256)).toHaveLength(3);
  }
});

test('cancelling a read that never goes on is answered at once, and the next one has its turn', async () => {
  const { store } = await openTestServices();
  let released = false;
  const hanging = new Proxy(store, {
    get(target, name) {
      if (name === 'sourcePath' && !released) return () => new Promise(() => undefined);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const imports = createImportService(hanging);
  onTestFinished(() => imports.close());
  const bytes = Buffer.from(smallRecording());
  const begin = () =>
    imports.begin({
      name: 'x',
      format: null,
      text: null,
      files: [{ name: 'x', sizeBytes: bytes.length }],
    });
  const first = await begin();
  await imports.upload(first.id, 0, Readable.from([bytes]));
  expect(await imports.dismiss(first.id)).toEqual({ cancelled: true });
  expect(imports.get(first.id).state).toBe('cancelled');
  released = true;
  const second = await begin();
  await imports.upload(second.id, 0, Readable.from([bytes]));
  while (imports.get(second.id).state === 'reading')
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(imports.get(second.id)).toMatchObject({ state: 'done' });
});
