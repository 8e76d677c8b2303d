import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findViolations } from './direction/find-violations.ts';
import { levels } from './direction/levels.ts';
import { readImports } from './direction/read-imports.ts';
import { listFiles } from './lib/stamp.mjs';
import { listUnits } from './lib/units.mjs';
import { rootFolder } from './lib/words.mjs';

const units = listUnits();

function readSources() {
  return listFiles(units.map((unit) => path.join(rootFolder, unit, 'src')))
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({
      file: path.relative(rootFolder, file).split(path.sep).join('/'),
      text: readFileSync(file, 'utf8'),
    }));
}

/** Violations of one invented file in an otherwise empty unit. */
function violationsOf(file: string, text: string): string[] {
  const unit = file.split('/').slice(0, 2).join('/');
  return findViolations([unit], [{ file, text }], levels).violations;
}

describe('the repository', () => {
  const report = findViolations(units, readSources(), levels);

  test('imports only downwards', () => {
    expect(report.violations).toEqual([]);
  });

  test('was really read', () => {
    expect(units.length).toBeGreaterThanOrEqual(14);
    expect(report.fileCount).toBeGreaterThan(40);
    expect(report.importCount).toBeGreaterThan(100);
  });
});

describe('a planted violation is reported', () => {
  test.each([
    [
      'upwards',
      'packages/json/src/a.ts',
      "import { x } from '@misstep/model';",
      'does not allow json',
    ],
    [
      'sideways',
      'packages/compare/src/a.ts',
      "import '@misstep/importers';",
      'does not allow compare',
    ],
    [
      'as a type',
      'apps/web/src/a.ts',
      "import type { X } from '@misstep/store';",
      'does not allow web',
    ],
    [
      'inline type',
      'apps/web/src/a.tsx',
      "import { type X } from '@misstep/replay';",
      'does not allow web',
    ],
    [
      'dynamic',
      'apps/web/src/a.ts',
      "const m = await import('@misstep/mcp');",
      'does not allow web',
    ],
    [
      'template',
      'apps/web/src/a.ts',
      'const m = await import(`@misstep/mcp`);',
      'does not allow web',
    ],
    [
      'export from',
      'packages/model/src/a.ts',
      "export { x } from '@misstep/store';",
      'does not allow model',
    ],
    [
      'export all',
      'packages/model/src/a.ts',
      "export * from '@misstep/store';",
      'does not allow model',
    ],
    [
      'import type expression',
      'apps/cli/src/a.ts',
      "let x: import('@misstep/store').X;",
      'does not allow cli',
    ],
    ['require', 'apps/cli/src/a.ts', "const x = require('@misstep/store');", 'does not allow cli'],
    [
      'into another unit',
      'packages/json/src/a.ts',
      "import '../../model/src/x.ts';",
      'leaves packages/json/src',
    ],
    [
      'into its own tests',
      'packages/json/src/a.ts',
      "import '../test/x.ts';",
      'leaves packages/json/src',
    ],
    ['absolute', 'packages/json/src/a.ts', "import '/srv/x.ts';", 'absolute'],
    [
      'development only',
      'apps/server/src/a.ts',
      "import '@misstep/testkit';",
      'tests and benchmarks only',
    ],
    [
      'testing sub-path',
      'apps/server/src/a.ts',
      "import '@misstep/model/testing';",
      'for tests only',
    ],
    ['itself', 'packages/json/src/a.ts', "import '@misstep/json';", 'is itself'],
    ['unknown package', 'apps/server/src/a.ts', "import '@misstep/nowhere';", 'not in the table'],
    [
      'builtin',
      'packages/importers/src/a.ts',
      "import { readFile } from 'node:fs/promises';",
      'in a browser',
    ],
    ['builtin without prefix', 'apps/web/src/a.ts', "import path from 'path';", 'in a browser'],
    ['run-time target', 'apps/cli/src/a.ts', 'await import(process.argv[2]);', 'nobody can check'],
    ['broken file', 'apps/cli/src/a.ts', 'import { from;', "can't be parsed"],
    ['unknown unit', 'packages/extra/src/a.ts', 'export {};', 'packages/extra is not in the table'],
  ])('%s', (_name, file, text, expected) => {
    expect(violationsOf(file, text).join('\n')).toContain(expected);
  });

  test('a unit without a file that was read', () => {
    expect(findViolations(['packages/json'], [], levels).violations).toEqual([
      'no source file of packages/json was read',
    ]);
  });

  test('a table in which two peers import each other', () => {
    const table = {
      one: { level: 0, mayImport: [], peers: ['two'] },
      two: { level: 0, mayImport: [], peers: ['one'] },
    };
    expect(findViolations([], [], table).violations).toHaveLength(2);
  });

  test('a table that lets a unit import upwards', () => {
    const table = {
      low: { level: 0, mayImport: ['high'] },
      high: { level: 1, mayImport: ['gone'] },
    };
    expect(findViolations([], [], table).violations).toEqual([
      'the table lets low import high, which is not lower',
      "the table lets high import gone, which it doesn't list",
    ]);
  });
});

describe('what is allowed passes', () => {
  test.each([
    [
      'downwards',
      'packages/replay/src/a.ts',
      "import '@misstep/mcp'; export * from '@misstep/compare';",
    ],
    ['within the unit', 'packages/json/src/deep/a.ts', "import { x } from '../b.ts';"],
    ['builtin on the server side', 'packages/store/src/a.ts', "import fs from 'node:fs';"],
    ['from the registry', 'packages/model/src/a.ts', "import { z } from 'zod';"],
    [
      'only in text',
      'packages/json/src/a.ts',
      "// import '@misstep/store'\nconst s = \"import '@misstep/store'\";",
    ],
    ['testkit in a benchmark', 'packages/bench/src/a.bench.ts', "import '@misstep/testkit';"],
  ])('%s', (_name, file, text) => {
    expect(violationsOf(file, text)).toEqual([]);
  });
});

test('every kind of import is seen, with its line', () => {
  const text = [
    "import a from 'a';",
    "import type { B } from 'b';",
    "export { c } from 'c';",
    "export type * from 'd';",
    "const e = import('e');",
    "type F = import('f').F;",
    "const g = <div>{require('g')}</div>;",
    "import 'h';",
  ].join('\n');
  expect(
    readImports('x.tsx', text).imports.map(({ specifier, line }) => `${line}${specifier}`),
  ).toEqual(['1a', '2b', '3c', '4d', '5e', '6f', '7g', '8h']);
});
