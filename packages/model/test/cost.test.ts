import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  costOfRun,
  costOfStep,
  PriceFinder,
  PriceRowSchema,
  readUsd,
  type Step,
  totalsOf,
  type Usage,
  usagePartsOf,
  wholeInputOf,
} from '../src/index.ts';
import { makeStep } from './support.ts';

const prices = new PriceFinder(
  [
    { model: 'brass', input: '3', cacheRead: '0.3', cacheWrite: '3.75', output: '15' },
    {
      model: 'lead',
      input: '3',
      cacheRead: '0.3',
      cacheWrite: '3.75',
      cacheWriteHour: '6',
      output: '15',
    },
    { model: 'tin', input: '0.075', cacheRead: null, cacheWrite: null, output: '0.3' },
    { model: 'gold', input: '10', cacheRead: null, cacheWrite: null, output: '50', longer: true },
  ].map(({ longer = false, ...price }) =>
    PriceRowSchema.parse({
      ...price,
      longInputCostsMore: longer,
      date: '2026-01-01',
      source: 'a test',
      origin: 'yours',
    }),
  ),
);

function usage(input: number | null, output: number | null, rest: Partial<Usage> = {}): Usage {
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: null,
    cacheWriteTokens: null,
    inputExcludesCache: false,
    ...rest,
  };
}

let seq = 0;
function call(model: string | null, used: Usage | null, recordedCostUsd: string | null = null) {
  seq += 1;
  return makeStep(seq, { kind: 'model', tool: null, model, usage: used, recordedCostUsd });
}

function runCost(steps: readonly Step[], stated: string | null = null) {
  return costOfRun(totalsOf(steps).modelUsage, stated, prices);
}

describe('a model call', () => {
  it('costs its parts, cached input as the format counts it', () => {
    const apart = { cacheReadTokens: 400, cacheWriteTokens: 100, inputExcludesCache: true };
    const inside = { ...apart, inputExcludesCache: false };
    // 500 * 3 + 400 * 0.3 + 100 * 3.75 + 200 * 15 = 4995 millionths.
    const first = costOfStep(call('brass', usage(500, 200, apart)), prices);
    const second = costOfStep(call('brass', usage(1000, 200, inside)), prices);
    expect(first).toMatchObject({ derivedUsd: '0.004995', atLeast: false, missing: null });
    expect(second?.derivedUsd).toBe('0.004995');
  });

  it('costs cache writes for an hour at their own price, and at least as others without one', () => {
    const used = usage(500, 200, {
      cacheWriteTokens: 100,
      cacheWriteHourTokens: 60,
      inputExcludesCache: true,
    });
    // 500 * 3 + 40 * 3.75 + 60 * 6 + 200 * 15 = 5010 millionths; 60 * 3.75 in place of 60 * 6 gives 4875.
    const known = costOfStep(call('lead', used), prices);
    expect(known).toMatchObject({ derivedUsd: '0.00501', atLeast: false });
    const bound = costOfStep(call('brass', used), prices);
    expect(bound).toMatchObject({ derivedUsd: '0.004875', atLeast: true });
    const run = runCost([call('lead', used), call('lead', used), call('lead', usage(1, 1))]);
    expect(run).toMatchObject({ usd: '0.010038', atLeast: false });
    // Without a price of its own a cache write is other input, for however long it is kept.
    expect(costOfStep(call('tin', used), prices)?.atLeast).toBe(false);
  });

  it('is exact where floating point is not', () => {
    const cost = costOfStep(call('tin', usage(3, 1)), prices);
    expect(cost?.derivedUsd).toBe('0.000000525');
  });

  it('says what is missing, and never says 0 for it', () => {
    expect(costOfStep(call('brass', null), prices)).toMatchObject({
      derivedUsd: null,
      missing: 'tokens',
    });
    expect(costOfStep(call('iron', usage(1, 1)), prices)).toMatchObject({
      derivedUsd: null,
      missing: 'price',
    });
    expect(costOfStep(call(null, usage(1, 1)), prices)?.missing).toBe('model');
    expect(costOfStep(makeStep(1), prices)).toBeNull();
  });

  it('with one of its counts costs at least that, and so does long input of a model with steps', () => {
    expect(costOfStep(call('brass', usage(1_000_000, null)), prices)).toMatchObject({
      derivedUsd: '3',
      atLeast: true,
    });
    expect(costOfStep(call('gold', usage(200_001, 0)), prices)?.atLeast).toBe(true);
    expect(costOfStep(call('gold', usage(200_000, 0)), prices)?.atLeast).toBe(false);
  });

  it('with searches that are charged beside its tokens costs at least that', () => {
    const searched = { ...usage(1_000_000, 0), feeRequests: 2 };
    const cost = costOfStep(call('brass', searched, '3.02'), prices);
    expect(cost).toMatchObject({ derivedUsd: '3', atLeast: true, differs: false });
    const run = runCost([call('brass', usage(1, 1)), call('brass', searched)]);
    expect(run.atLeast).toBe(true);
    expect(runCost([call('brass', usage(1, 1))]).atLeast).toBe(false);
  });

  it('shows the recorded amount as written beside the derived one, and more than 1 % between them', () => {
    const used = usage(1_000_000, 0);
    expect(costOfStep(call('brass', used, '3.00'), prices)).toMatchObject({
      recordedUsd: '3.00',
      derivedUsd: '3',
      differs: false,
    });
    expect(costOfStep(call('brass', used, '3.03'), prices)?.differs).toBe(false);
    expect(costOfStep(call('brass', used, '3.04'), prices)?.differs).toBe(true);
    expect(costOfStep(call('brass', used, '0'), prices)?.differs).toBe(true);
  });
});

