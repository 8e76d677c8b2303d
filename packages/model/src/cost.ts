import { z } from 'zod';
import { type ModelUsage, usageOfStep } from './model-usage.ts';
import { readUsd, usdText } from './money.ts';
import { type PriceFinder, type PriceRow, PriceRowSchema, ratesOf } from './price.ts';
import type { Step } from './step.ts';

/** An exact amount in USD as decimal text. */
export const UsdSchema = z.string().regex(/^\d+(\.\d+)?$/);

/** What one model call cost: as the source states it, and as prices give it. */
export const StepCostSchema = z.object({
  /** As the source writes it; null = it states none. */
  recordedUsd: z.string().nullable(),
  /** From tokens and prices; null = can't be said, see `missing`. */
  derivedUsd: UsdSchema.nullable(),
  /** True where the derived amount is a lower bound: a count isn't recorded, long input costs more, or there are fees beside the tokens. */
  atLeast: z.boolean(),
  price: PriceRowSchema.nullable(),
  missing: z.enum(['tokens', 'model', 'price']).nullable(),
  /** True where recorded and derived differ by more than one part in a hundred. */
  differs: z.boolean(),
});
export type StepCost = z.infer<typeof StepCostSchema>;

/** What a run cost. A recorded amount goes before a derived one, call by call. */
export const RunCostSchema = z.object({
  /** Null = nothing is known of any call. */
  usd: UsdSchema.nullable(),
  /** Where the amount comes from: stated by the source, worked out by Misstep, or both. */
  evidence: z.enum(['recorded', 'derived', 'mixed']).nullable(),
  /** True where calls without a cost, or with a part of it, make the amount a lower bound. */
  atLeast: z.boolean(),
  callCount: z.number().int(),
  /** Calls that a cost is known of. */
  costedCallCount: z.number().int(),
  /** What the source states for the run as a whole; null = nothing. */
  statedUsd: UsdSchema.nullable(),
  /** Over the calls whose cost is recorded. */
  recordedUsd: UsdSchema.nullable(),
  recordedCallCount: z.number().int(),
  /** Over the calls that have tokens and a price, recorded or not. */
  derivedUsd: UsdSchema.nullable(),
  derivedCallCount: z.number().int(),
  /**
   * True where recorded and derived amounts of the same calls differ by more than one in a hundred. Where each
   * call states its own, what is stated for the whole may be for calls that are elsewhere too.
   */
  differs: z.boolean(),
  /** Models with tokens and without a price; null = a call that names no model. */
  unpricedModels: z.array(z.string().nullable()),
});
export type RunCost = z.infer<typeof RunCostSchema>;

/** Null for a step that is no model call and holds neither tokens nor a cost. */
export function costOfStep(step: Step, prices: PriceFinder): StepCost | null {
  const usage = usageOfStep(step);
  if (usage === null) return null;
  const { price, picoUsd, atLeast } = derive(usage, prices);
  const recorded = usage.isRecorded ? BigInt(usage.recordedPicoUsd) : null;
  return {
    recordedUsd: step.recordedCostUsd,
    derivedUsd: picoUsd === null ? null : usdText(picoUsd),
    atLeast,
    price,
    missing:
      picoUsd !== null
        ? null
        : usage.counts === 'none'
          ? 'tokens'
          : usage.model === null
            ? 'model'
            : 'price',
    differs: differ(recorded, picoUsd, atLeast),
  };
}

