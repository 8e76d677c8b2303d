import { encodeString } from '@misstep/json';
import type { Comparison, EvidenceGrade } from '@misstep/model';
import { ComparisonSchema } from '@misstep/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareResults } from '../src/index.ts';

const twenty = Array.from({ length: 20 }, (_value, index) => `{"ref":"P-${index}","qty":${index}}`);

function envelope(payload: string, more = ''): string {
  return `{"content":[{"type":"text","text":${encodeString(payload)}}]${more},"isError":false}`;
}

function structured(payload: string): string {
  return `{"content":[],"structuredContent":${payload},"isError":false}`;
}

function compare(
  transcriptText: string | null,
  wireText: string,
  replayedText: string,
  options: { cut?: boolean; evidence?: EvidenceGrade } = {},
): Comparison {
  const comparison = compareResults({
    transcriptText,
    transcriptIsCut: options.cut ?? false,
    transcriptEvidence: options.evidence ?? 'rendered',
    wireText,
    replayedText,
  });
  expect(ComparisonSchema.parse(comparison)).toEqual(comparison);
  return comparison;
}

function verdicts(comparison: Comparison): Record<string, string> {
  return Object.fromEntries(comparison.rows.map((row) => [row.pointer, row.verdict]));
}

describe('transcript, recorded wire and live answer', () => {
  const wire = structured(
    `{"total":0,"before_since":[${twenty.join(',')}],"cursor":9007199254740993,"rate":1.0,"as_of":"2026-11-28","fx":{"EUR":0.9240},"note":"[redacted]"}`,
  );
  const live = structured(
    `{"total":0,"before_since":[${[...twenty.slice(0, 4), '{"ref":"P-4","qty":400}', ...twenty.slice(5)].join(',')}],"cursor":9007199254740993,"rate":1.0,"as_of":"2026-11-30","fx":{"EUR":0.9240},"note":"ticket 4410"}`,
  );
  const shown =
    '{"content":[],"structuredContent":{"total":0,"before_since":[ …20 items… ],"cursor":9007199254740992,"rate":1,"as_of":"2026-11-28","note":"ticket…"}}';

  test('each verdict is certain where the wire was recorded', () => {
    const comparison = compare(shown, wire, live, { cut: true });
    expect(comparison.columns).toEqual(['transcript', 'wire', 'replayed']);
    expect(verdicts(comparison)).toMatchObject({
      '/structuredContent/total': 'same',
      '/structuredContent/before_since/0': 'elided in transcript',
      '/structuredContent/before_since/4/qty': 'server differs now',
      '/structuredContent/cursor': 'altered in transcript',
      '/structuredContent/rate': 'formatting only',
      '/structuredContent/as_of': 'server differs now',
      '/structuredContent/fx': 'missing in transcript',
      '/structuredContent/note': 'cannot tell',
      '/isError': 'missing in transcript',
    });
    const cursor = comparison.rows.find((row) => row.pointer.endsWith('/cursor'));
    expect(cursor).toMatchObject({
      transcript: '9007199254740992',
      wire: '9007199254740993',
      replayed: '9007199254740993',
      pairs: { transcript: 'altered in transcript', server: 'same' },
    });
    expect(cursor?.note).toMatch(
      /^precision: the nearest double of the number in the recorded wire/,
    );
    expect(comparison.sentence).toMatch(
      /^The transcript altered 1 value; left out 2 values without saying so; left out/,
    );
    expect(comparison.sizes).toMatchObject({ wire: { sizeBytes: wire.length } });
  });

  test('a value that the transcript left out and the server changed names the server', () => {
    const comparison = compare(shown, wire, live, { cut: true });
    const row = comparison.rows.find((each) => each.pointer.endsWith('/4/qty'));
    expect(row).toMatchObject({ transcript: null, wire: '4', replayed: '400' });
  });

  test('without a transcript beside it the wire is a column of its own', () => {
    const comparison = compareResults({
      transcriptText: wire,
      transcriptIsCut: false,
      transcriptEvidence: 'wire',
      replayedText: live,
    });
    expect(comparison.columns).toEqual(['wire', 'replayed']);
    expect(comparison.counts).not.toHaveProperty('altered in transcript');
    expect(comparison.rows.every((row) => row.transcript === null)).toBe(true);
    expect(verdicts(comparison)['/structuredContent/as_of']).toBe('server differs now');
    expect(comparison.sizes).toMatchObject({ transcript: null, wire: { sizeBytes: wire.length } });
  });

  test('what left the wire can not have been altered by a transcript', () => {
    const comparison = compareResults({
      transcriptText: structured('{"n":9007199254740992,"s":"caf\ufffd","v":null,"d":2}'),
      transcriptIsCut: false,
      transcriptEvidence: 'wire',
      replayedText: structured('{"n":9007199254740993,"s":"café","v":1e400,"d":1,"d":2}'),
    });
    for (const verdict of Object.keys(comparison.counts)) {
      expect(['same', 'server differs now']).toContain(verdict);
    }
  });

  test('a transcript of the text alone: what is beside the text is listed where the server differs', () => {
    const payload = `{"count":2,"next":"a"}`;
    const comparison = compare(
      '{"count":2}',
      envelope(payload, ',"_meta":{"took":1}'),
      envelope(payload, ',"_meta":{"took":2}'),
    );
    expect(verdicts(comparison)).toEqual({
      '/content/0/text/count': 'same',
      '/content/0/text/next': 'missing in transcript',
      '/_meta/took': 'server differs now',
    });
    const count = comparison.rows.find((row) => row.pointer.endsWith('/count'));
    expect(count?.pointers).toEqual({ transcript: '/count' });
  });

  test('plain text is three texts', () => {
    const of = (text: string) => envelope(text);
    const long = 'the parcel stands at the north door';
    const comparison = compare(long.slice(0, 20), of(long), of(long));
    expect(comparison.rows).toMatchObject([
      { pointer: '/content/0/text', verdict: 'altered in transcript', wire: long, replayed: long },
    ]);
    expect(verdicts(compare(long, of(long), of('it went')))).toEqual({
      '/content/0/text': 'server differs now',
    });
  });

  test('a transcript without a result leaves the wire to be compared', () => {
    const comparison = compare(null, wire, live);
    expect(comparison.columns).toEqual(['wire', 'replayed']);
    expect(verdicts(comparison)['/structuredContent/as_of']).toBe('server differs now');
  });

  test('a value that the transcript invents is its own', () => {
    const answer = structured('{"a":1}');
    const shownText = '{"content":[],"structuredContent":{"a":1,"b":2},"isError":false}';
    expect(verdicts(compare(shownText, answer, answer))).toEqual({
      '/content': 'same',
      '/structuredContent/a': 'same',
      '/structuredContent/b': 'altered in transcript',
      '/isError': 'same',
    });
  });
});

