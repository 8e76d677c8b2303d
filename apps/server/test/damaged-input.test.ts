import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Services } from '../src/compose.ts';
import { fileOf } from './recordings.ts';
import { openTestServices } from './support.ts';
import { zipOf } from './zip-file.ts';

/** Every kind of damage and packing, over formats that are read in different ways. */
const FORMATS = [
  ['claude-code-jsonl', 'split-and-parallel.jsonl'],
  ['codex-rollout', 'stock.jsonl'],
  ['json-rpc-lines', 'bare.jsonl'],
  ['otlp-json', 'scattered.jsonl'],
  ['openai-messages', 'hive-requests.jsonl'],
  ['frame-log', 'night-shift.frames'],
] as const;

/** Formats whose records have ids that no others have. */
const SHARES: ReadonlySet<string> = new Set(['claude-code-jsonl', 'otlp-json']);

const BLANKS = Buffer.alloc(70 * 1024 * 1024, 0x20);

describe.each(FORMATS)('%s', (format, fixture) => {
  const isLines = format !== 'frame-log';
  const name = `recording-${fixture}`;
  let services: Services;
  let plain: Buffer;
  let whole: Awaited<ReturnType<typeof importOne>>;

  async function importOne(path: string, bytes: Uint8Array) {
    const [outcome] = await services.imports.importFiles([fileOf(path, bytes)]);
    if (outcome === undefined) throw new Error('no outcome');
    const { total, understood, setAside, notUnderstood, malformed } = outcome.records;
    expect(understood + (setAside ?? 0) + notUnderstood + malformed).toBe(total);
    if (outcome.error !== null) {
      expect(outcome.error.hint.length).toBeGreaterThan(10);
    }
    return outcome;
  }

  const stepCount = (outcome: { runs: readonly { steps: number }[] }) =>
    outcome.runs.reduce((sum, { steps }) => sum + steps, 0);

  async function reasonsOf(outcome: Awaited<ReturnType<typeof importOne>>): Promise<string[]> {
    const [run] = outcome.runs;
    if (run === undefined) return [];
    const { records } = await services.store.listUnused(run.id, { offset: 0, limit: 1000 });
    return records.map(({ reason }) => reason);
  }

  const cases: readonly (readonly [string, () => Promise<void>])[] = [
    [
      'a cut tail, then the whole file: one run that grew',
      async () => {
        const cut = await importOne(name, plain.subarray(0, plain.length - 9));
        expect(cut).toMatchObject({ error: null, format });
        expect(cut.records.malformed).toBeGreaterThanOrEqual(1);
        expect((await reasonsOf(cut)).join()).toMatch(/cut/);
        whole = await importOne(name, plain);
        expect(whole).toMatchObject({ error: null, format, alreadyImported: false });
        const ids = whole.runs.map(({ id }) => id);
        for (const { id } of cut.runs) expect(ids).toContain(id);
        expect(stepCount(whole)).toBeGreaterThan(0);
      },
    ],

    [
      'the same again, and an earlier state of it, change nothing',
      async () => {
        const before = await services.store.stats();
        expect(await importOne('copy', plain)).toMatchObject({
          error: null,
          alreadyImported: true,
        });
        const twice = await services.imports.importFiles([fileOf('a', plain), fileOf('b', plain)]);
        expect(twice.map(({ alreadyImported }) => alreadyImported)).toEqual([true, true]);
        expect((await services.store.stats()).runCount).toBe(before.runCount);
      },
    ],

    [
      'a file that was rotated is of the same run where it shares records that tell, else another',
      async () => {
        const first = plain.indexOf(10) + 1;
        const lines = isLines ? plain.subarray(first) : plain;
        const note = Buffer.from('F ! 9 9 stdio c9 5 3610a686\nhello\n');
        const rotated = isLines
          ? lines
          : Buffer.concat([plain.subarray(0, first), note, plain.subarray(first)]);
        const outcome = await importOne(name, rotated);
        expect(outcome.error).toBeNull();
        const ids = whole.runs.map(({ id }) => id);
        const isSame = SHARES.has(format);
        for (const { id } of outcome.runs) expect(ids.includes(id)).toBe(isSame);
        for (const id of ids) await services.store.getRun(id);
      },
    ],

    [
      'CRLF',
      async () => {
        const text = plain.toString('latin1').replaceAll('\n', '\r\n');
        const outcome = await importOne('crlf', Buffer.from(text, 'latin1'));
        if (isLines) {
          expect(outcome.error).toBeNull();
          expect(stepCount(outcome)).toBe(stepCount(whole));
          expect(outcome.records).toEqual(whole.records);
        } else {
          // The lengths in it count bytes: what was changed is no frame any more.
          expect(outcome.error?.message).toMatch(/can't be read|finds no run|No format/);
        }
      },
    ],

    [
      'UTF-16 with a mark',
      async () => {
        const little = Buffer.from(`\ufeff${plain.toString('utf8')}`, 'utf16le');
        for (const bytes of [little, Buffer.from(little).swap16()]) {
          const outcome = await importOne('utf16.txt', bytes);
          expect(outcome.error).toBeNull();
          expect(stepCount(outcome)).toBe(stepCount(whole));
          expect(outcome.records).toEqual(whole.records);
        }
      },
    ],

    [
      'gzip and zip',
      async () => {
        const zip = zipOf([{ name: fixture, bytes: plain }]);
        for (const [path, bytes] of [
          ['a.gz', gzipSync(plain)],
          ['a.zip', zip],
        ] as const) {
          const outcome = await importOne(path, bytes);
          expect(outcome).toMatchObject({ error: null, format });
          expect(stepCount(outcome)).toBe(stepCount(whole));
        }
      },
    ],

    [
      'gzip and zip bombs',
      async () => {
        const before = await services.store.stats();
        const bomb = Buffer.concat([plain, BLANKS]);
        const zip = zipOf([{ name: fixture, bytes: bomb }]);
        for (const [path, bytes] of [
          ['bomb.gz', gzipSync(bomb, { level: 9 })],
          ['bomb.zip', zip],
        ] as const) {
          const { error, runs } = await importOne(path, bytes);
          expect(error?.message).toMatch(/unpacks to more than 67108864 bytes/);
          expect(runs).toEqual([]);
        }
        expect((await services.store.stats()).runCount).toBe(before.runCount);
      },
    ],
    // These go on from the whole file, which they then stand for.
    [
      'NUL bytes that a crash left at the end',
      async () => {
        const outcome = await importOne(
          'nul',
          Buffer.concat([plain, Buffer.alloc(4096), Buffer.from('\n')]),
        );
        expect(outcome.error).toBeNull();
        expect(stepCount(outcome)).toBe(stepCount(whole));
        expect(outcome.records.malformed).toBe(whole.records.malformed + 1);
        expect(outcome.records.total).toBe(whole.records.total + 1);
      },
    ],

    [
      'invalid UTF-8',
      async () => {
        const line = Buffer.from('{"type":"\xff\xfe","role":"\xc3\x28"}\n', 'latin1');
        const outcome = await importOne('utf8', Buffer.concat([plain, line]));
        expect(outcome.error).toBeNull();
        expect(stepCount(outcome)).toBe(stepCount(whole));
        expect(outcome.records.total).toBe(whole.records.total + 1);
        const said = outcome.issues.map(({ code }) => code);
        expect(said).toContain(isLines ? 'INVALID_UTF8' : 'FRAME_LOG_DAMAGED');
      },
    ],
  ];

  test('is read as far as it can be, and says what it could not', {
    timeout: 120_000,
  }, async () => {
    const url = `../../../packages/importers/fixtures/${format}/${fixture}`;
    const bytes = readFileSync(new URL(url, import.meta.url));
    // What is added below stands on a line of its own.
    plain = bytes.at(-1) === 10 ? bytes : Buffer.concat([bytes, Buffer.from('\n')]);
    const failed: string[] = [];
    for (const [index, [what, run]] of cases.entries()) {
      services = await openTestServices();
      // What was read of another copy is no part of what this one gives.
      if (index > 0) whole = await importOne(name, plain);
      await run().catch((error: unknown) => failed.push(`${what}: ${String(error)}`));
    }
    expect(failed).toEqual([]);
  });
});
