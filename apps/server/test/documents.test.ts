import { readFileSync } from 'node:fs';
import { routes } from '@misstep/contract';
import { ERROR_CATALOGUE } from '@misstep/model';
import { expect, test } from 'vitest';

const text = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
const rows = text.split('\n').filter((line) => line.startsWith('| `'));

test('docs/api.md has a row for each route, and none besides', () => {
  const names = Object.entries(routes).map(
    ([name, { method, path }]) => `\`${method} ${path}\` | \`${name}\``,
  );
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(rows.filter((row) => row.includes(name))).toHaveLength(1);
  expect(rows).toHaveLength(names.length);
});

test('each row names the errors of its route', () => {
  for (const [name, { errors }] of Object.entries(routes)) {
    const row = rows.find((each) => each.includes(`\`${name}\``)) ?? '';
    for (const code of errors) expect(row).toContain(code);
  }
});

test('codes that the text names are in the catalogue', () => {
  const codes = text.match(/`[A-Z]+(_[A-Z]+)+`/g) ?? [];
  expect(codes.length).toBeGreaterThan(5);
  for (const code of codes) expect(Object.keys(ERROR_CATALOGUE)).toContain(code.slice(1, -1));
});
