import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findSlips } from './content/find-slips.ts';
import { rootFolder } from './lib/words.mjs';

function readTrackedTexts() {
  const names = execFileSync('git', ['ls-files', '-z'], { cwd: rootFolder, encoding: 'utf8' });
  return names
    .split('\0')
    .filter((file) => file !== '' && existsSync(path.join(rootFolder, file)))
    .map((file) => ({ file, bytes: readFileSync(path.join(rootFolder, file)) }))
    .filter(({ bytes }) => !bytes.subarray(0, 8000).includes(0))
    .map(({ file, bytes }) => ({ file, text: bytes.toString('utf8') }));
}

describe('the repository', () => {
  const texts = readTrackedTexts();

  test('holds no path of one machine, no private host and no conflict marker', () => {
    expect(texts.flatMap(({ file, text }) => findSlips(file, text))).toEqual([]);
  });

  test('was really read', () => {
    expect(texts.length).toBeGreaterThan(60);
    expect(texts.map(({ file }) => file)).toContain('pnpm-lock.yaml');
  });
});

describe('a planted slip is found', () => {
  const somebody = ['', 'home', 'ada', 'project'].join('/');
  const checkout = ['', 'work', 'main', 'x.ts'].join('/');

  test.each([
    ['README.md', `cd ${somebody}`, 'a home folder'],
    ['README.md', `see file://${['', 'Users', 'ada', 'x'].join('/')}`, 'a home folder'],
    ['packages/demo/samples/run.jsonl', `{"cwd":"${checkout}"}`, 'a path of one machine'],
    [
      'pnpm-lock.yaml',
      '  resolution: {tarball: https://packages.invalid/x.tgz}',
      'a fixed address',
    ],
    ['pnpm-lock.yaml', '    tarball: https://packages.invalid/x.tgz', 'a fixed address'],
    ['scripts/x.mjs', "get('https://registry.packages.invalid/x')", 'a package registry'],
    ['docs/x.md', `a\n${'<'.repeat(7)} HEAD\nb`, 'a conflict marker'],
  ])('%s: %s', (file, text, why) => {
    const slips = findSlips(file, text);
    expect(slips).toHaveLength(1);
    expect(slips[0]?.why).toContain(why);
  });

  test('with its line', () => {
    expect(findSlips('a.md', `one\ntwo ${checkout}\n`)).toMatchObject([{ file: 'a.md', line: 2 }]);
  });
});

test.each([
  ['packages/importers/fixtures/x/a.jsonl', `"cwd":"${['', 'home', 'ada', 'x'].join('/')}"`],
  ['README.md', 'https://example.org/work/item and docs/work/x and ~/.claude/projects'],
  ['README.md', 'Title\n=======\n'],
  ['docs/x.md', 'https://registry.example.org is a name in a document'],
])('nothing is found in %s: %s', (file, text) => {
  expect(findSlips(file, text)).toEqual([]);
});
