import { encodeString } from '@misstep/json';
import type { EvidenceGrade } from '@misstep/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareResults } from '../src/index.ts';

function envelope(text: string, more = ''): string {
  return `{"content":[{"type":"text","text":${encodeString(text)}}]${more},"isError":false}`;
}

function compare(
  transcriptText: string | null,
  replayedText: string | null,
  options: { cut?: boolean; evidence?: EvidenceGrade } = {},
) {
  return compareResults({
    transcriptText,
    replayedText,
    transcriptIsCut: options.cut ?? false,
    transcriptEvidence: options.evidence ?? 'logged',
  });
}

function verdicts(comparison: ReturnType<typeof compare>): Record<string, string> {
  return Object.fromEntries(comparison.rows.map((row) => [row.pointer, row.verdict]));
}

const twenty = Array.from(
  { length: 20 },
  (_value, index) => `{"ref":"P-${index}","qty":${index}.0}`,
);

describe('a transcript that a renderer cut', () => {
  const cutText = '{"count": 20, "truncated": true, "parcels": [ …20 items… ]}';
  const live = envelope(`{"count":20,"truncated":true,"parcels":[${twenty.join(',')}]}`);

  test('the twenty are elided, the count and the flag are the same', () => {
    const comparison = compare(cutText, live, { cut: true, evidence: 'rendered' });
    expect(verdicts(comparison)).toMatchObject({ '/count': 'same', '/truncated': 'same' });
    const elided = comparison.rows.filter((row) => row.verdict === 'elided in transcript');
    expect(elided.map((row) => row.pointer)).toEqual(
      twenty.map((_item, index) => `/parcels/${index}`),
    );
    expect(elided.map((row) => row.replayed)).toEqual(twenty);
    expect(elided.every((row) => row.transcript === null)).toBe(true);
    expect(comparison.verdict).toBe('elided in transcript');
    expect(comparison.readings).toContain('text content read as JSON');
  });

  test('a stated count that the live answer contradicts is a difference of the list, not of its items', () => {
    const other = envelope(
      `{"count":20,"truncated":true,"parcels":[${twenty.slice(0, 12).join(',')}]}`,
    );
    const comparison = compare(cutText, other, { cut: true, evidence: 'rendered' });
    const [list, ...items] = comparison.rows.filter((row) => row.pointer.startsWith('/parcels'));
    expect(list).toMatchObject({ pointer: '/parcels', verdict: 'server differs now' });
    expect(list?.note).toBe('the transcript tells of 20 items, the live answer has 12');
    expect(new Set(items.map((row) => row.verdict))).toEqual(new Set(['cannot tell']));
  });

  test('items around the marker meet their live ones from both ends', () => {
    const transcript = `{"parcels":[${twenty[0]}, …18 more items…, ${twenty[19]}]}`;
    const comparison = compare(transcript, envelope(`{"parcels":[${twenty.join(',')}]}`), {
      cut: true,
    });
    expect(verdicts(comparison)).toMatchObject({
      '/parcels/0/ref': 'same',
      '/parcels/1': 'elided in transcript',
      '/parcels/18': 'elided in transcript',
      '/parcels/19/qty': 'same',
    });
  });

  test('a missing value never differs, wherever the text is cut', () => {
    const whole = `{"a":{"b":[1,2,{"c":"long enough text"}],"d":null},"e":[true,false],"f":"tail"}`;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: whole.length - 1 }), (at) => {
        const comparison = compare(whole.slice(0, at), envelope(whole), {
          cut: true,
          evidence: 'rendered',
        });
        for (const row of comparison.rows) {
          if (row.transcript === null) {
            expect(['cannot tell', 'elided in transcript']).toContain(row.verdict);
          }
        }
      }),
    );
  });

  test('a cut string is elided when what it shows is how the live one begins', () => {
    const live = envelope('{"note":"parcels for the north door, ring the bell twice"}');
    expect(
      verdicts(compare('{"note": "parcels for the north…" (+27 chars)}', live, { cut: true })),
    ).toEqual({ '/note': 'elided in transcript' });
    expect(
      verdicts(compare('{"note": "parcels for the south…" (+27 chars)}', live, { cut: true })),
    ).toEqual({
      '/note': 'server differs now',
    });
  });
});