/** From a run's groups of calls, and what the source states for the whole of it. */
export function costOfRun(
  usages: readonly ModelUsage[],
  stated: string | null,
  prices: PriceFinder,
): RunCost {
  const sum = {
    calls: 0,
    costed: 0,
    known: 0n,
    recorded: 0n,
    recordedCalls: 0,
    derived: 0n,
    derivedCalls: 0,
    derivedOfRecorded: 0n,
    derivedAlone: 0,
  };
  let isBound = false;
  let canCompare = true;
  let isDerivedBound = false;
  const unpriced = new Set<string | null>();
  for (const usage of usages) {
    const { callCount, isRecorded, model, counts } = usage;
    const { picoUsd, atLeast } = derive(usage, prices);
    sum.calls += callCount;
    if (picoUsd !== null) {
      sum.derived += picoUsd;
      sum.derivedCalls += callCount;
      isDerivedBound ||= atLeast;
    } else if (counts !== 'none') unpriced.add(model);
    if (isRecorded) {
      const recorded = BigInt(usage.recordedPicoUsd);
      sum.known += recorded;
      sum.recorded += recorded;
      sum.recordedCalls += callCount;
      if (picoUsd === null || atLeast) canCompare = false;
      else sum.derivedOfRecorded += picoUsd;
    } else if (picoUsd !== null) {
      sum.known += picoUsd;
      sum.derivedAlone += callCount;
      isBound ||= atLeast;
    }
  }
  sum.costed = sum.recordedCalls + sum.derivedAlone;
  const statedPico = stated === null ? null : readUsd(stated);
  const isWholeDerived = sum.derivedCalls === sum.calls && sum.calls > 0;
  const ofAllCalls = sum.recordedCalls === sum.calls ? sum.recorded : statedPico;
  const usd = statedPico ?? (sum.costed === 0 ? null : sum.known);
  return {
    usd: usd === null ? null : usdText(usd),
    evidence:
      usd === null
        ? null
        : statedPico !== null || sum.derivedAlone === 0
          ? 'recorded'
          : sum.recordedCalls === 0
            ? 'derived'
            : 'mixed',
    atLeast: statedPico === null && usd !== null && (isBound || sum.costed < sum.calls),
    callCount: sum.calls,
    costedCallCount: sum.costed,
    statedUsd: statedPico === null ? null : usdText(statedPico),
    recordedUsd: sum.recordedCalls === 0 ? null : usdText(sum.recorded),
    recordedCallCount: sum.recordedCalls,
    derivedUsd: sum.derivedCalls === 0 ? null : usdText(sum.derived),
    derivedCallCount: sum.derivedCalls,
    differs:
      (sum.recordedCalls > 0 && canCompare && differ(sum.recorded, sum.derivedOfRecorded, false)) ||
      (isWholeDerived && differ(ofAllCalls, sum.derived, isDerivedBound)),
    unpricedModels: [...unpriced],
  };
}

function derive(
  usage: ModelUsage,
  prices: PriceFinder,
): { price: PriceRow | null; picoUsd: bigint | null; atLeast: boolean } {
  const price = usage.model === null ? null : prices.find(usage.model);
  if (price === null || usage.counts === 'none') return { price, picoUsd: null, atLeast: false };
  const rates = ratesOf(price);
  const hour = usage.cacheWriteHourTokens ?? 0;
  const picoUsd =
    BigInt(usage.freshTokens) * rates.input +
    BigInt(usage.cacheReadTokens) * rates.cacheRead +
    BigInt(usage.cacheWriteTokens - hour) * rates.cacheWrite +
    BigInt(hour) * (rates.cacheWriteHour ?? rates.cacheWrite) +
    BigInt(usage.outputTokens) * rates.output;
  const costsMore = usage.isLong && price.longInputCostsMore;
  const isHourUnknown = hour > 0 && rates.cacheWriteHour === null && price.cacheWrite !== null;
  const hasFees = (usage.feeRequests ?? 0) > 0;
  const atLeast = usage.counts === 'part' || costsMore || isHourUnknown || hasFees;
  return { price, picoUsd, atLeast };
}

/** A lower bound differs only from what is below it. */
function differ(recorded: bigint | null, derived: bigint | null, atLeast: boolean): boolean {
  if (recorded === null || derived === null) return false;
  if (atLeast && derived <= recorded) return false;
  const gap = recorded > derived ? recorded - derived : derived - recorded;
  return gap * 100n > recorded;
}
