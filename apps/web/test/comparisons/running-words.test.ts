import { describe, expect, it } from 'vitest';
import {
  knownSoFar,
  runningHead,
  sendsWords,
} from '../../src/features/comparisons/running-words.ts';

describe('an experiment that still runs', () => {
  it('is headed by how far it is, not by a verdict', () => {
    const running = {
      state: 'running',
      sentCount: 2,
      callCount: 3,
      sentence: 'All 2 are the same.',
    };
    expect(runningHead(running)).toBe('2 of 3 sent');
    expect(knownSoFar(running)).toBe('so far: All 2 are the same.');
    const complete = { ...running, state: 'complete', sentCount: 3 };
    expect(runningHead(complete)).toBeNull();
    expect(knownSoFar(complete)).toBe('All 2 are the same.');
  });

  it('calls answers identical only once all of them have come', () => {
    expect(sendsWords(0, 3, null)).toBe('0 of 3 sent');
    expect(sendsWords(2, 3, true)).toBe('2 of 3 sent');
    expect(sendsWords(3, 3, true)).toBe('3/3 identical');
    expect(sendsWords(3, 3, false)).toBe('3/3 differ');
    expect(sendsWords(1, 1, null)).toBe('1/1');
  });
});
