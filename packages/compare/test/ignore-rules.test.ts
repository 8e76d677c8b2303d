import type { Comparison } from '@misstep/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyIgnoreRules, compareResults, readIgnoreRules, sizeOf } from '../src/index.ts';

function compare(transcript: unknown, live: unknown): Comparison {
  return compareResults({
    transcriptText: JSON.stringify(transcript),
    transcriptIsCut: false,
    transcriptEvidence: 'wire',
    replayedText: JSON.stringify(live),
  });
}

function rules(...names: string[]) {
  const read = readIgnoreRules(names);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

function ignoredBy({ rows }: Comparison) {
  return rows.flatMap((row) => (row.ignoredBy === undefined ? [] : [[row.pointer, row.ignoredBy]]));
}

describe('ignore rules', () => {
  const before = {
    count: 3,
    created_at: '2026-01-05T10:00:00Z',
    due_at: 'next week',
    requestId: '6f1c1df0-95a4-4a57-b0ae-1cf1ff6b8e70',
    id: 'ORD-1',
    next_cursor: 'abc',
    took: 12,
    items: [{ etag: 'a', price: 1 }],
  };
  const after = {
    count: 4,
    created_at: '2026-02-01T11:30:00Z',
    due_at: 'tomorrow',
    requestId: '0d0b9a34-6a0c-4ab1-8a68-6ae2b8e4b6f5',
    id: 'ORD-2',
    next_cursor: 'def',
    took: 8,
    items: [{ etag: 'b', price: 1 }],
  };

  test('mark rows, keep their verdicts and count them by rule', () => {
    const plain = compare(before, after);
    const found = applyIgnoreRules(
      plain,
      rules('timestamps', 'ids', 'cursors', 'durations', '/items/*/etag', '/absent'),
    );
    expect(ignoredBy(found)).toEqual([
      ['/created_at', 'timestamps'],
      ['/requestId', 'ids'],
      ['/next_cursor', 'cursors'],
      ['/took', 'durations'],
      ['/items/0/etag', '/items/*/etag'],
    ]);
    expect(found.rows.map(({ verdict }) => verdict)).toEqual(
      plain.rows.map(({ verdict }) => verdict),
    );
    expect(found.ignored).toEqual([
      { rule: 'timestamps', count: 1 },
      { rule: 'ids', count: 1 },
      { rule: 'cursors', count: 1 },
      { rule: 'durations', count: 1 },
      { rule: '/items/*/etag', count: 1 },
      { rule: '/absent', count: 0 },
    ]);
    // What a name alone suggests is not ignored: these are the order's own data.
    const judged = found.rows.filter(
      (row) => row.verdict !== 'same' && row.ignoredBy === undefined,
    );
    expect(judged.map(({ pointer }) => pointer)).toEqual(['/count', '/due_at', '/id']);
    expect(found.counts).toEqual({ 'server differs now': 3, same: 1 });
    expect(found.sentence).toMatch(/ 5 values that differ are ignored by rule \(timestamps 1, /);
    expect(plain.ignored).toBeUndefined();
  });

  test('can turn the verdict, but never into the same by ignoring all', () => {
    const one = applyIgnoreRules(compare({ a: 1, took: 1 }, { a: 1, took: 2 }), rules('durations'));
    expect([one.verdict, one.counts]).toEqual(['same', { same: 1 }]);
    const all = applyIgnoreRules(compare({ took: 1 }, { took: 2 }), rules('durations'));
    expect([all.verdict, all.sentence]).toEqual([
      'cannot tell',
      'Every value that was compared is ignored. 1 value that differs is ignored by rule (durations 1).',
    ]);
  });

  test('under no rule, or rules taken back, it reads as before', () => {
    const plain = compare(before, after);
    expect(applyIgnoreRules(plain, [])).toBe(plain);
    const none = applyIgnoreRules(plain, rules('/nowhere'));
    expect({ ...none, ignored: undefined }).toEqual({ ...plain, ignored: undefined });
  });

  test('patterns cover what they name and everything below', () => {
    const covers = (pattern: string, pointer: string) =>
      rules(pattern).some((rule) => rule.covers({ pointer, transcript: '1', replayed: '2' }));
    expect(covers('/a', '/a/b/c')).toBe(true);
    expect(covers('/a', '/ab')).toBe(false);
    expect(covers('/a*', '/ab')).toBe(true);
    expect(covers('/*/b', '/a/x/b')).toBe(false);
    expect(covers('/**/b', '/a/x/b')).toBe(true);
    expect(covers('/**/b', '/b')).toBe(true);
    expect(covers('/a/**', '/a/b')).toBe(true);
    expect(covers('/', '')).toBe(false);
    expect(covers('/a~1b/*', '/a~1b/0')).toBe(true);
    expect(covers('/x*y*z', '/x12y34z')).toBe(true);
    expect(covers('/x*y*z', '/x12z34y')).toBe(false);
  });

  test('no pattern takes long', () => {
    const pattern = `/${'**/a*a*a*/'.repeat(20)}b`;
    const [rule] = rules(pattern);
    const pointer = `/${'aaaaaaaaaaaaaaaaaaaa/'.repeat(200)}c`;
    const started = performance.now();
    expect(rule?.covers({ pointer, transcript: null, replayed: null })).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test('what is no rule is said', () => {
    expect(readIgnoreRules(['timestamp'])).toMatchObject({
      ok: false,
      error: expect.stringContaining('timestamps, ids, cursors, durations'),
    });
    expect(readIgnoreRules([`/${'a/'.repeat(100)}`]).ok).toBe(false);
  });
});

test('sizes are bytes of UTF-8 and an estimate that says how', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(sizeOf(text).sizeBytes).toBe(new TextEncoder().encode(text).length);
    }),
  );
  expect(sizeOf('\ud800a').sizeBytes).toBe(4);
  const { sizes } = compare({ a: 'é' }, { a: 'éé' });
  expect(sizes).toMatchObject({
    transcript: null,
    wire: { sizeBytes: 10, estimatedTokens: 3 },
    replayed: { sizeBytes: 12, estimatedTokens: 3 },
    tokenRule: expect.stringMatching(/^estimate: /),
  });
});
