import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { importers } from '../src/index.ts';
import { filesBelow, PACKAGE_FOLDER } from './support.ts';

/** Every reason for setting a record aside stands on its format's page; shared ones in the README. */

const REASON = /new SetAside\(\s*(?:'((?:[^'\\]|\\.)+)'|"([^"]+)")/g;
const sources = join(PACKAGE_FOLDER, 'src');
const pages = join(PACKAGE_FOLDER, '../../docs/formats');

function pageOf(file: string): string {
  // What the forms of OTLP share stands on the page of the first of them.
  if (relative(sources, file).startsWith('otlp/')) return 'otlp-json.md';
  const id = /^formats\/([\w-]+?)(?:\.ts$|\/)/.exec(relative(sources, file))?.[1];
  return id === undefined ? 'README.md' : `${id}.md`;
}

test('reasons are constants, and each stands on the page of its format', () => {
  const missing: string[] = [];
  let count = 0;
  for (const file of filesBelow(sources)) {
    const text = readFileSync(file, 'utf8');
    const made = [...text.matchAll(/new SetAside\(/g)].length;
    const reasons = [...text.matchAll(REASON)].map(([, single, double]) => single ?? double ?? '');
    expect([file, reasons.length]).toEqual([file, made]);
    count += reasons.length;
    const page = readFileSync(join(pages, pageOf(file)), 'utf8').replace(/\s+/g, ' ');
    for (const reason of reasons) {
      if (!page.includes(reason)) missing.push(`${pageOf(file)}: ${reason}`);
    }
  }
  expect(count).toBeGreaterThan(importers.length);
  expect(missing).toEqual([]);
});
