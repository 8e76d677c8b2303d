import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The Markdown of the project: at its root and below docs. */
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name)),
];

/** Without blocks and words of code, in which nothing is a link. */
const prose = (file: string): string =>
  readFileSync(file, 'utf8')
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '');

/** What a heading is called in an address, as the usual viewers of Markdown do. */
function anchorsOf(file: string): Set<string> {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, words = '']) =>
      words
        .toLowerCase()
        .replace(/[^\p{Letter}\p{Number}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('links between documents lead to files and headings that are there', () => {
  let count = 0;
  const broken: string[] = [];
  for (const document of documents) {
    const file = path.join(root, document);
    for (const [, link = ''] of prose(file).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      count += 1;
      const [where = '', anchor] = link.split('#');
      const target = where === '' ? file : path.resolve(path.dirname(file), where);
      const isThere = existsSync(target) && (anchor === undefined || anchorsOf(target).has(anchor));
      if (!isThere) broken.push(`${document}: ${link}`);
    }
  }
  expect(count).toBeGreaterThan(150);
  expect(broken).toEqual([]);
});
