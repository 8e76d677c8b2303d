/** Pairs of indexes of two lists; null = the other list has nothing there. */
export type Alignment = readonly (readonly [left: number | null, right: number | null])[];

/** Above this many comparisons only items that each list has once are anchors. */
const MAX_CELLS = 4_000_000;

/**
 * Lays two lists of item texts beside each other so that equal items meet: one insertion or
 * removal moves nothing else. What is left between two meeting points pairs up in order.
 */
export function alignItems(left: readonly string[], right: readonly string[]): Alignment {
  const pairs: [number | null, number | null][] = [];
  let a = 0;
  let b = 0;
  for (const [nextA, nextB] of [...meetingsOf(left, right), [left.length, right.length] as const]) {
    while (a < nextA || b < nextB) {
      pairs.push([a < nextA ? a++ : null, b < nextB ? b++ : null]);
    }
    if (nextA < left.length && nextB < right.length) pairs.push([a++, b++]);
  }
  return pairs;
}

/** Indexes of equal items, in order in both lists: the longest common subsequence between the equal ends. */
export function meetingsOf(
  left: readonly string[],
  right: readonly string[],
): (readonly [number, number])[] {
  let head = 0;
  const shorter = Math.min(left.length, right.length);
  while (head < shorter && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) {
    tail += 1;
  }
  const pairs: (readonly [number, number])[] = [];
  for (let index = 0; index < head; index += 1) pairs.push([index, index]);
  const mine = left.slice(head, left.length - tail);
  const live = right.slice(head, right.length - tail);
  for (const [a, b] of meetingsBetween(mine, live)) pairs.push([a + head, b + head]);
  for (let back = tail; back > 0; back -= 1) pairs.push([left.length - back, right.length - back]);
  return pairs;
}

/**
 * Long lists are mostly alike: walked side by side, with a look a little ahead where they part. Where
 * that finds no way on, what is left meets by the items that each list has once.
 */
function meetingsBetween(
  left: readonly string[],
  right: readonly string[],
): (readonly [number, number])[] {
  if (left.length * right.length <= MAX_CELLS) return commonSubsequence(left, right);
  const pairs: (readonly [number, number])[] = [];
  let a = 0;
  let b = 0;
  while (a < left.length && b < right.length) {
    if (left[a] === right[b]) {
      pairs.push([a++, b++]);
      continue;
    }
    const step = stepToAgreement(left, right, a, b);
    if (step === null) break;
    const gap = commonSubsequence(left.slice(a, a + step[0]), right.slice(b, b + step[1]));
    for (const [x, y] of gap) pairs.push([a + x, b + y]);
    a += step[0];
    b += step[1];
  }
  const restLeft = left.slice(a);
  const restRight = right.slice(b);
  const rest =
    restLeft.length * restRight.length > MAX_CELLS
      ? commonUnique(restLeft, restRight)
      : commonSubsequence(restLeft, restRight);
  for (const [x, y] of rest) pairs.push([a + x, b + y]);
  return pairs;
}

/** How far two lists that part here are looked ahead in, both together. */
const LOOK_AHEAD = 48;
/** So many equal items in a row are no chance. */
const AGREEMENT = 12;

/** How many items of each list to step over until the two run alike again; null = not near. */
function stepToAgreement(
  left: readonly string[],
  right: readonly string[],
  a: number,
  b: number,
): readonly [number, number] | null {
  for (let both = 1; both <= LOOK_AHEAD; both += 1) {
    for (let x = 0; x <= both; x += 1) {
      if (runsAlike(left, right, a + x, b + both - x)) return [x, both - x];
    }
  }
  return null;
}

function runsAlike(
  left: readonly string[],
  right: readonly string[],
  a: number,
  b: number,
): boolean {
  for (let run = 0; run < AGREEMENT; run += 1) {
    // The equal ends were taken off before: a list that ends here agrees with nothing.
    if (a + run >= left.length || b + run >= right.length) return false;
    if (left[a + run] !== right[b + run]) return false;
  }
  return true;
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
