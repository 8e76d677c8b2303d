import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { adviceOn, ERROR_CATALOGUE, ISSUE_ADVICE } from '@misstep/model';
import { expect, test } from 'vitest';
import { importers } from '../src/index.ts';
import { filesBelow, PACKAGE_FOLDER } from './support.ts';

/**
 * A format's page answers four questions, and names every issue that its importer raises. What several
 * formats raise stands in one list of the README, so that a code without an explanation can't be added.
 */

const HEADINGS = [
  'What is read',
  'What is lost',
  'What Misstep says',
  'How to get such a file',
] as const;
const SHARED = 'What any format can say';

const sources = join(PACKAGE_FOLDER, 'src');
const pages = join(PACKAGE_FOLDER, '../../docs/formats');
const readme = readFileSync(join(pages, 'README.md'), 'utf8');
const front = readFileSync(join(pages, '../../README.md'), 'utf8');

/** Sections of the second level, in their order. */
function sectionsOf(page: string): Map<string, string> {
  const [, ...parts] = page.split(/^## /m);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end).trim(), part.slice(end + 1).trim()];
    }),
  );
}

/** What stands between backquotes and is written as codes are. */
function codesIn(text: string): string[] {
  return [...text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`/g)].map(([, code = '']) => code);
}

const CODE = /'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'/;

/** The codes that a source file raises, where it names them. */
function codesRaised(text: string): string[] {
  const found: string[] = [];
  for (const { index } of text.matchAll(/\bissues\.(?:add|count)\(|\bcode: (?=')/gi)) {
    const begin = text.slice(index).replace(/^[^('"]*\(?\s*/, '');
    const literal = CODE.exec(begin);
    if (literal?.index === 0) found.push(literal[1] ?? '');
    // A code that is handed in is one of those that the same file writes.
    else found.push(...[...text.matchAll(new RegExp(CODE, 'g'))].map(([, code = '']) => code));
  }
  return found;
}

function codesByOwner(): Map<string, Set<string>> {
  const owners = new Map<string, Set<string>>();
  for (const file of filesBelow(sources)) {
    const id = /^formats\/([\w-]+?)(?:\.ts$|\/)/.exec(relative(sources, file))?.[1] ?? SHARED;
    const codes = owners.get(id) ?? new Set();
    for (const code of codesRaised(readFileSync(file, 'utf8'))) codes.add(code);
    owners.set(id, codes);
  }
  return owners;
}

const raised = codesByOwner();
const known = new Set([...raised.values()].flatMap((codes) => [...codes]));
const shared = sectionsOf(readme).get(SHARED) ?? '';

/** Containers and the import itself raise some too; the server is above this package, its text isn't. */
function codesOfImport(): Set<string> {
  const codes = new Set<string>();
  for (const file of filesBelow(join(PACKAGE_FOLDER, '../../apps/server/src/services/import'))) {
    const text = readFileSync(file, 'utf8');
    for (const code of codesRaised(text)) codes.add(code);
    // Also where one of two is chosen.
    for (const [line] of text.matchAll(/\bcode: .*\?.*/g)) {
      for (const [, code = ''] of line.matchAll(new RegExp(CODE, 'g'))) codes.add(code);
    }
  }
  return codes;
}

test('codes are found in sources, those that are handed in too', () => {
  expect(raised.get('frame-log')).toEqual(new Set(['FRAME_LOG_DAMAGED']));
  expect(raised.get('plain-text')).toContain('RESULT_TRAILING_TEXT');
  expect(raised.get(SHARED)).toContain('UTF16_SOURCE');
  expect(known.size).toBeGreaterThan(60);
});

test.each(importers.map(({ id }) => id))('the page of %s answers four questions', (id) => {
  const sections = sectionsOf(readFileSync(join(pages, `${id}.md`), 'utf8'));
  expect([...sections.keys()]).toEqual([...HEADINGS]);
  for (const text of sections.values()) expect(text.length).toBeGreaterThan(20);
  expect(readme).toContain(`| [${id}](${id}.md) |`);
  expect(front).toContain(`](docs/formats/${id}.md)`);
});

test.each(importers.map(({ id }) => id))('the page of %s names the issues it raises', (id) => {
  const says = sectionsOf(readFileSync(join(pages, `${id}.md`), 'utf8')).get(HEADINGS[2]) ?? '';
  const named = codesIn(says).filter((code) => !code.startsWith('OTEL_'));
  expect(named).toEqual(expect.arrayContaining([...(raised.get(id) ?? [])]));
  // A code that nothing raises any more is a promise that nobody keeps.
  expect(named.filter((code) => !known.has(code))).toEqual([]);
});

test('the README explains every issue that several formats can raise', () => {
  const explained = codesIn(shared.replace(/^(?!\|).*$/gm, ''));
  expect([...(raised.get(SHARED) ?? [])].filter((code) => !explained.includes(code))).toEqual([]);
});

test('every issue says what to do about it, and nothing else does', () => {
  const ofImport = codesOfImport();
  expect(ofImport).toContain('CONTAINER_DAMAGED');
  const errors = Object.keys(ERROR_CATALOGUE);
  const all = [...new Set([...known, ...ofImport])].filter((code) => !errors.includes(code));
  expect(Object.keys(ISSUE_ADVICE).sort()).toEqual(all.sort());
  for (const code of all) expect(adviceOn(code)).toMatch(/^(?:Nothing to do\b|[A-Z]).{12,}\.$/s);
  // What an import fails with has its next step in the catalogue.
  expect(adviceOn('IMPORT_NO_FORMAT')).toBe(ERROR_CATALOGUE.IMPORT_NO_FORMAT.hint);
  expect(adviceOn('NOBODY_WROTE_THIS')).toBeNull();
});
