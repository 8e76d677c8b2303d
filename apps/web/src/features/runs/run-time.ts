import type { RunSummary } from '@misstep/contract';
import { datePartsOfInstant, datePartsOfLocal, formatDateParts } from '../../ui/format-time.ts';

/** Nanoseconds from a run's first time to its last; null where the source holds none. */
export function runDurationNs(run: Pick<RunSummary, 'startedAtNs' | 'endedAtNs'>): number | null {
  if (run.startedAtNs === null || run.endedAtNs === null) return null;
  return Number(BigInt(run.endedAtNs) - BigInt(run.startedAtNs));
}

/**
 * When a run began, as short as its clock allows: an instant in this machine's zone, a wall-clock
 * time as written, a time of day as the source spells it; null where nothing says when.
 */
export function runStartedText(
  run: Pick<RunSummary, 'clock' | 'startedAtNs' | 'startedAtText'>,
  now: Date,
): string | null {
  if (run.clock === 'none' || run.clock === 'monotonic' || run.startedAtNs === null) return null;
  if (run.clock === 'timeOfDay') return run.startedAtText;
  const milliseconds = Number(BigInt(run.startedAtNs) / 1_000_000n);
  if (Number.isNaN(new Date(milliseconds).getTime())) return run.startedAtText;
  const parts =
    run.clock === 'zoned' ? datePartsOfInstant(milliseconds) : datePartsOfLocal(milliseconds);
  return formatDateParts(parts, now.getFullYear());
}

/** Where runs stand in time for sorting; null = by no clock that names a day. */
export function runStartedOrder(run: Pick<RunSummary, 'clock' | 'startedAtNs'>): number | null {
  if (run.startedAtNs === null || (run.clock !== 'zoned' && run.clock !== 'local')) return null;
  return Number(BigInt(run.startedAtNs) / 1_000_000n);
}

/** Input and output together; null where neither is recorded. */
export function runTokens(run: Pick<RunSummary, 'inputTokens' | 'outputTokens'>): number | null {
  if (run.inputTokens === null && run.outputTokens === null) return null;
  return (run.inputTokens ?? 0) + (run.outputTokens ?? 0);
}

/** USD as a number, for order and filters alone; null where it isn't known. */
export function runCostUsd({ cost }: Pick<RunSummary, 'cost'>): number | null {
  return cost.usd === null ? null : Number(cost.usd);
}
