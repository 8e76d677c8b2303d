import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importerById } from '../src/index.ts';
import { decimalToNs, epochToNs, NS_PER_DAY, readTime } from '../src/source-time.ts';
import { sourceOfText } from './support.ts';

describe('times as sources write them', () => {
  test.each([
    ['1970-01-01T00:00:00Z', 'zoned', 0n],
    ['2026-11-20T08:00:01.000000123Z', 'zoned', 1_795_161_601_000_000_123n],
    ['2026-11-20T08:00:01.000000123999999Z', 'zoned', 1_795_161_601_000_000_123n],
    ['10:14:02.000000001999999', 'timeOfDay', 36_842_000_000_001n],
    ['2026-11-20T09:00:01+01:00', 'zoned', 1_795_161_601_000_000_000n],
    ['2026-11-20T03:30:01-0430', 'zoned', 1_795_161_601_000_000_000n],
    ['2026-11-20 08:00:01 UTC', 'zoned', 1_795_161_601_000_000_000n],
    ['2026-11-20T08:00:01,5', 'local', 1_795_161_601_500_000_000n],
    ['2026-11-20', 'local', 1_795_132_800_000_000_000n],
    ['1969-12-31T23:59:59.5Z', 'zoned', -500_000_000n],
    ['10:14:02', 'timeOfDay', 36_842_000_000_000n],
    ['9:05', 'timeOfDay', 32_700_000_000_000n],
    ['12:00:01 AM', 'timeOfDay', 1_000_000_000n],
    ['12:30 pm', 'timeOfDay', 45_000_000_000_000n],
  ])('%s', (text, clock, ns) => {
    expect(readTime(text)).toEqual({ clock, ns, text });
  });

  test.each([
    '',
    'soon',
    '2026-13-01',
    '2026-02-30T00:00:00Z',
    '24:00:00',
    '13:00 PM',
    '10:61',
    '1.5',
    '0099-12-31T23:59:59Z',
    '9999-12-31T23:59:59Z',
    '2026-11-20T08:61:00Z',
  ])('%s is no time', (text) => expect(readTime(text)).toBeNull());

  test('agrees with Date for every instant that Date can print', () => {
    const dates = fc.date({
      min: new Date('1678-01-01'),
      max: new Date('2261-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (date) => {
        expect(readTime(date.toISOString())?.ns).toBe(BigInt(date.getTime()) * 1_000_000n);
      }),
    );
  });

  test('a time of day stays within the day', () => {
    const parts = fc.tuple(
      fc.nat({ max: 23 }),
      fc.nat({ max: 59 }),
      fc.nat({ max: 59 }),
      fc.nat({ max: 999 }),
    );
    fc.assert(
      fc.property(parts, ([hour, minute, second, milli]) => {
        const pad = (value: number, width = 2): string => String(value).padStart(width, '0');
        const ns =
          readTime(`${pad(hour)}:${pad(minute)}:${pad(second)}.${pad(milli, 3)}`)?.ns ?? -1n;
        expect(ns >= 0n && ns < NS_PER_DAY).toBe(true);
        expect(ns % 1_000_000n).toBe(0n);
      }),
    );
  });
});

describe('numbers of time', () => {
  test.each([
    ['1796022246.9375708', 1_796_022_246_937_570_800n],
    ['1796022246', 1_796_022_246_000_000_000n],
    ['1796022246937', 1_796_022_246_937_000_000n],
    ['1796022246937570', 1_796_022_246_937_570_000n],
    ['1796022246937570801', 1_796_022_246_937_570_801n],
  ])('%s since 1970', (text, ns) => expect(epochToNs(text)).toBe(ns));

  test('small numbers are no epoch', () => {
    expect(epochToNs('12.5')).toBeNull();
    expect(epochToNs('NaN')).toBeNull();
    expect(decimalToNs('12.5', 's')).toBe(12_500_000_000n);
    expect(decimalToNs('-3', 'ms')).toBe(-3_000_000n);
    expect(decimalToNs('1e5', 's')).toBeNull();
    expect(epochToNs('99999999999999999999')).toBeNull();
  });
});

describe.each([
  [
    'claude-code-jsonl',
    (timestamp: string | undefined) => ({
      type: 'user',
      uuid: 'u1',
      sessionId: 's1',
      timestamp,
      message: { role: 'user', content: 'Fold the map' },
    }),
  ],
  [
    'codex-rollout',
    (timestamp: string | undefined) => ({
      timestamp,
      type: 'response_item',
      payload: {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'Fold the map' }],
      },
    }),
  ],
])('a time of %s', (format, recordAt) => {
  test.each([
    ['9999-12-31T23:59:59Z', 'TIME_UNREADABLE'],
    ['soon', 'TIME_UNREADABLE'],
    [undefined, 'TIME_MISSING'],
    ['2026-11-20T08:00:01.123456789123456Z', null],
  ])('%s is told as it is, and its text kept', async (stamp, code) => {
    const main = sourceOfText(`${JSON.stringify(recordAt(stamp))}\n`);
    const result = await importerById(format)?.read({ main, companions: [] });
    const time = result?.runs[0]?.steps[0]?.time;
    expect(time?.startedAtText).toBe(stamp ?? null);
    expect(time?.startedAtNs).toBe(code === null ? 1_795_161_601_123_456_789n : null);
    expect(result?.issues.map((issue) => issue.code)).toEqual(code === null ? [] : [code]);
    if (code === 'TIME_UNREADABLE') expect(result?.issues[0]?.message).toContain(stamp);
  });
});
