import { describe, expect, it } from 'vitest';
import {
  DEFAULT_RUN_SORT,
  nextRunSort,
  readRunSort,
  sortRuns,
  writeRunSort,
} from '../../src/features/runs/run-sort.ts';
import { RUN_SORT_KEYS, RunsSearchSchema } from '../../src/state/runs-search.ts';
import { CLEAN, exampleRun, FARM, PASTED, RUNS } from './example-runs.ts';

const ids = (sort: string) => sortRuns(RUNS, readRunSort(sort)).map((run) => run.id);

describe('sorting the run list', () => {
  it('puts the newest first, and runs without a date last in both directions', () => {
    expect(sortRuns(RUNS, DEFAULT_RUN_SORT)).toEqual([CLEAN, FARM, PASTED]);
    expect(ids('started')).toEqual([FARM.id, CLEAN.id, PASTED.id]);
  });

  it.each([
    ['title', [CLEAN, PASTED, FARM]],
    ['-duration', [FARM, CLEAN, PASTED]],
    ['evidence', [FARM, CLEAN, PASTED]],
    ['-errors', [FARM, PASTED, CLEAN]],
    ['-tokens', [FARM, PASTED, CLEAN]],
    ['outcome', [CLEAN, FARM, PASTED]],
  ])('by %s', (sort, expected) => {
    expect(ids(sort)).toEqual(expected.map((run) => run.id));
  });

  it('compares times beyond 2^53 nanoseconds exactly', () => {
    const earlier = exampleRun(4, { title: 'a', startedAt: '2026-11-03T10:00:00.001Z' });
    const later = exampleRun(5, { title: 'b', startedAt: '2026-11-03T10:00:00.002Z' });
    expect(sortRuns([earlier, later], DEFAULT_RUN_SORT)).toEqual([later, earlier]);
  });

  it('turns on a second click, and begins with the largest number or with A', () => {
    expect(nextRunSort(DEFAULT_RUN_SORT, 'started')).toEqual({ key: 'started', descending: false });
    expect(nextRunSort(DEFAULT_RUN_SORT, 'errors')).toEqual({ key: 'errors', descending: true });
    expect(nextRunSort(DEFAULT_RUN_SORT, 'title')).toEqual({ key: 'title', descending: false });
  });

  it('survives the URL, which leaves the default out', () => {
    expect(writeRunSort(DEFAULT_RUN_SORT)).toBeUndefined();
    for (const key of RUN_SORT_KEYS) {
      for (const descending of [true, false]) {
        const text = writeRunSort({ key, descending });
        expect(RunsSearchSchema.parse({ sort: text }).sort).toBe(text);
        expect(readRunSort(text)).toEqual({ key, descending });
      }
    }
    expect(RunsSearchSchema.parse({ sort: 'constructor', q: 7 })).toEqual({});
  });
});
