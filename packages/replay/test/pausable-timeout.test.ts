import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PausableTimeout } from '../src/pausable-timeout.ts';

describe('a timeout that can stand still', () => {
  let fired = 0;
  let timeout: PausableTimeout;
  beforeEach(() => {
    vi.useFakeTimers();
    fired = 0;
    timeout = new PausableTimeout(1000, () => {
      fired += 1;
    });
  });
  afterEach(() => {
    timeout.clear();
    vi.useRealTimers();
  });

  it('does not count the time of its pauses', () => {
    vi.advanceTimersByTime(400);
    timeout.pause();
    timeout.pause();
    vi.advanceTimersByTime(5000);
    expect([fired, timeout.remainingMs()]).toEqual([0, 600]);
    timeout.resume();
    timeout.resume();
    vi.advanceTimersByTime(599);
    expect(fired).toBe(0);
    vi.advanceTimersByTime(1);
    expect(fired).toBe(1);
  });

  it('stands still for ten minutes in all, then runs on whatever it is told', () => {
    for (let at = 0; at < 9; at += 1) {
      timeout.pause();
      vi.advanceTimersByTime(60_000);
      timeout.resume();
    }
    timeout.pause();
    vi.advanceTimersByTime(60_000);
    expect(fired).toBe(0);
    timeout.pause();
    vi.advanceTimersByTime(1000);
    expect(fired).toBe(1);
  });

  it('never fires once it was cleared, paused or not', () => {
    timeout.pause();
    timeout.clear();
    timeout.resume();
    vi.advanceTimersByTime(1_000_000);
    expect(fired).toBe(0);
  });
});
