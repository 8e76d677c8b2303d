import { activeTimeOf, timeText, totalsOf } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import { makeStep, makeTime } from './support.ts';

describe('totals of a run', () => {
  test('of nothing are nothing, not zero tokens at time zero', () => {
    expect(totalsOf([])).toEqual({
      startedAtNs: null,
      endedAtNs: null,
      stepCount: 0,
      toolCallCount: 0,
      modelCallCount: 0,
      errorCount: 0,
      inputTokens: null,
      outputTokens: null,
      modelUsage: [],
      bestEvidence: 'derived',
      calledTools: [],
    });
  });

  test('of one recorded time say when, not how long', () => {
    const one = makeStep(1, { kind: 'user', time: makeTime(50n, null) });
    expect(totalsOf([one])).toMatchObject({ startedAtNs: 50n, endedAtNs: null });
    const same = makeStep(2, { time: makeTime(50n, null) });
    expect(totalsOf([one, same])).toMatchObject({ startedAtNs: 50n, endedAtNs: 50n });
  });

  test('count calls and failures, and take the widest times', () => {
    const usage = {
      inputTokens: 10,
      outputTokens: 3,
      cacheReadTokens: 100,
      cacheWriteTokens: 5,
      inputExcludesCache: true,
    };
    const totals = totalsOf([
      makeStep(1, { kind: 'user', time: makeTime(50n, null), evidence: 'rendered' }),
      makeStep(2, { kind: 'model', usage, time: makeTime(60n, 90n) }),
      makeStep(3, { status: 'neverReached', time: makeTime(40n, 70n), evidence: 'wire' }),
      makeStep(4, {
        status: 'unanswered',
        usage: { ...usage, inputTokens: 110, inputExcludesCache: false },
      }),
    ]);
    expect(totals).toMatchObject({
      startedAtNs: 40n,
      endedAtNs: 90n,
      stepCount: 4,
      toolCallCount: 2,
      modelCallCount: 1,
      errorCount: 1,
      inputTokens: 225,
      outputTokens: 6,
      bestEvidence: 'wire',
    });
  });

  test('active time counts overlaps once and leaves idle time out', () => {
    expect(
      activeTimeOf([
        makeStep(1, { time: makeTime(0n, 10n) }),
        makeStep(2, { time: makeTime(5n, 8n) }),
        makeStep(3, { time: makeTime(9n, 15n) }),
        makeStep(4, { time: makeTime(100n, 101n) }),
        makeStep(5, { time: makeTime(300n, 200n) }),
        makeStep(6),
      ]),
    ).toBe(16);
    expect(activeTimeOf([makeStep(1, { time: makeTime(0n, null) })])).toBeNull();
  });
});

describe('time text', () => {
  const noon = 1_764_504_000_000_000_000n;
  test.each([
    ['zoned', noon, '2025-11-30T12:00:00Z', '2025-11-30T12:00:00Z'],
    ['zoned', noon, '2025-11-30T13:00:00.000+01:00', '2025-11-30T12:00:00.000Z'],
    ['zoned', noon + 250_000_000n, '1764504000250', '2025-11-30T12:00:00.250Z'],
    ['zoned', noon + 1n, null, '2025-11-30T12:00:00.000000001Z'],
    ['zoned', -1_000n, null, '1969-12-31T23:59:59.999999Z'],
    ['zoned', null, null, null],
    ['local', noon, '2025-11-30 12:00', '2025-11-30 12:00'],
    ['local', noon, null, '2025-11-30T12:00:00'],
    ['timeOfDay', 43_201_500_000_000n, null, '12:00:01.500'],
    ['monotonic', 12n, null, null],
    ['none', null, null, null],
  ] as const)('%s %s %s', (clock, atNs, sourceText, expected) => {
    expect(timeText(clock, atNs, sourceText)).toBe(expected);
  });

  test('a local time without a text is written like its sibling', () => {
    const textOf = (sibling: string | null) => timeText('local', noon, null, sibling);
    expect(textOf('2025-11-30 11:59:50')).toBe('2025-11-30 12:00:00');
    expect(textOf('2025-11-30T11:59:50')).toBe('2025-11-30T12:00:00');
    expect(timeText('zoned', noon, null, '2025-11-30 11:59:50Z')).toBe('2025-11-30T12:00:00Z');
  });

  test('an instant beyond the calendar falls back to what the source wrote', () => {
    expect(timeText('zoned', 10n ** 30n, '1e21')).toBe('1e21');
  });
});
