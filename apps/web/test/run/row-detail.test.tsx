import type { Comparison, ComparisonRow, Replay } from '@misstep/model';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { RowDetail } from '../../src/features/replay/row-detail.tsx';
import { shownVersions } from '../../src/features/replay/shown-versions.ts';

const row: ComparisonRow = {
  pointer: '/text',
  verdict: 'server differs now',
  transcript: 'short',
  replayed: 'long',
  note: null,
};
const comparison: Comparison = {
  verdict: 'server differs now',
  sentence: '1 value differs on the server now.',
  counts: { 'server differs now': 1 },
  rows: [row],
  rowsOmitted: 0,
  readings: [],
};
const replay: Replay = {
  id: '01JDZZZZZZZZZZZZZZZZZZZZZZ' as Replay['id'],
  runId: 'r00000000000000000000' as Replay['runId'],
  stepId: 's0' as Replay['stepId'],
  state: 'done',
  targetName: 'depot' as Replay['targetName'],
  tool: 'find',
  argumentsText: '{}',
  startedAt: '2026-01-05T10:00:00.000Z',
  frames: [],
  events: [],
  asks: [],
  outcome: 'result',
  outcomeSentence: 'The tool answered.',
  receipt: null,
  comparison,
};
const htmlOf = (shown: ComparisonRow, of: Comparison = comparison) =>
  renderToStaticMarkup(
    <RowDetail
      comparison={of}
      row={shown}
      order={0}
      total={1}
      versions={shownVersions(of, 'wire', 'r1')}
      replay={replay}
    />,
  );

test('says how many bytes of a text are left out, and nothing where none are', () => {
  const cut = htmlOf({ ...row, omittedBytes: { transcript: 0, replayed: 41_943_040 } });
  expect(cut.match(/left out/g)).toHaveLength(1);
  expect(cut).toContain('41943040 bytes left out');
  expect(htmlOf(row)).not.toContain('left out');
});

test('a comparison from before there were three versions shows a recorded wire as the wire', () => {
  const html = htmlOf(row);
  expect(html).toContain('Wire');
  expect(html).not.toContain('Transcript');
  expect(html).toContain('short');
});

test('bytes are said by media type, size and hash, and drawn only where they can be', () => {
  const fact = { mediaType: 'image/svg+xml', sizeBytes: 3000, sha256: 'ab'.repeat(32) };
  const html = htmlOf({ ...row, binary: { transcript: null, wire: null, replayed: fact } });
  expect(html).toContain('3,000 bytes, SHA-256 abab');
  expect(html).toContain('No preview of image/svg+xml');
  expect(html).not.toContain('<img');
});
