import { encodeString, listPointers, parseJson, printJson } from '@misstep/json';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byteSpanOf, placeOf, spanInFrame } from '../../src/features/replay/frame-span.ts';
import {
  commonPlace,
  hitOf,
  ignorePatternOf,
  shownVersions,
} from '../../src/features/replay/shown-versions.ts';

const textAt = (frame: string, pointer: string) => {
  const span = spanInFrame(frame, pointer);
  return span === null ? null : frame.slice(span.start, span.end);
};

describe('the place of a value in a frame', () => {
  test('is its own letters, also within a text that is JSON', () => {
    const inner = '{"é":[1,{"cursor":9007199254740993}],"s":"a\\"b"}';
    const frame = `{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":${encodeString(inner)}}]}}`;
    expect(textAt(frame, '/result/content/0/type')).toBe('"text"');
    expect(textAt(frame, '/result/content/0/text/é/1/cursor')).toBe('9007199254740993');
    expect(textAt(frame, '/result/content/0/text/s')).toBe('\\"a\\\\\\"b\\"');
    expect(textAt(frame, '/result/content/0/text/none')).toBeNull();
    expect(textAt(frame, '/result/absent')).toBeNull();
    const span = spanInFrame(frame, '/result/content/0/text/é/1/cursor');
    const bytes = byteSpanOf(frame, span ?? { start: 0, end: 0 });
    expect(Buffer.from(frame).subarray(bytes.start, bytes.end).toString()).toBe('9007199254740993');
  });

  test('is found before the end of what was sent of a long frame', () => {
    const frame = `{"result":{"a":[1,22,333],"b":"${'x'.repeat(100)}`;
    expect(textAt(frame, '/result/a/1')).toBe('22');
    expect(textAt('not JSON', '/result')).toBeNull();
  });

  test('every value of any JSON in a text is found as it is written', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.boolean(), (json, wide) => {
        const parsed = parseJson(json);
        if (!parsed.ok) return;
        const text = wide ? printJson(parsed.value, { indent: 2 }) : json;
        const document = parseJson(text);
        if (!document.ok) return;
        const frame = `{"result":{"text":${encodeString(text)}}}`;
        for (const { pointer, node, shadowed } of listPointers(document.value)) {
          if (pointer === '' || shadowed) continue;
          const found = textAt(frame, `/result/text${pointer}`);
          expect(JSON.parse(`"${found}"`)).toBe(text.slice(node.start, node.end));
        }
      }),
    );
  });

  test('differs by version where an item was inserted', () => {
    const row = {
      pointer: '/list/3',
      pointers: { wire: '/list/2' },
      verdict: 'same' as const,
      transcript: null,
      wire: '1',
      replayed: '1',
      note: null,
    };
    const comparison = {
      verdict: 'same' as const,
      sentence: '',
      counts: {},
      rows: [row],
      rowsOmitted: 0,
      readings: [],
    };
    expect(placeOf({ ...comparison, rowsBelow: '/structuredContent' }, row)).toEqual({
      wire: '/result/structuredContent/list/2',
      replayed: '/result/structuredContent/list/3',
    });
  });
});

describe('columns and rows', () => {
  const row = (pointer: string) => ({
    pointer,
    verdict: 'same' as const,
    transcript: null,
    replayed: null,
    note: null,
  });

  test('a place that most rows stand below is shortened, any other is not', () => {
    const below = ['/structuredContent/a', '/structuredContent/b', '/isError'].map(row);
    expect(commonPlace(below)).toBe('/structuredContent');
    expect(commonPlace([row('/a'), row('/structuredContent/b')])).toBeNull();
    expect(commonPlace([row('/structuredContent')])).toBeNull();
  });

  test('a path to ignore covers any item of its list', () => {
    expect(ignorePatternOf('/orders/12/etag')).toBe('/orders/*/etag');
    expect(ignorePatternOf('/a1/2b/3')).toBe('/a1/2b/*');
  });

  test('where the server differs, a transcript that left the value out keeps its hatch', () => {
    const versions = shownVersions(
      {
        ...{ verdict: 'same', sentence: '', counts: {}, rows: [], rowsOmitted: 0, readings: [] },
        columns: ['transcript', 'wire', 'replayed'],
      },
      'rendered',
      'r1',
    );
    const [transcript, wire, replayed] = versions;
    expect(versions.map(({ name }) => name)).toEqual(['transcript', 'wire', 'replayed']);
    if (transcript === undefined || wire === undefined || replayed === undefined) return;
    const differs = {
      ...row('/a'),
      verdict: 'server differs now' as const,
      pairs: { server: 'server differs now' as const },
      wire: '1',
      replayed: '2',
    };
    expect(versions.map((version) => hitOf(differs, version))).toEqual(['transcript', null, 'now']);
    expect(hitOf(row('/b'), transcript)).toBeNull();
  });

  test('a wire recording says that it has no transcript', () => {
    const versions = shownVersions(
      {
        ...{ verdict: 'same', sentence: '', counts: {}, rows: [], rowsOmitted: 0, readings: [] },
        columns: ['wire', 'replayed'],
      },
      'wire',
      'r1',
    );
    expect(versions[0]).toMatchObject({ isThere: false, note: 'none in this run' });
  });
});
