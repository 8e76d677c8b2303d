import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countOf,
  formatBytes,
  formatBytesOf,
  formatCount,
  formatTokens,
} from '../../src/ui/format-count.ts';
import {
  datePartsOfLocal,
  formatAxisTime,
  formatDateParts,
  formatLongDuration,
  formatStepDuration,
  formatTimeLeft,
} from '../../src/ui/format-time.ts';

const SECOND = 1e9;

describe('durations', () => {
  it.each([
    [0, '0 s'],
    [0.39 * SECOND, '0.39 s'],
    [39 * SECOND, '39 s'],
    [59.6 * SECOND, '1 m 00 s'],
    [(16 * 60 + 52) * SECOND, '16 m 52 s'],
    [(59 * 60 + 59.7) * SECOND, '1 h 00 m'],
    [(2 * 3600 + 14 * 60) * SECOND, '2 h 14 m'],
    [-3 * SECOND, '−3.00 s'],
  ])('of a run: %d ns is %s', (ns, words) => {
    expect(formatLongDuration(ns)).toBe(words);
  });

  it.each([
    [640, '640 ns'],
    [84_000, '84 µs'],
    [1_250_000, '1.3 ms'],
    [41_000_000, '41 ms'],
    [310_000_000, '0.31 s'],
    [2.31 * SECOND, '2.31 s'],
    [12.2 * SECOND, '12.2 s'],
    [59.96 * SECOND, '1 m 00 s'],
  ])('of a step: %d ns is %s', (ns, words) => {
    expect(formatStepDuration(ns)).toBe(words);
  });

  it('never prints a minute or second of 60', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 400_000 * SECOND, noNaN: true }), (ns) => {
        expect(formatLongDuration(ns)).not.toMatch(/\b60(\.\d+)? [sm]\b/);
        expect(formatStepDuration(ns)).not.toMatch(/\b60(\.\d+)? [sm]\b/);
      }),
    );
  });

  it('says how long is left, at least a second', () => {
    expect(formatTimeLeft(5400)).toBe('6 s left');
    expect(formatTimeLeft(0)).toBe('1 s left');
    expect(formatTimeLeft(130_000)).toBe('2 m 10 s left');
  });

  it('writes places on the axis', () => {
    expect(formatAxisTime(70 * SECOND)).toBe('1:10');
    expect(formatAxisTime(3725 * SECOND)).toBe('1:02:05');
    expect(formatAxisTime(-5 * SECOND)).toBe('−0:05');
  });
});

describe('dates', () => {
  it('keeps a wall-clock time as it was written', () => {
    const parts = datePartsOfLocal(Date.UTC(2026, 10, 28, 16, 4));
    expect(formatDateParts(parts, 2026)).toBe('28 Nov 16:04');
    expect(formatDateParts(parts, 2027)).toBe('28 Nov 2026');
  });
});

describe('counts', () => {
  it('groups by three', () => {
    expect(formatCount(1306)).toBe('1,306');
    expect(formatCount(13_104_000)).toBe('13,104,000');
    expect(countOf(1, 'run')).toBe('1 run');
    expect(countOf(0, 'run')).toBe('0 runs');
  });

  it('grouping keeps every digit', () => {
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (count) => {
        expect(Number(formatCount(count).replaceAll(',', ''))).toBe(count);
      }),
    );
  });

  it('shortens tokens', () => {
    expect(formatTokens(0)).toBe('0');
    expect(formatTokens(38_000)).toBe('38.0 k');
    expect(formatTokens(999_960)).toBe('1.00 M');
    expect(formatTokens(18_600_000)).toBe('18.6 M');
  });

  it('writes sizes with their unit', () => {
    expect(formatBytes(211)).toBe('211 B');
    expect(formatBytes(9_441)).toBe('9.4 kB');
    expect(formatBytes(999_960)).toBe('1.0 MB');
    expect(formatBytesOf(212_400_000, 356_000_000)).toBe('212.4 of 356.0 MB');
    expect(formatBytesOf(12, 80)).toBe('12 of 80 B');
  });
});