const item = fc.record({ id: fc.uuid(), n: fc.integer() });
const items = fc.uniqueArray(item, { selector: ({ id }) => id, minLength: 1, maxLength: 40 });

describe('lists', () => {
  const compareLists = (left: readonly object[], right: readonly object[]) =>
    compareResults({
      transcriptText: structured(JSON.stringify({ list: left })),
      transcriptIsCut: false,
      transcriptEvidence: 'wire',
      replayedText: structured(JSON.stringify({ list: right })),
    });
  const differing = (comparison: Comparison) =>
    comparison.rows.filter((row) => row.verdict !== 'same');

  test('k items inserted or removed anywhere are exactly k rows that differ', () => {
    fc.assert(
      fc.property(items, fc.infiniteStream(fc.boolean()), (list, stream) => {
        const kept = list.filter(() => stream.next().value);
        // An empty list has no items to lay beside each other: it is one row of its own.
        fc.pre(kept.length > 0);
        const removed = differing(compareLists(list, kept));
        expect(removed).toHaveLength(list.length - kept.length);
        expect(removed.every((row) => row.replayed === null)).toBe(true);
        const inserted = differing(compareLists(kept, list));
        expect(inserted).toHaveLength(list.length - kept.length);
        expect(inserted.every((row) => (row.wire ?? null) === null)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('also in lists that are too long for a table of all against all', () => {
    const list = Array.from({ length: 6000 }, (_value, id) => ({ id }));
    const right = [{ id: -1 }, ...list.filter(({ id }) => id !== 10 && id !== 5900), { id: -2 }];
    const left = [...list];
    const rows = differing(compareLists(left, right));
    expect(rows).toHaveLength(4);
  });

  test('the three-way comparison and the two-way one agree on the server', () => {
    const value = fc.jsonValue({ maxDepth: 3 }).map((each) => JSON.stringify({ v: each }));
    fc.assert(
      fc.property(value, value, value, (shown, recorded, live) => {
        const three = compare(structured(shown), structured(recorded), structured(live));
        const two = compareResults({
          transcriptText: structured(recorded),
          transcriptIsCut: false,
          transcriptEvidence: 'wire',
          replayedText: structured(live),
        });
        const changed = (comparison: Comparison) =>
          comparison.rows.some((row) => row.pairs?.server === 'server differs now');
        expect(changed(three)).toBe(changed(two));
        // A transcript that shows exactly the wire is never at fault.
        const faithful = compare(structured(recorded), structured(recorded), structured(live));
        expect(verdicts(faithful)).toEqual(verdicts(two));
      }),
      { numRuns: 150 },
    );
  });
});

describe('text beside structure', () => {
  test('is said where the two disagree, and where', () => {
    const of = (text: string, value: string) =>
      `{"content":[{"type":"text","text":${encodeString(text)}}],"structuredContent":${value}}`;
    const agree = of('{"a":1,"b":[1,2]}', '{"b":[1,2],"a":1.0}');
    expect(compare(null, agree, agree).remarks).toBeUndefined();
    const wrapped = of('{"a":1}', '{"result":{"a":1}}');
    expect(compare(null, wrapped, wrapped).remarks).toBeUndefined();
    const apart = of('{"a":1}', '{"a":2,"b":3}');
    expect(compare(null, agree, apart).remarks).toEqual([
      'In the live answer the JSON text of /content/0/text and structuredContent disagree at /a, /b.',
    ]);
  });
});

describe('bytes in base64', () => {
  const image = (fill: number, size = 3000) =>
    `{"content":[{"type":"image","mimeType":"image/png","data":"${Buffer.alloc(size, fill).toString('base64')}"}]}`;

  test('say media type, size and hash in place of their letters', () => {
    const comparison = compareResults({
      transcriptText: image(1),
      transcriptIsCut: false,
      transcriptEvidence: 'wire',
      replayedText: image(2, 3001),
      sha256: (bytes) => `${bytes.length}:${bytes[0]}`,
    });
    const row = comparison.rows.find((each) => each.pointer === '/content/0/data');
    expect(row).toMatchObject({
      verdict: 'server differs now',
      binary: {
        transcript: null,
        wire: { mediaType: 'image/png', sizeBytes: 3000, sha256: '3000:1' },
        replayed: { mediaType: 'image/png', sizeBytes: 3001, sha256: '3001:2' },
      },
      omittedBytes: { transcript: 0, wire: 4002 - 64, replayed: 4006 - 64 },
    });
    expect(row?.replayed).toHaveLength(64);
  });

  test('text that is no base64 stays text', () => {
    const of = (text: string) => `{"content":[{"type":"image","data":${encodeString(text)}}]}`;
    const comparison = compare(null, of('not base64! '.repeat(40)), of('other! '.repeat(40)));
    const row = comparison.rows.find((each) => each.pointer === '/content/0/data');
    expect(row?.binary).toBeUndefined();
  });
});
