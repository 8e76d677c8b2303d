import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { Step } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import { chooseFormat, importers, makeSourceHead } from '../src/index.ts';
import { COUNTS, type Counts } from './counts/formats.ts';
import { UNLIKE } from './counts/unlike.ts';
import { listFixtures, loadFixture } from './fixtures.ts';
import { CORPUS_FOLDER, FIXTURES_FOLDER, filesBelow, sourceOfFile, stepsOf } from './support.ts';

/**
 * Tool calls, turns and model calls of every format are counted a second time, straight from the bytes
 * and in the dumbest way (counts/), over our fixtures and over the files that others wrote.
 */

const WHAT = ['calls', 'users', 'models'] as const;

/** What the importer gave. A call that starts an agent is one as well. */
function given(steps: readonly Step[]): Record<keyof Counts, number> {
  const isCall = ({ kind, tool }: Step): boolean =>
    kind === 'tool' || (kind === 'agent' && tool !== null);
  return {
    calls: steps.filter(isCall).length,
    users: steps.filter(({ kind }) => kind === 'user').length,
    models: steps.filter(({ kind }) => kind === 'model').length,
  };
}

/** Below the folder of fixtures: files of one name stand in several. */
const nameOf = ({ path }: { path: string }): string => relative(FIXTURES_FOLDER, path);

const compared = new Map<string, Set<string>>();
const excepted = new Set<string>();

function compare(format: string, name: string, path: string, steps: readonly Step[]): void {
  const text = readFileSync(path, 'utf8');
  const own = given(steps);
  for (const what of WHAT) {
    const unlike = UNLIKE[name]?.[what];
    const count = unlike ?? COUNTS[format]?.[what];
    if (unlike !== undefined) excepted.add(`${name} ${what}`);
    if (count === undefined) continue;
    if (typeof count === 'string') {
      // One that holds no longer is taken out.
      expect([name, what, COUNTS[format]?.[what]?.(text)]).not.toEqual([name, what, own[what]]);
      continue;
    }
    const told = count(text);
    expect([name, what, own[what]]).toEqual([name, what, told]);
    const known = compared.get(format) ?? new Set();
    if (told > 0) compared.set(format, known.add(what));
  }
}

describe('what the raw bytes hold is what the importer gives', () => {
  test.each(listFixtures().map((fixture) => [nameOf(fixture), fixture] as const))(
    '%s',
    async (_name, fixture) => {
      const { main, companions } = await loadFixture(fixture);
      const result = await fixture.importer.read({ main, companions });
      compare(fixture.importer.id, nameOf(fixture), fixture.path, stepsOf(result));
    },
  );

  test('something was counted in each format, with every exception needed', () => {
    expect(importers.map(({ id }) => id).filter((id) => !compared.has(id))).toEqual([]);
    const names = new Set(listFixtures().map(nameOf));
    const ours = Object.entries(UNLIKE).filter(([name]) => names.has(name));
    const listed = ours.flatMap(([name, whats]) =>
      Object.keys(whats).map((what) => `${name} ${what}`),
    );
    expect(listed.filter((each) => !excepted.has(each))).toEqual([]);
  });
});

/** Sessions of Claude Code are counted, call by call, in corpus.test.ts. */
const files = filesBelow(CORPUS_FOLDER)
  .map((path) => relative(CORPUS_FOLDER, path))
  .filter((file) => !/^claude-code\/.*\.jsonl$/.test(file));
if (files.length === 0) console.info(`No corpus at ${CORPUS_FOLDER}: its files are not counted.`);

describe.skipIf(files.length === 0)('and so it is in files that others wrote', () => {
  test.each(files)('%s', async (file) => {
    const path = join(CORPUS_FOLDER, file);
    const main = sourceOfFile(path);
    const { importer } = chooseFormat(await makeSourceHead(main));
    if (importer === null) return;
    const result = await importer.read({ main, companions: [] });
    compare(importer.id, `${importer.id}: ${basename(path)}`, path, stepsOf(result));
  });

  test('with every exception needed', () => {
    const listed = Object.entries(UNLIKE).flatMap(([name, whats]) =>
      Object.keys(whats).map((what) => `${name} ${what}`),
    );
    expect(listed.filter((each) => !excepted.has(each))).toEqual([]);
  });
});
