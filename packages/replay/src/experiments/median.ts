/** The middle one, the upper of two; null where there is none. */
export function medianOf(values: readonly (number | null)[]): number | null {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
