import type { ComparisonRow } from '@misstep/model';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { RowDetail } from '../../src/features/replay/row-detail.tsx';

const row: ComparisonRow = {
  pointer: '/text',
  verdict: 'server differs now',
  transcript: 'short',
  replayed: 'long',
  note: null,
};
const htmlOf = (shown: ComparisonRow) =>
  renderToStaticMarkup(<RowDetail row={shown} order={0} total={1} transcriptGrade="wire" />);

test('says how many bytes of a text are left out, and nothing where none are', () => {
  const cut = htmlOf({ ...row, omittedBytes: { transcript: 0, replayed: 41_943_040 } });
  expect(cut.match(/left out/g)).toHaveLength(1);
  expect(cut).toContain('41943040 bytes left out');
  expect(htmlOf(row)).not.toContain('left out');
});
