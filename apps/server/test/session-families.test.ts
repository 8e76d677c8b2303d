import type { RunId, Step } from '@misstep/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Services } from '../src/compose.ts';
import { fileOf } from './recordings.ts';
import { FAMILIES, TOKEN } from './session-families.ts';
import { openTestServices } from './support.ts';

/** Whichever file of a session comes first, its run is the same; only what it is called by is the first one's. */

/** Three orders of some files, one by one, the last first among them, and all at once. */
function ordersOf(count: number, seed: number): number[][][] {
  const orders = (left: readonly number[]): number[][] =>
    left.length === 0
      ? [[]]
      : left.flatMap((each) =>
          orders(left.filter((other) => other !== each)).map((rest) => [each, ...rest]),
        );
  const all = orders(Array.from({ length: count }, (_each, index) => index));
  const some = [all.at(-1), all[seed % all.length], all[0]].map((order) => order ?? []);
  return [...some.map((order) => order.map((each) => [each])), some.slice(0, 1)];
}

/** `npm run fuzz` tries others. */
const RUNS = 1;

let named = 0;

/** The families of one data folder share no id. */
function nameAnew(text: string, token: string): string {
  return text.replaceAll(TOKEN, token);
}

interface Reading {
  readonly id: RunId;
  readonly steps: readonly Step[];
  /** All that a person sees of the run, but for its ids. */
  readonly told: unknown;
}

async function readingsOf(services: Services, ids: ReadonlySet<string>): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const id of ids) {
    const detail = await services.store.getRun(id as RunId).catch(() => null);
    if (detail === null) continue;
    const steps = await services.store.listSteps(detail.run.id);
    const places = new Map(steps.map((step) => [step.id, step.seq]));
    const { run } = detail;
    const frames = (await services.store.listFrames(run.id, { limit: 500, offset: 0 })).frames;
    readings.push({
      id: run.id,
      steps,
      told: {
        ...{ title: run.title, client: run.client, model: run.model, clock: run.clock },
        totals: [run.stepCount, run.toolCallCount, run.modelCallCount],
        tokens: [run.inputTokens, run.outputTokens],
        times: [run.startedAtNs, run.endedAtNs],
        issues: detail.issues.map(({ code, message }) => `${code}: ${message}`).sort(),
        steps: steps.map((step) => ({
          ...{ kind: step.kind, name: step.name, summary: step.summary, status: step.status },
          ...{ time: step.time, usage: step.usage, callId: step.callId },
          parent: step.parentId === null ? null : places.get(step.parentId),
        })),
        frames: frames.map(({ kind, method, idText, wallNs, stepId }) => [
          ...[kind, method, idText, wallNs],
          stepId === null ? null : places.get(stepId),
        ]),
      },
    });
  }
  return readings;
}

test.each(Object.entries(FAMILIES))(
  '%s make the same run in whatever order they are imported',
  async (_name, familyOf) => {
    const services = await openTestServices();
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000_000), async (seed) => {
        const family = familyOf(seed);
        const files = Object.entries(family.files);
        let expected: unknown;
        for (const order of ordersOf(files.length, seed)) {
          named += 1;
          const token = (0xf0000000 + named).toString(16);
          const ids = new Set<string>();
          let before: readonly Reading[] = [];
          for (const batch of order) {
            const given = batch.flatMap((index) => files.slice(index, index + 1));
            const outcomes = await services.imports.importFiles(
              given.map(([path, text]) => fileOf(nameAnew(path, token), nameAnew(text, token))),
            );
            for (const { error, format, runs } of outcomes) {
              expect([error, format]).toEqual([null, family.format]);
              for (const { id } of runs) ids.add(id);
            }
            const now = await readingsOf(services, ids);
            expectKept(before, now);
            before = now;
          }
          expect(before).toHaveLength(1);
          const told = JSON.stringify(before[0]?.told, (_key, value: unknown) =>
            typeof value === 'bigint' ? String(value) : value,
          ).replaceAll(token, TOKEN);
          expected ??= JSON.parse(told);
          expect(JSON.parse(told)).toEqual(expected);
        }
      }),
      { numRuns: RUNS },
    );
  },
  240_000,
);

/** The run of the first import is the one that stays, and a step of it is called what it was. */
function expectKept(before: readonly Reading[], now: readonly Reading[]): void {
  const [first] = before;
  if (first === undefined) return;
  const same = now.find(({ id }) => id === first.id);
  expect(same?.id).toBe(first.id);
  const after = new Map(same?.steps.map((step) => [step.id, step]));
  for (const { id, name, summary } of first.steps) {
    const step = after.get(id);
    if (name === 'Goes on in another session file' && step === undefined) continue;
    expect([id, step?.summary]).toEqual([id, summary]);
  }
}
