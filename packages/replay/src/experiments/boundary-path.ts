/** A and B are called twice each before anything else. */
export const CHECKS = 2;

/**
 * The neighbours that the search has come to: one with A's outcome and one with another. Halving
 * needs no order among the outcomes: whatever lies in the middle differs from A's or does not, so
 * a change stands in the half that is kept.
 */
export function narrowed(
  a: bigint,
  b: bigint,
  signatureAt: (place: bigint) => string | null,
): { readonly near: bigint; readonly far: bigint; readonly middle: bigint | null } {
  const outcomeA = signatureAt(a);
  let [near, far] = [a, b];
  for (;;) {
    const distance = far > near ? far - near : near - far;
    if (distance <= 1n) return { near, far, middle: null };
    const middle = near + (far - near) / 2n;
    const found = signatureAt(middle);
    if (found === null) return { near, far, middle };
    if (found === outcomeA) near = middle;
    else far = middle;
  }
}

/** How many halvings lie between two places at most. */
export function halvings(a: bigint, b: bigint): number {
  let distance = a > b ? a - b : b - a;
  let count = 0;
  while (distance > 1n) {
    distance = (distance + 1n) / 2n;
    count += 1;
  }
  return count;
}

/** The middle of the widest stretch in which nothing was tried; null where there is none. */
export function widestGap(places: readonly bigint[]): bigint | null {
  const sorted = [...places].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  let widest = 1n;
  let middle: bigint | null = null;
  for (const [index, place] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next === undefined || next - place <= widest) continue;
    widest = next - place;
    middle = place + widest / 2n;
  }
  return middle;
}