describe('values', () => {
  const one = (left: string, right: string, evidence: EvidenceGrade = 'logged') =>
    verdicts(compare(`{"v":${left}}`, envelope(`{"v":${right}}`), { evidence }))['/v'];

  test.each([
    ['9007199254740992', '9007199254740993', 'altered in transcript'],
    ['1915883588174806000', '1915883588174806058', 'altered in transcript'],
    ['null', '1e400', 'altered in transcript'],
    ['1', '1.0', 'formatting only'],
    ['0', '-0', 'formatting only'],
    ['100', '1E2', 'formatting only'],
    ['9007199254740993', '9007199254740993', 'same'],
    ['9007199254740994', '9007199254740993', 'server differs now'],
    ['"\\u00e9"', '"é"', 'formatting only'],
    ['"a  b"', '"a b"', 'formatting only'],
    ['"caf\ufffd"', '"café"', 'altered in transcript'],
    ['"[redacted]"', '"k-12"', 'cannot tell'],
    ['"x"', '"y"', 'server differs now'],
    ['[]', '[]', 'same'],
    ['"\\ud800"', '"\\ud800"', 'same'],
  ])('%s in the transcript, %s live: %s', (left, right, verdict) => {
    expect(one(left, right)).toBe(verdict);
  });

  test('a number that a renderer shows as a string is altered, in a log it differs', () => {
    expect(one('"12"', '12', 'rendered')).toBe('altered in transcript');
    expect(one('"12"', '12', 'logged')).toBe('server differs now');
  });

  test('a key that only the live answer has proves something in a structured record alone', () => {
    const live = envelope('{"a":1,"b":2}');
    expect(verdicts(compare('{"a":1}', live))['/b']).toBe('server differs now');
    expect(verdicts(compare('{"a":1}', live, { evidence: 'rendered' }))['/b']).toBe('cannot tell');
  });

  test('duplicate keys are compared one by one', () => {
    const comparison = compare('{"n":"x","n":"y"}', envelope('{"n":"x","n":"z"}'));
    expect(verdicts(comparison)).toEqual({ '/n~#0': 'same', '/n': 'server differs now' });
  });

  test('a client that keeps the last of equal keys has altered the result', () => {
    const comparison = compare('{"n":"second"}', envelope('{"n":"first","n":"second"}'));
    expect(verdicts(comparison)).toEqual({ '/n~#0': 'altered in transcript', '/n': 'same' });
  });

  test('key order is formatting', () => {
    const comparison = compare('{"b":2,"a":1}', envelope('{"a":1,"b":2}'));
    expect(comparison.verdict).toBe('formatting only');
  });

  test('one item inserted moves no other', () => {
    const comparison = compare('{"l":["a","b","c"]}', envelope('{"l":["a","new","b","c"]}'));
    const telling = comparison.rows.filter((row) => row.verdict !== 'same');
    expect(telling).toMatchObject([{ pointer: '/l/1', replayed: '"new"', transcript: null }]);
  });

  test('keys called __proto__ and constructor are keys', () => {
    const text = '{"__proto__":{"x":1},"constructor":2}';
    expect(compare(text, envelope(text)).verdict).toBe('same');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe('shapes of a result', () => {
  test('the content blocks alone are laid beside the live blocks', () => {
    const comparison = compare('[{"type":"text","text":"ok"}]', envelope('ok'));
    expect(verdicts(comparison)).toEqual({ '/content/0/type': 'same', '/content/0/text': 'same' });
    expect(comparison.readings).toHaveLength(1);
  });

  test.each([
    ['the content blocks', (text: string) => `[{"type":"text","text":${encodeString(text)}}]`],
    ['a whole result', (text: string) => envelope(text)],
  ])('JSON in the text of %s is compared as JSON, cut or not', (_name, wrap) => {
    const live = envelope(`{"count":2,"parcels":[${twenty.slice(0, 2).join(',')}]}`);
    const whole = compare(
      wrap('{"count":2,"parcels":[{"ref":"P-0","qty":0},{"ref":"P-1","qty":1}]}'),
      live,
    );
    expect(verdicts(whole)).toMatchObject({
      '/content/0/text/count': 'same',
      '/content/0/text/parcels/1/qty': 'formatting only',
    });
    expect(whole.readings).toContain('text content of /content/0/text read as JSON');
    const cut = compare(wrap('{"count": 2, "parcels": [ …2 items… ]}'), live);
    expect(verdicts(cut)).toMatchObject({
      '/content/0/text/count': 'same',
      '/content/0/text/parcels/0': 'elided in transcript',
      '/content/0/text/parcels/1': 'elided in transcript',
    });
  });

  test('text that only looks like JSON at its beginning stays text', () => {
    const comparison = compare('[INFO] kiln is warm', envelope('[INFO] kiln is cold'));
    expect(comparison.rows).toHaveLength(1);
    expect(comparison.verdict).toBe('server differs now');
  });

  test('a cut transcript whose visible part the live text contradicts differs', () => {
    const comparison = compare('{"count": 20, "parcels": [ …20 items… ]}', envelope('no'), {
      cut: true,
    });
    expect(comparison.verdict).toBe('server differs now');
  });

  test('where the call was edited a difference is not laid to the server', () => {
    const input = { transcriptIsCut: false, transcriptEvidence: 'logged' } as const;
    const edited = compareResults({
      ...input,
      transcriptText: '{"a":1}',
      replayedText: '{"a":2}',
      inputsEdited: true,
    });
    expect(edited.sentence).toContain('the call was edited, so the edit may be why');
    expect(edited.inputsEdited).toBe(true);
  });

  test('a whole result is laid beside the whole result', () => {
    const text = envelope('{"id":1}', ',"structuredContent":{"id":1}');
    expect(compare(text, text).rows.map((row) => row.pointer)).toContain('/isError');
  });

  test('plain text is compared as text', () => {
    expect(compare('three parcels', envelope('three parcels')).verdict).toBe('same');
    expect(compare('three  parcels\n', envelope('three parcels')).verdict).toBe('formatting only');
    expect(compare('three par… +7 chars', envelope('three parcels'), { cut: true }).verdict).toBe(
      'elided in transcript',
    );
    expect(compare('four parcels', envelope('three parcels')).verdict).toBe('server differs now');
  });

  test('no answer and no recorded result are said', () => {
    expect(compare('{}', null)).toMatchObject({ verdict: 'cannot tell', rows: [] });
    expect(compare(null, envelope('x'))).toMatchObject({ verdict: 'cannot tell', rows: [] });
  });
});

describe('whatever the texts', () => {
  test('a text is the same as itself', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        for (const live of [text, envelope(text)]) {
          const comparison = compare(live, live);
          expect(comparison.verdict).toBe('same');
        }
      }),
    );
  });

  test('there is a comparison, and its counts are its rows', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.boolean(), (left, right, cut) => {
        const comparison = compare(left, right, { cut });
        const counted = Object.values(comparison.counts).reduce((sum, count) => sum + count, 0);
        expect(counted).toBe(comparison.rows.length + comparison.rowsOmitted);
        expect(comparison.sentence.length).toBeGreaterThan(10);
      }),
    );
  });

  test('a tree 100,000 deep is no trouble', () => {
    const deep = `${'['.repeat(100_000)}1${']'.repeat(100_000)}`;
    const other = `${'['.repeat(100_000)}2${']'.repeat(100_000)}`;
    expect(compare(`{"v":${deep}}`, `{"v":${other}}`).verdict).toBe('server differs now');
  });

  test('rows over the cap are counted, and those that say most stay', () => {
    const list = Array.from({ length: 6000 }, (_value, index) => index);
    const changed = list.map((value) => (value === 5999 ? -1 : value));
    const comparison = compare(JSON.stringify({ list }), JSON.stringify({ list: changed }));
    expect(comparison.rows).toHaveLength(5000);
    expect(comparison.rowsOmitted).toBe(1000);
    expect(comparison.rows.at(-1)).toMatchObject({
      pointer: '/list/5999',
      verdict: 'server differs now',
    });
  });
});
