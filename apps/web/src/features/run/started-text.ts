import type { RunSummary } from '@misstep/contract';
import { datePartsOfInstant, datePartsOfLocal, formatDateParts } from '../../ui/format-time.ts';

/** When the run began, as far as its clock says; null = the source holds no such time. */
export function startedText(
  run: Pick<RunSummary, 'clock' | 'startedAtNs' | 'startedAtText'>,
  presentYear: number,
): string | null {
  if (run.startedAtNs === null) return run.startedAtText ?? 'no times recorded';
  const milliseconds = Number(BigInt(run.startedAtNs) / 1_000_000n);
  if (run.clock === 'zoned') return formatDateParts(datePartsOfInstant(milliseconds), presentYear);
  if (run.clock === 'local') {
    const written = formatDateParts(datePartsOfLocal(milliseconds), presentYear);
    return `${written} local time, zone not recorded`;
  }
  if (run.startedAtText === null) return 'date not recorded';
  return run.clock === 'timeOfDay' ? `${run.startedAtText}, date not recorded` : run.startedAtText;
}

/** Nanoseconds between a run's first and last recorded time; null = not recorded. */
export function totalDurationNs(run: Pick<RunSummary, 'startedAtNs' | 'endedAtNs'>): number | null {
  if (run.startedAtNs === null || run.endedAtNs === null) return null;
  return Number(BigInt(run.endedAtNs) - BigInt(run.startedAtNs));
}
