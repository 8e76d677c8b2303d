import { createHash } from 'node:crypto';
import type { ComparisonRow, Verdict } from '@misstep/model';
import { expect, test } from 'vitest';
import {
  type CompareInput,
  compareResults,
  differenceOfLines,
  sizeOf,
  walkRows,
} from '../src/index.ts';

function compareRows(
  input: CompareInput,
  { limit, ...from }: { offset: number; limit: number; verdicts?: Verdict[] },
) {
  const rows: ComparisonRow[] = [];
  const total = walkRows(input, from, (row) => rows.push(row) < limit);
  return { rows, total };
}

const image = (data: string) =>
  `{"content":[{"type":"image","mimeType":"image/png","data":"${data}"}]}`;

test('an image is bytes however short it is', () => {
  const { rows } = compareResults({
    transcriptText: image('AAAA'),
    replayedText: image('AAEC'),
    transcriptIsCut: false,
    transcriptEvidence: 'wire',
    sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
  });
  const row = rows.find(({ pointer }) => pointer === '/content/0/data');
  expect(row?.binary?.replayed).toMatchObject({ mediaType: 'image/png', sizeBytes: 3 });
  expect(row?.binary?.wire?.sha256).toHaveLength(64);
});

test('base64 is no text of which tokens are estimated', () => {
  const bare = sizeOf(image(''));
  const full = sizeOf(image('A'.repeat(4000)));
  expect(full.sizeBytes).toBe(bare.sizeBytes + 4000);
  expect(full.estimatedTokens).toBe(bare.estimatedTokens);
});

test('a line of the text difference that is base64 says what its bytes are', () => {
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const data = (letter: string) => letter.repeat(400);
  const { lines } = differenceOfLines(image(data('A')), false, image(data('B')), hash);
  const changed = lines.filter(({ kind }) => kind === 'recorded' || kind === 'live');
  expect(changed.map(({ kind, binary }) => [kind, binary?.mediaType, binary?.sizeBytes])).toEqual([
    ['recorded', 'image/png', 300],
    ['live', 'image/png', 300],
  ]);
  expect(changed[0]?.binary?.sha256).toBe(hash(new Uint8Array(300)));
  for (const { text, omitted } of changed) expect([text.length, omitted > 300]).toEqual([64, true]);
  // A word of letters that stands elsewhere stays a word.
  const word = `{"content":[],"structuredContent":{"note":"${data('A')}"}}`;
  const other = differenceOfLines(word, false, word.replace('AA', 'AB'), hash).lines;
  expect(other.some(({ binary }) => binary !== undefined)).toBe(false);
});

test('windows of rows put together are the rows of the whole, and counts do not depend on them', () => {
  const items = (change: number) =>
    JSON.stringify({
      content: [{ type: 'text', text: JSON.stringify({ list: [1, 2, { a: [], b: 'x' }] }) }],
      structuredContent: Array.from({ length: 700 }, (_, at) => ({
        id: at,
        deep: { a: [at, at + 1], b: {}, c: at % 50 === 0 ? change : 0 },
      })),
    });
  for (const evidence of ['wire', 'logged'] as const) {
    const input = {
      transcriptText: items(1),
      transcriptIsCut: false,
      transcriptEvidence: evidence,
      wireText: evidence === 'wire' ? null : items(1),
      replayedText: items(2),
    };
    const whole = compareResults(input);
    expect(whole.rowsOmitted).toBe(0);
    const parts = [0, 1000, 2000, 3000].flatMap(
      (offset) => compareRows(input, { offset, limit: 1000 }).rows,
    );
    expect(parts).toEqual(whole.rows);
    const differing = compareRows(input, {
      offset: 3,
      limit: 5,
      verdicts: ['server differs now'],
    });
    expect(differing.total).toBe(14);
    const all = whole.rows.filter(({ verdict }) => verdict === 'server differs now');
    expect(differing.rows).toEqual(all.slice(3, 8));
  }
});
