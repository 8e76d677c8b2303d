import type { RunClock } from './run.ts';

const NS_PER_SECOND = 1_000_000_000n;
const NS_PER_DAY = 86_400n * NS_PER_SECOND;

/**
 * A time as programs and people are given it: ISO 8601 in UTC with the precision that was
 * recorded for a zoned clock, otherwise the source's own text. Without that text, local times
 * and times of day are written in the same form; a monotonic one has no text. Null = no time.
 * `sibling` is another time of the source, as the source writes it: a local time without a text
 * of its own is written like it, with a blank between day and hour where that has one.
 */
export function timeText(
  clock: RunClock,
  atNs: bigint | null,
  sourceText: string | null,
  sibling: string | null = null,
): string | null {
  if (clock === 'zoned' && atNs !== null) {
    const iso = dateTime(atNs, fractionDigits(atNs, sourceText));
    return iso === null ? sourceText : `${iso}Z`;
  }
  if (sourceText !== null || atNs === null) return sourceText;
  if (clock === 'local') {
    const written = dateTime(atNs, fractionDigits(atNs, null));
    return /^\d{4}-\d\d-\d\d \d/.test(sibling ?? '')
      ? (written?.replace('T', ' ') ?? null)
      : written;
  }
  if (clock === 'timeOfDay') {
    return dateTime(modulo(atNs, NS_PER_DAY), fractionDigits(atNs, null))?.slice(11) ?? null;
  }
  return null;
}

function dateTime(atNs: bigint, digits: number): string | null {
  const fractionNs = modulo(atNs, NS_PER_SECOND);
  const date = new Date(Number((atNs - fractionNs) / 1_000_000n));
  // Times beyond the years that Date knows can only come from a damaged source.
  if (Number.isNaN(date.getTime())) return null;
  const seconds = date.toISOString().replace(/\.000Z$/, '');
  if (digits === 0) return seconds;
  return `${seconds}.${fractionNs.toString().padStart(9, '0').slice(0, digits)}`;
}

/** As many as the source wrote; else in threes, as few as lose nothing. */
function fractionDigits(atNs: bigint, sourceText: string | null): number {
  const written = /:\d\d[.,](\d{1,9})/.exec(sourceText ?? '')?.[1]?.length;
  if (written !== undefined) return written;
  const fractionNs = modulo(atNs, NS_PER_SECOND);
  if (fractionNs === 0n) return 0;
  if (fractionNs % 1_000_000n === 0n) return 3;
  return fractionNs % 1_000n === 0n ? 6 : 9;
}

function modulo(value: bigint, divisor: bigint): bigint {
  return ((value % divisor) + divisor) % divisor;
}
