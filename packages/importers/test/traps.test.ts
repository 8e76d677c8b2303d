import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FIXTURES_FOLDER, PACKAGE_FOLDER } from './support.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/traps.md', import.meta.url), 'utf8');

/** `| trap | \`file\` | \`where\` | \`value\` |` of the first table. */
const ROWS = [...DOCUMENT.matchAll(/^\| (.+?) \| `(.+?)` \| `(.+?)` \| `(.+)` \|$/gm)].map(
  ([, trap = '', file = '', where = '', value = '']) => ({ trap, file, where, value }),
);

/** The value at a JSON Pointer of an expectation, which holds no keys that need escapes. */
function valueAt(file: string, where: string): unknown {
  const text = readFileSync(join(FIXTURES_FOLDER, `${file}.expected.json`), 'utf8');
  return where
    .slice(1)
    .split('/')
    .reduce<unknown>(
      (found, key) =>
        typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined,
      JSON.parse(text),
    );
}

describe('docs/traps.md', () => {
  test('has a row for each trap', () => {
    expect(ROWS.length).toBeGreaterThan(60);
    expect(
      DOCUMENT.split('\n').filter((line) => /^\| .*`\/runs|`\/issues|`\/sources/.test(line)),
    ).toHaveLength(ROWS.length);
    expect(new Set(ROWS.map(({ trap }) => trap)).size).toBe(ROWS.length);
  });

  // The conformance suite holds the importers to the same expectations.
  test.each(ROWS)('$trap', ({ file, where, value }) => {
    const found = valueAt(file, where);
    expect(found).toBeDefined();
    expect(found).toEqual(JSON.parse(value));
  });

  test('names tests that are there', () => {
    const named = [...DOCUMENT.matchAll(/`([a-z-]+\.test\.ts)`/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(8);
    for (const name of named)
      expect([name, existsSync(join(PACKAGE_FOLDER, 'test', name))]).toEqual([name, true]);
  });
});
