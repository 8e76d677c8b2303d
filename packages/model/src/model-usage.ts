import { z } from 'zod';
import { readUsd } from './money.ts';
import type { Step } from './step.ts';
import { usagePartsOf, wholeInputOf } from './usage-parts.ts';

/** Some models charge more for calls with more input than this. */
export const LONG_INPUT_TOKENS = 200_000;

/**
 * Tokens of the calls of a run that are alike as far as prices go. Every price can be applied to
 * the sums as to the calls, so that a list of runs needs no steps.
 */
export const ModelUsageSchema = z.object({
  /** Null = the source doesn't say which. */
  model: z.string().nullable(),
  /** `whole` = input and output are both recorded; `part` = one of them; `none` = neither. */
  counts: z.enum(['whole', 'part', 'none']),
  /** True for calls with more input than LONG_INPUT_TOKENS. */
  isLong: z.boolean(),
  /** True for calls whose cost the source states. */
  isRecorded: z.boolean(),
  callCount: z.number().int().positive(),
  freshTokens: z.number().int().nonnegative(),
  cacheReadTokens: z.number().int().nonnegative(),
  cacheWriteTokens: z.number().int().nonnegative(),
  /** Those of the cache writes that are said to be kept for an hour; none if left out. */
  cacheWriteHourTokens: z.number().int().nonnegative().optional(),
  outputTokens: z.number().int().nonnegative(),
  /** Requests charged one by one, of which no price is known; none if left out. */
  feeRequests: z.number().int().positive().optional(),
  /** Sum of the stated costs in pico-dollars, as digits. */
  recordedPicoUsd: z.string().regex(/^\d+$/),
});
export type ModelUsage = z.infer<typeof ModelUsageSchema>;

/** The groups in order of their first call. Model calls count, and whatever else tokens or a cost stand at. */
export class ModelUsageSum {
  readonly #groups = new Map<string, ModelUsage>();

  add(step: Step): void {
    const one = usageOfStep(step);
    if (one === null) return;
    const key = JSON.stringify([one.model, one.counts, one.isLong, one.isRecorded]);
    const sum = this.#groups.get(key);
    this.#groups.set(key, sum === undefined ? one : addUsage(sum, one));
  }

  groups(): ModelUsage[] {
    return [...this.#groups.values()];
  }
}

/** What one step adds; null for steps that are no model call and hold neither tokens nor a cost. */
export function usageOfStep(step: Step): ModelUsage | null {
  const { usage, recordedCostUsd, model } = step;
  if (step.kind !== 'model' && usage === null && recordedCostUsd === null) return null;
  const parts =
    usage === null
      ? { freshTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }
      : usagePartsOf(usage);
  const has = [usage?.inputTokens ?? null, usage?.outputTokens ?? null].filter(
    (count) => count !== null,
  ).length;
  const recorded = recordedCostUsd === null ? null : readUsd(recordedCostUsd);
  const fees = usage?.feeRequests ?? 0;
  const hour = Math.min(usage?.cacheWriteHourTokens ?? 0, parts.cacheWriteTokens);
  return {
    model,
    counts: has === 2 ? 'whole' : has === 1 ? 'part' : 'none',
    isLong: usage !== null && (wholeInputOf(usage) ?? 0) > LONG_INPUT_TOKENS,
    isRecorded: recorded !== null,
    callCount: 1,
    ...parts,
    ...(hour > 0 ? { cacheWriteHourTokens: hour } : {}),
    ...(fees > 0 ? { feeRequests: fees } : {}),
    recordedPicoUsd: String(recorded ?? 0n),
  };
}

function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  const fees = (a.feeRequests ?? 0) + (b.feeRequests ?? 0);
  const hour = (a.cacheWriteHourTokens ?? 0) + (b.cacheWriteHourTokens ?? 0);
  return {
    ...a,
    ...(hour > 0 ? { cacheWriteHourTokens: hour } : {}),
    ...(fees > 0 ? { feeRequests: fees } : {}),
    callCount: a.callCount + b.callCount,
    freshTokens: a.freshTokens + b.freshTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    recordedPicoUsd: String(BigInt(a.recordedPicoUsd) + BigInt(b.recordedPicoUsd)),
  };
}
