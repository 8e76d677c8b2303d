import { placeOfRow } from '@misstep/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareResults } from '../src/index.ts';

function compareItems(recorded: readonly string[], live: readonly string[]) {
  const envelope = (items: readonly string[]) =>
    `{"content":[],"structuredContent":{"items":[${items.join(',')}]}}`;
  return compareResults({
    transcriptText: envelope(recorded),
    replayedText: envelope(live),
    transcriptIsCut: false,
    transcriptEvidence: 'wire',
  }).rows.filter((row) => row.pointer.includes('/items') && row.verdict !== 'same');
}

const item = (id: number, value: string) => `{"id":"i-${id}","v":${value}}`;

describe('items that have an identity', () => {
  test('one moved by an insertion and written differently is formatting only', () => {
    const rows = compareItems(
      [item(1, '1'), item(2, '2'), item(3, '3')],
      [item(0, '0'), item(1, '1.0'), item(3, '3')],
    );
    expect(
      rows.map(({ pointer, verdict, wire, replayed }) => [pointer, verdict, wire, replayed]),
    ).toEqual([
      ['/structuredContent/items/0', 'server differs now', null, item(0, '0')],
      ['/structuredContent/items/1/v', 'formatting only', '1', '1.0'],
      ['/structuredContent/items/1', 'server differs now', item(2, '2'), null],
    ]);
  });

  test('two rows of one pointer say which side it belongs to', () => {
    const rows = compareItems(
      [item(1, '1'), item(2, '2'), item(3, '3')],
      [item(1, '1'), item(3, '4')],
    );
    expect(rows.map(placeOfRow)).toEqual([
      { pointer: '/structuredContent/items/1', side: 'recorded' },
      { pointer: '/structuredContent/items/1/v', side: 'live' },
    ]);
  });

  test('another order is one row, and the items stay together', () => {
    const rows = compareItems(
      [item(1, '1'), item(2, '2'), item(3, '3')],
      [item(3, '3'), item(1, '1'), item(2, '5')],
    );
    expect(rows.map(({ pointer, note, replayed }) => [pointer, note, replayed])).toEqual([
      ['/structuredContent/items', 'order of the items', '"i-3", "i-1", "i-2"'],
      ['/structuredContent/items/2/v', null, '5'],
    ]);
  });

  test('k items inserted, removed and changed are exactly those rows', () => {
    const fate = fc.constantFrom('keep', 'keep', 'change', 'remove', 'insert');
    fc.assert(
      fc.property(fc.array(fate, { maxLength: 20 }), (middle) => {
        const fates = ['keep', ...middle];
        const recorded = fates.flatMap((each, id) => (each === 'insert' ? [] : [item(id, '1')]));
        const live = fates.flatMap((each, id) =>
          each === 'remove' ? [] : [item(id, each === 'change' ? '2' : '1')],
        );
        const rows = compareItems(recorded, live);
        const ids = (kind: string) => fates.flatMap((each, id) => (each === kind ? [id] : []));
        const removed = rows.filter((row) => row.replayed === null).map((row) => row.wire);
        const inserted = rows.filter((row) => row.wire === null).map((row) => row.replayed);
        expect(removed).toEqual(ids('remove').map((id) => item(id, '1')));
        expect(inserted).toEqual(ids('insert').map((id) => item(id, '1')));
        expect(rows).toHaveLength(fates.length - ids('keep').length);
      }),
    );
  });
});

describe('items without an identity', () => {
  test('meet where they are equal but for formatting, then by likeness', () => {
    const rows = compareItems(
      ['{"a":1,"b":"x"}', '{"a":3,"b":"y"}'],
      ['{"a":0,"b":"w"}', '{"b":"x","a":1.0}', '{"a":4,"b":"y"}'],
    );
    expect(
      rows.map(({ pointer, verdict }) => [pointer.slice('/structuredContent'.length), verdict]),
    ).toEqual([
      ['/items/0', 'server differs now'],
      ['/items/1', 'formatting only'],
      ['/items/1/a', 'formatting only'],
      ['/items/2/a', 'server differs now'],
    ]);
  });
});
