/**
 * Counts of ours, grouped with commas: "1,306". Never for a number that came from data: those are
 * shown as received.
 */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** "1 run", "58 runs"; give the plural where it isn't the word and an s. */
export function countOf(count: number, word: string, plural = `${word}s`): string {
  return `${formatCount(count)} ${count === 1 ? word : plural}`;
}

/** Tokens at three or four digits: "312", "38.0 k", "148.2 k", "2.41 M". */
export function formatTokens(tokens: number): string {
  if (tokens < 0) return `−${formatTokens(-tokens)}`;
  if (tokens < 1000) return String(tokens);
  if (tokens < 999_950) return `${(tokens / 1000).toFixed(1)} k`;
  const millions = tokens / 1e6;
  return millions < 9.995 ? `${millions.toFixed(2)} M` : `${millions.toFixed(1)} M`;
}

const UNITS: readonly string[] = ['kB', 'MB', 'GB', 'TB'];

/** Sizes in powers of 1000: "211 B", "9.4 kB", "1.2 GB". The exact count belongs in a title. */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} B`;
  let value = sizeBytes;
  let unit = -1;
  do {
    value /= 1000;
    unit += 1;
  } while (value >= 999.95 && unit < UNITS.length - 1);
  return `${value.toFixed(1)} ${UNITS[unit] ?? 'TB'}`;
}

/** "212.4 of 356.0 MB": both in the unit of the whole. */
export function formatBytesOf(doneBytes: number, totalBytes: number): string {
  const total = formatBytes(totalBytes);
  const [, unit = 'B'] = total.split(' ');
  if (unit === 'B') return `${doneBytes} of ${total}`;
  const divisor = 1000 ** (UNITS.indexOf(unit) + 1);
  return `${(doneBytes / divisor).toFixed(1)} of ${total}`;
}
