import { buildSkeleton, durationOf, STEP_FLAGS, type Step, totalsOf } from '@misstep/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listFixtures, loadFixture } from './fixtures.ts';
import { sourceOf } from './support.ts';

/** Times as text, and as numbers since 1970 of seconds to nanoseconds. */
const TIME =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?|(?<![\w.])1[67]\d{8}(?:\d{3}|\d{6}|\d{9})?(?![\w])/g;

/** The source with its times in another order, each put where one of its length stood. */
function shuffled(text: string, seed: number): string {
  const byLength = new Map<number, string[]>();
  for (const [time] of text.matchAll(TIME)) {
    byLength.set(time.length, [...(byLength.get(time.length) ?? []), time]);
  }
  return text.replace(TIME, (time) => {
    const times = byLength.get(time.length) ?? [time];
    return times.splice(seed % times.length, 1)[0] ?? time;
  });
}

function expectNoneNegative(steps: readonly Step[]): void {
  const { startsNs, durationsNs, flags } = buildSkeleton(totalsOf(steps), steps, new Set());
  for (const [index, step] of steps.entries()) {
    const { startedAtNs, endedAtNs, endedAtText } = step.time;
    if (startedAtNs !== null && endedAtNs !== null) {
      expect(endedAtNs).toBeGreaterThanOrEqual(startedAtNs);
    }
    expect(startsNs[index] ?? 0).toBeGreaterThanOrEqual(0);
    expect(durationsNs[index] ?? 0).toBeGreaterThanOrEqual(0);
    expect(durationOf(step)).toBe(durationsNs[index]);
    const isLeftOut = startedAtNs !== null && endedAtNs === null && endedAtText !== null;
    if (isLeftOut) expect((flags[index] ?? 0) & STEP_FLAGS.clockSkew).not.toBe(0);
  }
}

let told = 0;

test.each(listFixtures().map((fixture) => [fixture.name, fixture] as const))(
  '%s with its times in any order: nothing lasts less than no time',
  async (_name, fixture) => {
    const { main, companions } = await loadFixture(fixture);
    // Every byte is a character and back, so that what is no text stays what it is.
    const text = Buffer.from(await main.read(0, main.sizeBytes)).toString('latin1');
    await fc.assert(
      fc.asyncProperty(fc.nat(10_000), async (seed) => {
        const source = sourceOf(main.name, Buffer.from(shuffled(text, seed), 'latin1'));
        const { runs, issues } = await fixture.importer.read({ main: source, companions });
        for (const { steps } of runs) expectNoneNegative(steps);
        if (issues.some(({ code }) => code === 'END_BEFORE_START')) told += 1;
      }),
      { numRuns: 4 },
    );
  },
);

test('the times of some were out of order, and that was told', () => {
  expect(told).toBeGreaterThan(10);
});
