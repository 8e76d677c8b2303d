/** The characters in which two texts differ: offsets in each, ends exclusive. */
export interface TextDifference {
  readonly start: number;
  readonly leftEnd: number;
  readonly rightEnd: number;
}

/**
 * The stretch between the common beginning and the common end of two texts, widened to whole
 * characters so that a surrogate pair is never split.
 */
export function differenceOf(left: string, right: string): TextDifference {
  let start = 0;
  const shorter = Math.min(left.length, right.length);
  while (start < shorter && left[start] === right[start]) start += 1;
  if (start > 0 && isHighSurrogate(left.charCodeAt(start - 1))) start -= 1;
  let tail = 0;
  while (
    tail < shorter - start &&
    left[left.length - 1 - tail] === right[right.length - 1 - tail]
  ) {
    tail += 1;
  }
  if (tail > 0 && isLowSurrogate(left.charCodeAt(left.length - tail))) tail -= 1;
  return { start, leftEnd: left.length - tail, rightEnd: right.length - tail };
}

/**
 * Numbers (from 1) of the lines of `current` that are not lines of `recorded` in the same order.
 * Exact up to some hundred differing lines; beyond that the whole middle counts as changed.
 */
export function changedLines(recorded: string, current: string): Set<number> {
  const a = recorded.split('\n');
  const b = current.split('\n');
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (
    tail < a.length - head &&
    tail < b.length - head &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  ) {
    tail += 1;
  }
  const left = a.slice(head, a.length - tail);
  const right = b.slice(head, b.length - tail);
  const kept =
    left.length * right.length > LARGEST_TABLE ? new Set<number>() : commonLines(left, right);
  const changed = new Set<number>();
  for (let at = 0; at < right.length; at += 1) if (!kept.has(at)) changed.add(head + at + 1);
  return changed;
}

const LARGEST_TABLE = 250_000;

/** Indexes in `right` of a longest common subsequence of lines. */
function commonLines(left: readonly string[], right: readonly string[]): Set<number> {
  const width = right.length + 1;
  const table = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      table[i * width + j] =
        left[i] === right[j]
          ? (table[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0);
    }
  }
  const common = new Set<number>();
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) {
      common.add(j);
      i += 1;
      j += 1;
    } else if ((table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return common;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
