import { describe, expect, it } from 'vitest';
import { runDurationNs, runStartedText, runTokens } from '../../src/features/runs/run-time.ts';
import { FARM, PASTED } from './example-runs.ts';

const NOW = new Date('2026-11-30T00:00:00Z');

describe('times of a run in the list', () => {
  it('says when it began only as far as its clock knows', () => {
    const wall = { startedAtNs: String(Date.UTC(2026, 10, 28, 16, 4) * 1e6), startedAtText: 'x' };
    expect(runStartedText({ ...wall, clock: 'local' }, NOW)).toBe('28 Nov 16:04');
    expect(
      runStartedText({ clock: 'timeOfDay', startedAtNs: '0', startedAtText: '09:14:02' }, NOW),
    ).toBe('09:14:02');
    expect(runStartedText({ ...wall, clock: 'monotonic' }, NOW)).toBeNull();
    expect(runStartedText(PASTED, NOW)).toBeNull();
  });

  it('subtracts before it rounds', () => {
    expect(
      runDurationNs({ startedAtNs: '1795950000000000001', endedAtNs: '1795950000000000003' }),
    ).toBe(2);
    expect(runDurationNs(FARM)).toBe(700e9);
    expect(runDurationNs(PASTED)).toBeNull();
  });

  it('never takes unrecorded tokens for none', () => {
    expect(runTokens(FARM)).toBe(123_000);
    expect(runTokens({ inputTokens: null, outputTokens: 4 })).toBe(4);
    expect(runTokens(PASTED)).toBeNull();
  });
});
