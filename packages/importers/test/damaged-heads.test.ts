import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  chooseFormat,
  type ImportResult,
  makeSourceHead,
  type SourceReader,
} from '../src/index.ts';
import { type Fixture, listFixtures, loadFixture } from './fixtures.ts';
import { expectAccountsAddUp } from './invariants.ts';
import { sourceOf } from './support.ts';

/** A format is told by several records: the first may be damaged, empty or a stranger's. */

const WINS_BY = 0.1;
const JUNK_LINES = ['null', '5', '{}', '[]', '{"type":null}', '{"a":', 'garbage', '\u0000\u0000'];
const JUNK_ITEMS = ['null', '5', '{}', '"x"'];

/** That all of a text is quoted, or a body of parts, is told by its first two lines; of a single flow all is one record. */
const TOLD_BY_FIRST_LINES: ReadonlySet<string> = new Set([
  'mitmproxy/ferry-cut.mitm',
  'codex-terminal/older.md',
  'langsmith/multipart.txt',
  'plain-text/quoted-mail.txt',
]);

const fixtures = listFixtures();

interface Damage {
  readonly how: string;
  readonly text: string;
  /** What is left where the damaged piece is left out as a whole; null = nothing of the source is lost. */
  readonly rest: string | null;
  /** A part of a record is damaged, whose own words may differ. */
  readonly inRecord: boolean;
}

function damagesOf(text: string): Damage[] {
  const lines = text.split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.length > 2 && filled.every(isJson)) {
    const rest = lines.slice(1).join('\n');
    const cut = (lines[0] ?? '').slice(25);
    return [
      ...JUNK_LINES.map((junk) => ({
        how: `${junk} above`,
        text: `${junk}\n${text}`,
        rest: null,
        inRecord: false,
      })),
      { how: 'cut in its first record', text: `${cut}\n${rest}`, rest, inRecord: false },
    ];
  }
  if (!isJson(text)) {
    const above = { how: 'garbage above', text: `garbage\n${text}`, rest: null, inRecord: true };
    if (filled.length < 3) return [above];
    const half = Math.ceil((filled[0] ?? '').length / 2);
    const cut = { how: 'cut at its head', text: text.slice(half), rest: '', inRecord: true };
    return /^\s*[[{]/.test(text) ? [above] : [above, cut];
  }
  const below = ['null', 'garbage'].map((junk) => ({
    how: `${junk} above`,
    text: `${junk}\n${text}`,
    rest: null,
    inRecord: false,
  }));
  const inLists = listsOf(text).flatMap(({ name, at, depth }) =>
    // Text in a list of blocks is a block.
    JUNK_ITEMS.filter((junk) => depth < 2 || junk !== '"x"').map((junk) => ({
      how: `${junk} first in ${name}`,
      text: `${text.slice(0, at)}${junk},${text.slice(at)}`,
      rest: null,
      inRecord: depth > 1,
    })),
  );
  return [...below, ...inLists];
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** Lists of objects at most three levels down, and where their first object begins. */
function listsOf(text: string): { name: string; at: number; depth: number }[] {
  const found: { name: string; at: number; depth: number }[] = [];
  let depth = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[[\]{}]/g)) {
    const [token] = match;
    if (token === '[' || token === '{') {
      const opened = match.index + 1;
      const first = /^\s*\{/.exec(text.slice(opened, opened + 400));
      if (token === '[' && depth < 4 && first !== null) {
        found.push({ name: `the list at ${match.index}`, at: opened + first[0].length - 1, depth });
      }
      depth += 1;
    } else if (token === ']' || token === '}') depth -= 1;
  }
  return found.slice(0, 8);
}

const cases = fixtures.flatMap((fixture) => {
  const bytes = readFileSync(fixture.path);
  if (bytes.subarray(0, 8000).includes(0)) return [];
  if (TOLD_BY_FIRST_LINES.has(fixture.name)) return [];
  return damagesOf(bytes.toString('utf8').replace(/^\ufeff/, '')).map(
    (damage) => [`${fixture.name}, ${damage.how}`, fixture, damage] as const,
  );
});

describe('a damaged head', () => {
  test('is tried for lines and documents', () => {
    expect(cases.length).toBeGreaterThan(400);
  });

  test.each(cases)('%s', async (_name, fixture, damage) => {
    const { importer } = fixture;
    const damaged = sourceOf('damaged', new TextEncoder().encode(damage.text));
    const { importer: chosen, scores } = chooseFormat(await makeSourceHead(damaged));
    const [first, second] = scores;
    expect([chosen?.id, (first?.score ?? 0) - (second?.score ?? 0) > WINS_BY]).toEqual([
      importer.id,
      true,
    ]);
    const result = await readWith(fixture, damaged);
    expectAccountsAddUp(result.result, result.readers);
    const whole =
      damage.rest === null
        ? await loadFixture(fixture).then(({ main }) => readWith(fixture, main))
        : await readWith(fixture, sourceOf('rest', new TextEncoder().encode(damage.rest)));
    expect(missing(told(whole.result, damage), told(result.result, damage))).toEqual([]);
  });
});

describe('several records', () => {
  const run = (id: number): string =>
    `{"id":"r${id}","run_type":"tool","name":"ring","dotted_order":"2026${id}"}`;
  const other = (id: number): string => `{"line":${id}}`;
  const scoreOf = async (lines: readonly string[]): Promise<number> =>
    chooseFormat(
      await makeSourceHead(sourceOf('x', new TextEncoder().encode(lines.join('\n')))),
    ).scores.find(({ id }) => id === 'langsmith')?.score ?? 0;

  test('say less the fewer of them fit, and never more', async () => {
    const scores: number[] = [];
    for (let fitting = 0; fitting <= 20; fitting += 1) {
      const lines = Array.from({ length: 20 }, (_, id) =>
        id < 20 - fitting ? other(id) : run(id),
      );
      scores.push(await scoreOf(lines));
    }
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
    expect(scores[0]).toBe(0);
    expect(scores[1]).toBeLessThan(0.6);
    expect(scores[10]).toBe(scores[20]);
  });

  test('are looked at behind a line above that is none, however long the first is', async () => {
    const long = run(1).replace('}', `,"inputs":{"text":"${'x'.repeat(400_000)}"}}`);
    expect(await scoreOf(['garbage', long, run(2)])).toBeGreaterThan(0.9);
  });
});

async function readWith(
  fixture: Fixture,
  main: SourceReader,
): Promise<{ result: ImportResult; readers: SourceReader[] }> {
  const { companions } = await loadFixture(fixture);
  const readers = [main, ...companions.map(({ reader }) => reader)];
  return { result: await fixture.importer.read({ main, companions }), readers };
}

function told({ runs }: ImportResult, { inRecord }: Damage): string[] {
  return runs.flatMap(({ steps }) =>
    steps.map(({ kind, name, callId, status, summary }) =>
      JSON.stringify([kind, name, callId, status, inRecord ? '' : summary]),
    ),
  );
}

/** Those of the first that the second lacks, however often they occur. */
function missing(wanted: readonly string[], given: readonly string[]): string[] {
  const left = [...given];
  return wanted.filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
