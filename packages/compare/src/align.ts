/** Pairs of indexes of two lists; null = the other list has nothing there. */
export type Alignment = readonly (readonly [left: number | null, right: number | null])[];

/** Above this many comparisons only items that each list has once are anchors. */
const MAX_CELLS = 4_000_000;

/**
 * Lays two lists of item texts beside each other so that equal items meet: one insertion or
 * removal moves nothing else. Longest common subsequence between the equal ends; what is left
 * between two meeting points pairs up in order.
 */
export function alignItems(left: readonly string[], right: readonly string[]): Alignment {
  let head = 0;
  const shorter = Math.min(left.length, right.length);
  while (head < shorter && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) {
    tail += 1;
  }
  const pairs: [number | null, number | null][] = [];
  for (let index = 0; index < head; index += 1) pairs.push([index, index]);
  const middle = alignMiddle(
    left.slice(head, left.length - tail),
    right.slice(head, right.length - tail),
  );
  for (const [a, b] of middle) {
    pairs.push([a === null ? null : a + head, b === null ? null : b + head]);
  }
  for (let back = tail; back > 0; back -= 1) pairs.push([left.length - back, right.length - back]);
  return pairs;
}

function alignMiddle(
  left: readonly string[],
  right: readonly string[],
): [number | null, number | null][] {
  const meetings =
    left.length * right.length > MAX_CELLS
      ? commonUnique(left, right)
      : commonSubsequence(left, right);
  const pairs: [number | null, number | null][] = [];
  let a = 0;
  let b = 0;
  for (const [nextA, nextB] of [...meetings, [left.length, right.length] as const]) {
    while (a < nextA || b < nextB) {
      pairs.push([a < nextA ? a++ : null, b < nextB ? b++ : null]);
    }
    if (nextA < left.length && nextB < right.length) pairs.push([a++, b++]);
  }
  return pairs;
}

function commonSubsequence(left: readonly string[], right: readonly string[]): [number, number][] {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let a = left.length - 1; a >= 0; a -= 1) {
    for (let b = right.length - 1; b >= 0; b -= 1) {
      lengths[a * width + b] =
        left[a] === right[b]
          ? (lengths[(a + 1) * width + b + 1] ?? 0) + 1
          : Math.max(lengths[(a + 1) * width + b] ?? 0, lengths[a * width + b + 1] ?? 0);
    }
  }
  const meetings: [number, number][] = [];
  let a = 0;
  let b = 0;
  while (a < left.length && b < right.length) {
    if (left[a] === right[b]) meetings.push([a++, b++]);
    else if ((lengths[(a + 1) * width + b] ?? 0) >= (lengths[a * width + b + 1] ?? 0)) a += 1;
    else b += 1;
  }
  return meetings;
}

/**
 * The longest run of meeting points, in order in both lists, among items that each list has exactly
 * once: the idea of a patience diff. Takes n log n where the table would take n squared.
 */
function commonUnique(left: readonly string[], right: readonly string[]): [number, number][] {
  const inRight = placesOfUnique(right);
  const pairs: [number, number][] = [];
  for (const [item, a] of placesOfUnique(left)) {
    const b = inRight.get(item);
    if (a !== null && b != null) pairs.push([a, b]);
  }
  // Longest increasing subsequence of the right places; `ends` holds the best last pair by length.
  const ends: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [at, [, place]] of pairs.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = at;
  }
  const meetings: [number, number][] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) meetings.push(pair);
  }
  return meetings.reverse();
}

/** Index of each item that the list has once; null = it has it more often. In the list's order. */
function placesOfUnique(items: readonly string[]): Map<string, number | null> {
  const places = new Map<string, number | null>();
  for (const [index, item] of items.entries()) places.set(item, places.has(item) ? null : index);
  return places;
}
