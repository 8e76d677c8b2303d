import { describe, expect, it } from 'vitest';
import { flagSpan, isCovered, placeOrderWords } from '../../src/features/overview/flag-room.ts';

describe('words and flags over the axis', () => {
  it('a flag at the right end flies to the left of its pole', () => {
    expect(flagSpan(10, 52, 1000)).toEqual({ from: 10, to: 62 });
    expect(flagSpan(990, 52, 1000)).toEqual({ from: 938, to: 990 });
  });

  it('what an axis of order says of itself never stands below a flag', () => {
    const long = 'order only, no times recorded: 3 steps, each as wide as the next';
    expect(placeOrderWords(3, [], 1000)).toEqual({ px: 4, words: long });
    const flag = { from: 0, to: 110 };
    const moved = placeOrderWords(3, [flag], 1000);
    expect(moved).toEqual({ px: 118, words: long });
    const atEnds = [flag, { from: 300, to: 352 }];
    const short = placeOrderWords(3, atEnds, 400);
    expect(short?.words).toBe('order only, no times recorded');
    expect(isCovered(atEnds, short?.px ?? 0, (short?.px ?? 0) + 150)).toBe(false);
    // Where there is no room at all, nothing is said rather than something half.
    expect(placeOrderWords(3, [{ from: 0, to: 400 }], 400)).toBeNull();
  });
});
