import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chooseFormat,
  type Importer,
  type ImportResult,
  importers,
  makeSourceHead,
} from '../src/index.ts';
import { renderResult } from './expectation.ts';
import { type Fixture, listFixtures, loadFixture } from './fixtures.ts';
import {
  expectAccountsAddUp,
  expectSchemas,
  expectToolsReread,
  expectValuesReread,
} from './invariants.ts';
import { sourceOf, stepsOf } from './support.ts';

/** What every importer is held to, by its fixtures alone; a new one gets it for free. */

const fixtures = listFixtures();
const WINS_BY = 0.1;
const EVERY_BYTE_BELOW = 1_600;

test('there are fixtures', () => {
  expect(fixtures.length).toBeGreaterThan(importers.length);
});

describe.each(fixtures.map((fixture) => [fixture.name, fixture] as const))(
  '%s',
  (_name, fixture) => {
    const { importer } = fixture;

    test('its importer wins, and by a margin', async () => {
      const { main } = await loadFixture(fixture);
      const { importer: chosen, scores } = chooseFormat(await makeSourceHead(main));
      expect(chosen?.id).toBe(importer.id);
      const [first, second] = scores;
      const isLastResort = importer.id === 'plain-text' && (second?.score ?? 0) === 0;
      const lead = (first?.score ?? 0) - (second?.score ?? 0);
      expect(lead).toBeGreaterThan(isLastResort ? 0 : WINS_BY);
    });

    test('the result is the reviewed one', async () => {
      expect(existsSync(fixture.expectationPath)).toBe(true);
      const { result, readers } = await readFixture(fixture);
      const expected: unknown = JSON.parse(readFileSync(fixture.expectationPath, 'utf8'));
      const rendered = JSON.stringify(await renderResult(result, readers));
      expect(JSON.parse(rendered)).toEqual(expected);
    });

    test('schemas hold, accounts add up, every value re-reads from its origin', async () => {
      const { result, readers } = await readFixture(fixture);
      expectAccountsAddUp(result, readers);
      expectSchemas(result);
      await expectToolsReread(result, readers);
      const values = await expectValuesReread(result, readers);
      expect(values).toBeGreaterThan(0);
    });

    test('importing twice gives the same', async () => {
      const { result } = await readFixture(fixture);
      expect((await readFixture(fixture)).result).toEqual(result);
    });

    test('cut anywhere it still gives a result', async () => {
      const { main, companions } = await loadFixture(fixture);
      const bytes = await main.read(0, main.sizeBytes);
      const check = async (length: number): Promise<void> => {
        const cut = sourceOf(main.name, bytes.subarray(0, length));
        const result = await importer.read({ main: cut, companions });
        expectAccountsAddUp(result, [cut, ...companions.map(({ reader }) => reader)]);
      };
      if (bytes.length <= EVERY_BYTE_BELOW) {
        for (let length = 0; length < bytes.length; length += 1) await check(length);
      } else {
        const lengths = fc.integer({ min: 0, max: bytes.length - 1 });
        await fc.assert(fc.asyncProperty(lengths, check), { numRuns: 150 });
      }
    });

    test('a source that has grown keeps the ids of its steps', async () => {
      const { main, companions } = await loadFixture(fixture);
      const bytes = await main.read(0, main.sizeBytes);
      const whole = idsOf(await importer.read({ main, companions }));
      const missing: string[] = [];
      for (const length of lineEnds(bytes)) {
        const before = sourceOf(main.name, bytes.subarray(0, length));
        for (const id of idsOf(await importer.read({ main: before, companions }))) {
          if (!whole.has(id)) missing.push(`${id} of the first ${length} bytes`);
        }
      }
      expect(missing).toEqual([]);
    });
  },
);

