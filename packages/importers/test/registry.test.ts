import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { importers } from '../src/index.ts';
import { listFixtures } from './fixtures.ts';
import { PACKAGE_FOLDER } from './support.ts';

const DOCS = fileURLToPath(new URL('../../../docs/formats/', import.meta.url));

test('every file in formats/ is registered under its own name', () => {
  const files = readdirSync(join(PACKAGE_FOLDER, 'src/formats'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replace(/\.ts$/, ''));
  expect(files.length).toBeGreaterThan(0);
  expect(importers.map(({ id }) => id).sort()).toEqual(files.sort());
});

test.each(importers.map(({ id }) => id))('%s has fixtures, expectations and a page', (id) => {
  const own = listFixtures().filter(({ importer }) => importer.id === id);
  expect(own.length).toBeGreaterThan(1);
  for (const { expectationPath } of own) expect(existsSync(expectationPath)).toBe(true);
  expect(existsSync(join(DOCS, `${id}.md`))).toBe(true);
});
