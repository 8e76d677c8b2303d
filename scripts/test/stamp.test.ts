import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashFiles, listFiles, readStamp, stampDifference, writeStamp } from '../lib/stamp.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'misstep-stamp-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a stamp', () => {
  const wanted = { lockfile: 'abc', node: '20.19.0' };

  test('equal: nothing to do', () => {
    expect(stampDifference({ node: '20.19.0', lockfile: 'abc' }, wanted)).toBeUndefined();
  });

  test('missing, changed, with more keys or fewer: to be done again', () => {
    expect(stampDifference(undefined, wanted)).toBe('not done yet');
    expect(stampDifference({ ...wanted, node: '22.1.0' }, wanted)).toBe('node changed');
    expect(stampDifference({ lockfile: 'abc' }, wanted)).toBe('node changed');
    expect(stampDifference({ ...wanted, pnpm: '9' }, wanted)).toBe('pnpm changed');
  });

  test('is read back; a damaged one counts as none', () => {
    const file = path.join(folder, 'deep', 'stamp.json');
    writeStamp(file, wanted);
    expect(readStamp(file)).toEqual(wanted);
    writeFileSync(file, '{"lockfile":');
    expect(readStamp(file)).toBeUndefined();
    expect(readStamp(path.join(folder, 'none'))).toBeUndefined();
  });
});

describe('the hash of files', () => {
  const hash = () => hashFiles(folder, [path.join(folder, 'src'), path.join(folder, 'one.json')]);

  beforeEach(() => {
    mkdirSync(path.join(folder, 'src', 'deep'), { recursive: true });
    writeFileSync(path.join(folder, 'src', 'deep', 'a.ts'), 'a');
    writeFileSync(path.join(folder, 'one.json'), '{}');
  });

  test('stays when nothing changes', () => {
    expect(hash()).toBe(hash());
  });

  test.each<[string, (at: (...parts: string[]) => string) => void]>([
    ['content', (at) => writeFileSync(at('src', 'deep', 'a.ts'), 'b')],
    ['a new file', (at) => writeFileSync(at('src', 'b.ts'), '')],
    ['a new name', (at) => renameSync(at('src', 'deep', 'a.ts'), at('src', 'deep', 'c.ts'))],
    ['a removed file', (at) => rmSync(at('one.json'))],
  ])('changes with %s', (_name, change) => {
    const before = hash();
    change((...parts) => path.join(folder, ...parts));
    expect(hash()).not.toBe(before);
  });

  test('leaves out what is installed or built', () => {
    for (const name of ['node_modules', 'dist']) {
      mkdirSync(path.join(folder, 'src', name));
      writeFileSync(path.join(folder, 'src', name, 'x.js'), 'x');
    }
    expect(listFiles([path.join(folder, 'src')])).toEqual([
      path.join(folder, 'src', 'deep', 'a.ts'),
    ]);
  });
});
