import { expect, test } from 'vitest';
import { chooseFormat, importers, makeSourceHead } from '../src/index.ts';
import { upToDepth } from '../src/shallow-text.ts';
import { sourceOfText } from './support.ts';

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test.each([
  ['[[1,[2]]]', 2, '[[1,'],
  ['{"a":{"b":1}}', 2, '{"a":{"b":1}}'],
  ['["[[[[\\"[[", {}]', 2, '["[[[[\\"[[", {}]'],
])('%s up to depth %i', (text, deepest, expected) => {
  expect(upToDepth(text, deepest)).toBe(expected);
});

test('brackets without end are told to be nothing, without a tree of them', async () => {
  const short = await makeSourceHead(sourceOfText('['.repeat(1_000)));
  const long = await makeSourceHead(sourceOfText('['.repeat(2_000_000)));
  const timed = (head: typeof short): number => {
    const startedAt = performance.now();
    expect(chooseFormat(head).importer).toBe(chooseFormat(short).importer);
    return performance.now() - startedAt;
  };
  timed(short);
  const heapBefore = process.memoryUsage().heapUsed;
  timed(long);
  // As a tree they took more than a gigabyte.
  expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(400_000_000);
});

test.each(importers.map(({ id }) => id))('%s recognises lines of any depth', async (id) => {
  const importer = importers.find((each) => each.id === id);
  const message = `{"role":"user","content":${deep(50_000)}}`;
  const lines = [
    `{"type":"user","uuid":"u-1","sessionId":"s-1","message":${message}}`,
    `{"type":"session_meta","payload":{"id":"s-1","x":${deep(50_000)}}}`,
    `{"schema_version":"ATIF-v1.6","session_id":"s","steps":${deep(50_000)}}`,
  ];
  for (const line of lines) {
    const head = await makeSourceHead(sourceOfText(`${line}\n`));
    expect(importer?.sniff(head)).toBeGreaterThanOrEqual(0);
    expect(() => importer?.group?.(head, 'a/b.jsonl')).not.toThrow();
  }
});

test('brackets are no groups of protobuf, which their first byte tells', {
  timeout: 20_000,
}, async () => {
  const importer = importers.find(({ id }) => id === 'otlp-protobuf');
  // "[" opens a group, and "Z" before it is a message of 91 bytes, or of 1.5 gigabytes.
  for (const text of ['['.repeat(400_000), `Z${'['.repeat(400_000)}`, '{['.repeat(200_000)]) {
    const head = await makeSourceHead(sourceOfText(text));
    for (let time = 0; time < 60; time += 1) expect(importer?.sniff(head)).toBe(0);
  }
});

test.each(importers.map(({ id }) => id))(
  '%s looks at blank lines once',
  { timeout: 20_000 },
  async (id) => {
    const importer = importers.find((each) => each.id === id);
    const opening = '--b\r\nContent-Disposition: form-data; name="post.x"\r\n';
    for (const blank of ['\n', '\r\n', '\t\n', '\u2028', ' ']) {
      for (const end of ['x', '{', opening]) {
        const head = await makeSourceHead(sourceOfText(`${blank.repeat(60_000)}${end}`));
        expect(importer?.sniff(head)).toBeGreaterThanOrEqual(0);
        expect(() => importer?.group?.(head, 'a/b.jsonl')).not.toThrow();
      }
    }
  },
);
