import { readFileSync } from 'node:fs';
import { routes } from '@misstep/contract';
import { MAX_LINE_BYTES } from '@misstep/importers';
import { ERROR_CATALOGUE } from '@misstep/model';
import { expect, test } from 'vitest';
import { LIMITS } from '../src/security/limits.ts';
import { MOST_ENTRIES } from '../src/services/find/list-recordings.ts';
import { MAX_DEPTH, MAX_ENTRIES } from '../src/services/import/container/budget.ts';
import { MAX_FRAME_BYTES } from '../src/services/replay/frame-cap.ts';

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

test('the sizes of docs/cli.md are those of the code', () => {
  const cli = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
  const sizes = cli.slice(cli.indexOf('\n## Sizes'));
  const largest = (what: string): string => {
    const row = sizes.split('\n').find((line) => line.startsWith(`| ${what}`));
    return row?.split('|')[2]?.trim() ?? `no row begins with ${what}`;
  };
  const mebibytes = (bytes: number): string => `${bytes / 1_048_576} MiB`;
  const told: [string, string][] = [
    ['a line of a session file', mebibytes(MAX_LINE_BYTES)],
    ['entries of a ZIP file', MAX_ENTRIES.toLocaleString('en')],
    ['archives in archives', `${MAX_DEPTH} deep`],
    ['a frame of a replay', mebibytes(MAX_FRAME_BYTES)],
    ['arguments that are sent', mebibytes(LIMITS.replayArgumentsBytes)],
    ['pasted text', mebibytes(LIMITS.pastedTextBytes)],
    ['a request with spans', mebibytes(LIMITS.spansBodyBytes)],
    ['requests with spans', mebibytes(LIMITS.spansPendingBytes)],
    ['entries of a folder', MOST_ENTRIES.toLocaleString('en')],
  ];
  expect(LIMITS.targetConfigBytes).toBe(LIMITS.replayArgumentsBytes);
  expect(told.map(([what]) => largest(what))).toEqual(told.map(([, size]) => size));
});
