import { buildSkeleton, isFailedCall, RetryGroups, STEP_FLAGS, type StepId } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import { makeStep, makeTime, makeValue } from './support.ts';

const none: ReadonlySet<StepId> = new Set();
const flagsOf = (...steps: ReturnType<typeof makeStep>[]) =>
  buildSkeleton({ startedAtNs: 0n }, steps, none).flags;

function retryGroupsOf(
  steps: readonly ReturnType<typeof makeStep>[],
): ReturnType<RetryGroups['list']> {
  const groups = new RetryGroups();
  for (const step of steps) groups.add(step);
  return groups.list();
}

describe('skeleton columns', () => {
  test('count from the run’s start, past 2^53 nanoseconds since 1970', () => {
    const start = 1_764_489_600_123_456_789n;
    const skeleton = buildSkeleton(
      { startedAtNs: start },
      [
        makeStep(1, { kind: 'user', time: makeTime(start, null) }),
        makeStep(2, { parentId: 's1', time: makeTime(start + 5n, start + 12n) }),
        makeStep(3, { parentId: 'gone' }),
      ],
      none,
    );
    expect(skeleton.startsNs).toEqual([0, 5, null]);
    expect(skeleton.durationsNs).toEqual([null, 7, null]);
    expect(skeleton.parents).toEqual([-1, 0, -1]);
    expect(skeleton.count).toBe(3);
  });

  test('tokens add up with those from a cache, and none recorded is not zero', () => {
    const usage = {
      inputTokens: 12,
      outputTokens: null,
      cacheReadTokens: 900,
      cacheWriteTokens: null,
      inputExcludesCache: true,
    };
    const { tokens } = buildSkeleton(
      { startedAtNs: null },
      [
        makeStep(1, { usage }),
        makeStep(2),
        makeStep(3, { usage: { ...usage, inputTokens: null } }),
      ],
      none,
    );
    expect(tokens).toEqual([912, null, null]);
  });

  test('flags a value that the source says it cut, also without a cut state', () => {
    const elisions = [{ pointer: '/items', kind: 'items', count: 20, marker: '[ …20 items… ]' }];
    expect(
      flagsOf(
        makeStep(1, { time: makeTime(1n, 2n), result: makeValue(0, 1, { elisions }) }),
        makeStep(2, { time: makeTime(3n, 4n), result: makeValue(0, 1) }),
        makeStep(3, { time: makeTime(5n, 6n), arguments: makeValue(0, 1, { state: 'elided' }) }),
      ),
    ).toEqual([STEP_FLAGS.truncated, 0, STEP_FLAGS.truncated]);
  });

  test('flags empty results, inferred pairings, and times that are missing or derived', () => {
    const derived = { ...makeTime(1n, 2n), evidence: 'derived' };
    expect(
      flagsOf(
        makeStep(1, { emptyResult: true, pairing: { by: 'order', derived: true } }),
        makeStep(2, { time: derived, emptyResult: false, pairing: { by: 'id', derived: false } }),
      ),
    ).toEqual([
      STEP_FLAGS.empty | STEP_FLAGS.inferredPairing | STEP_FLAGS.noTime,
      STEP_FLAGS.derivedTime,
    ]);
  });

  test('only calls that were open at the same time under one parent are parallel', () => {
    const flags = flagsOf(
      makeStep(1, { time: makeTime(0n, 100n) }),
      makeStep(2, { time: makeTime(10n, 20n) }),
      makeStep(3, { time: makeTime(30n, 40n) }),
      makeStep(4, { time: makeTime(100n, 120n) }),
      makeStep(5, { time: makeTime(10n, 20n), parentId: 's4' }),
      makeStep(6, { time: makeTime(10n, null) }),
    );
    expect(flags.map((each) => (each & STEP_FLAGS.parallel) !== 0)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test('clock skew: negative, before its parent, or after a parent that waits for it', () => {
    const flags = flagsOf(
      makeStep(1, { kind: 'agent', time: makeTime(100n, 200n) }),
      makeStep(2, { kind: 'model', parentId: 's1', time: makeTime(110n, 120n) }),
      // Runs after the model call that asked for it: as it should be.
      makeStep(3, { parentId: 's2', time: makeTime(120n, 150n) }),
      makeStep(4, { parentId: 's1', time: makeTime(150n, 201n) }),
      makeStep(5, { parentId: 's1', time: makeTime(99n, 150n) }),
      makeStep(6, { time: makeTime(300n, 299n) }),
      // Its end could not be placed after its start.
      makeStep(7, { time: { ...makeTime(300n, null), endedAtText: '09:00' } }),
      makeStep(8, { time: makeTime(300n, null) }),
    );
    expect(flags.map((each) => (each & STEP_FLAGS.clockSkew) !== 0)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(
      buildSkeleton({ startedAtNs: 0n }, [makeStep(1, { time: makeTime(9n, 8n) })], none)
        .durationsNs,
    ).toEqual([null]);
  });
});

describe('retry groups', () => {
  const failed = makeStep(1, { status: 'error', arguments: makeValue(10, 5) });

  test('need an earlier failure of the same tool under the same parent with arguments of that size', () => {
    const groups = retryGroupsOf([
      makeStep(1, { arguments: makeValue(1, 5) }),
      makeStep(2, { status: 'error', arguments: makeValue(10, 5) }),
      makeStep(3, { arguments: makeValue(20, 6) }),
      makeStep(4, { arguments: makeValue(30, 5), tool: 'other' }),
      makeStep(5, { arguments: makeValue(40, 5), parentId: 's3' }),
      makeStep(6, { status: 'unanswered', arguments: makeValue(50, 5) }),
      makeStep(7, { arguments: makeValue(60, 5) }),
      makeStep(8, { arguments: makeValue(70, 5, { state: 'elided' }) }),
      makeStep(9, { status: 'error', arguments: makeValue(80, 9) }),
    ]);
    expect(groups.map((group) => group.map(({ id }) => id))).toEqual([['s2', 's6', 's7']]);
    expect(groups[0]?.map(isFailedCall)).toEqual([true, true, false]);
  });

  test('stay linear where every call fails', () => {
    const steps = Array.from(
      { length: 50_000 },
      (_, index) => ({ ...failed, id: `s${index}`, seq: index + 1 }) as typeof failed,
    );
    expect(retryGroupsOf(steps).map((group) => group.length)).toEqual([50_000]);
  });

  test('the flag follows what the caller found', () => {
    const steps = [
      makeStep(1, { time: makeTime(1n, 2n) }),
      makeStep(2, { time: makeTime(3n, 4n) }),
    ];
    const second = steps[1]?.id;
    const { flags } = buildSkeleton({ startedAtNs: 1n }, steps, new Set(second ? [second] : []));
    expect(flags).toEqual([0, STEP_FLAGS.retried]);
  });
});