describe('a run', () => {
  it('without a model call costs nothing that is known', () => {
    expect(runCost([makeStep(1)])).toMatchObject({ usd: null, evidence: null, callCount: 0 });
  });

  it('adds recorded and derived amounts, says of how many calls, and which models have no price', () => {
    const steps = [
      call('brass', usage(1_000_000, 0)),
      call('brass', usage(1_000_000, 0), '2.5'),
      call('iron', usage(5, 5)),
      call('brass', null),
    ];
    expect(runCost(steps)).toEqual({
      usd: '5.5',
      evidence: 'mixed',
      atLeast: true,
      callCount: 4,
      costedCallCount: 2,
      statedUsd: null,
      recordedUsd: '2.5',
      recordedCallCount: 1,
      derivedUsd: '6',
      derivedCallCount: 2,
      differs: true,
      unpricedModels: ['iron'],
    });
  });

  it('takes what the source states for the whole of it, and keeps the derived sum beside it', () => {
    const steps = [call('brass', usage(1_000_000, 0))];
    expect(runCost(steps, '2.00')).toMatchObject({
      usd: '2',
      evidence: 'recorded',
      statedUsd: '2',
      derivedUsd: '3',
      differs: true,
      atLeast: false,
    });
    expect(runCost(steps, 'about 2')).toMatchObject({ usd: '3', evidence: 'derived' });
  });

  it('holds prices against what each call states, not against a whole that is more than the calls here', () => {
    const steps = [
      call('brass', usage(1_000_000, 0), '3'),
      call('brass', usage(1_000_000, 0), '3.00'),
    ];
    expect(runCost(steps, '8.5')).toMatchObject({
      usd: '8.5',
      statedUsd: '8.5',
      recordedUsd: '6',
      derivedUsd: '6',
      differs: false,
    });
    const dearer = [call('brass', usage(1_000_000, 0), '4')];
    expect(runCost(dearer, '3')).toMatchObject({ differs: true });
  });

  it('counts what is stated for the whole in whole pico-dollars', () => {
    expect(runCost([], '0.029804999999999998').statedUsd).toBe('0.029805');
  });

  it('costs the sum of its calls, in whatever groups they are kept', () => {
    const anyUsage = fc.record({
      inputTokens: fc.option(fc.nat(300_000), { nil: null }),
      outputTokens: fc.option(fc.nat(9_000), { nil: null }),
      cacheReadTokens: fc.option(fc.nat(300_000), { nil: null }),
      cacheWriteTokens: fc.option(fc.nat(9_000), { nil: null }),
      inputExcludesCache: fc.boolean(),
    });
    const anyCall = fc.tuple(
      fc.constantFrom('brass', 'tin', 'gold', 'iron', null),
      fc.option(anyUsage, { nil: null }),
      fc.option(fc.constantFrom('0', '0.01', '1e-7'), { nil: null }),
    );
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 20 }), (list) => {
        const steps = list.map(([model, used, stated]) => call(model, used, stated));
        let sum = 0n;
        let known = 0;
        for (const step of steps) {
          const cost = costOfStep(step, prices);
          const usd = cost?.recordedUsd ?? cost?.derivedUsd ?? null;
          if (usd === null) continue;
          sum += readUsd(usd) ?? 0n;
          known += 1;
        }
        const cost = runCost(steps);
        expect(cost.costedCallCount).toBe(known);
        expect(cost.callCount).toBe(steps.length);
        expect(cost.usd === null ? 0n : readUsd(cost.usd)).toBe(sum);
        expect(cost.usd === null).toBe(known === 0);
      }),
    );
  });
});

it('the parts of a usage add up to the whole input, each token in one part', () => {
  const count = fc.option(fc.nat(1_000_000), { nil: null });
  fc.assert(
    fc.property(count, count, count, count, fc.boolean(), (input, output, read, write, apart) => {
      const used = usage(input, output, {
        cacheReadTokens: read,
        cacheWriteTokens: write,
        inputExcludesCache: apart,
      });
      const parts = usagePartsOf(used);
      expect(Math.min(...Object.values(parts))).toBeGreaterThanOrEqual(0);
      const whole = parts.freshTokens + parts.cacheReadTokens + parts.cacheWriteTokens;
      if (input !== null) expect(wholeInputOf(used)).toBe(whole);
      if (input !== null && !apart && (read ?? 0) + (write ?? 0) <= input) {
        expect(whole).toBe(input);
      }
    }),
  );
});