describe.each(importers.map((importer) => [importer.id, importer] as const))(
  '%s',
  (_id, importer) => {
    test('reads the empty source as nothing', async () => {
      const result = await importer.read({
        main: sourceOf('empty', new Uint8Array()),
        companions: [],
      });
      expect(stepsOf(result)).toEqual([]);
      expect(result.sources[0]?.records.total).toBe(0);
    });

    test('reads any bytes without an exception', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), (bytes) => survives(importer, bytes)),
        {
          numRuns: 150,
        },
      );
    });

    test('reads any lines of JSON without an exception', async () => {
      const line = fc.oneof(
        fc.json({ maxDepth: 4 }),
        fc.json({ maxDepth: 4, stringUnit: 'binary' }),
        fc
          .record({
            type: fc.constantFrom('user', 'assistant', 'system', 'progress', 'summary'),
            message: fc.anything(),
            uuid: fc.string(),
          })
          .map((value) => JSON.stringify(value) ?? ''),
        fc
          .record(
            {
              jsonrpc: fc.constant('2.0'),
              id: fc.anything(),
              method: fc.anything(),
              params: fc.anything(),
              result: fc.anything(),
              error: fc.anything(),
            },
            { requiredKeys: ['jsonrpc'] },
          )
          .map((value) => jsonOf(value)),
        fc.constantFrom(...ODD_LINES),
      );
      const lines = fc.array(line, { maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(lines, (each) =>
          survives(importer, new TextEncoder().encode(each.join('\n'))),
        ),
        { numRuns: 200 },
      );
    });

    test('reads fixtures of every format, also of others, and mixtures of them', async () => {
      const texts = fixtures.map(({ path }) => new Uint8Array(readFileSync(path)));
      for (const bytes of texts) await survives(importer, bytes);
      const pick = fc.array(
        fc.tuple(fc.nat({ max: texts.length - 1 }), fc.nat({ max: 3000 }), fc.nat({ max: 300 })),
        { maxLength: 6 },
      );
      await fc.assert(
        fc.asyncProperty(pick, (pieces) => {
          const parts = pieces.map(
            ([index, from, length]) =>
              texts[index]?.subarray(from, from + length) ?? new Uint8Array(),
          );
          return survives(importer, new Uint8Array(Buffer.concat(parts)));
        }),
        { numRuns: 150 },
      );
    });

    test('mixtures of its fixtures keep their ids when they grow', async () => {
      const lines = fixtures
        .filter((fixture) => fixture.importer === importer)
        .flatMap(({ path }) => readFileSync(path, 'utf8').split('\n'));
      const mixture = fc.array(fc.constantFrom(...lines, '', ...ODD_LINES), {
        maxLength: 25,
        size: 'max',
      });
      await fc.assert(
        fc.asyncProperty(mixture, async (each) => {
          const ids = async (count: number): Promise<Set<string>> => {
            const text = each.slice(0, count).map((line) => `${line}\n`);
            const main = sourceOf('mixture', new TextEncoder().encode(text.join('')));
            return idsOf(await importer.read({ main, companions: [] }));
          };
          const whole = await ids(each.length);
          for (let count = 1; count < each.length; count += 1) {
            for (const id of await ids(count)) {
              if (!whole.has(id)) throw new Error(`step ${id} of the first ${count} lines is gone`);
            }
          }
        }),
        { numRuns: 120 },
      );
    });

    test('UTF-16 is told, not guessed', async () => {
      const main = sourceOf(
        'utf16.txt',
        new Uint8Array(Buffer.from('\ufeffUser: hello\n', 'utf16le')),
      );
      const result = await importer.read({ main, companions: [] });
      expect(result.issues.map(({ code }) => code)).toEqual(['UTF16_SOURCE']);
      expectAccountsAddUp(result, [main]);
    });

    test('stops when told to', async () => {
      const fixture = fixtures.find((each) => each.importer === importer);
      expect(fixture).toBeDefined();
      if (fixture === undefined) return;
      const { main, companions } = await loadFixture(fixture);
      const signal = AbortSignal.abort();
      await expect(importer.read({ main, companions, signal })).rejects.toThrow(/abort/i);
    });
  },
);

const ODD_LINES = [
  '[10:00:00] → __proto__ {"__proto__": 1}',
  '← {"a": [',
  '⏺ constructor - toString (MCP)(a: "b")',
  '  ⎿  {"x": 1}',
  '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"__proto__","name":"constructor","input":{"__proto__":1}}]},"uuid":"__proto__"}',
  '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"__proto__","content":"\\ud800"}]},"uuid":"constructor"}',
  'F > 0 0 stdio c1 2 00000000',
  '"'.repeat(50),
  '```json',
  '>',
  '\u0000\u2028\r',
];

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '{}';
  }
}

async function survives(importer: Importer, bytes: Uint8Array): Promise<void> {
  const main = sourceOf('any', bytes);
  const score = importer.sniff(await makeSourceHead(main));
  expect(score).toBeGreaterThanOrEqual(0);
  expect(score).toBeLessThanOrEqual(1);
  importer.group?.(await makeSourceHead(main), 'any');
  const result = await importer.read({ main, companions: [] });
  expectAccountsAddUp(result, [main]);
  expectSchemas(result);
  await expectValuesReread(result, [main]);
}

async function readFixture(
  fixture: Fixture,
): Promise<{ result: ImportResult; readers: Awaited<ReturnType<typeof loadFixture>>['readers'] }> {
  const { main, companions, readers } = await loadFixture(fixture);
  return { result: await fixture.importer.read({ main, companions }), readers };
}

function idsOf(result: ImportResult): Set<string> {
  return new Set(stepsOf(result).map(({ id }) => id));
}

function lineEnds(bytes: Uint8Array): number[] {
  const ends: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === 10) ends.push(at + 1);
  return ends;
}
