import { canonicalJson, nodeText, numberKey, stringValue } from '@misstep/json';
import { type Alignment, meetingsOf } from './align.ts';
import { type Identities, identitiesOf, type ListedItems } from './item-identity.ts';

export interface PairedItems {
  /** In the right list's order; what only the left has stands where it stood. */
  readonly pairs: Alignment;
  /** The names of the items that both have, in either order; null = the orders are one. */
  readonly orders: { readonly left: string; readonly right: string } | null;
}

/** Larger gaps pair up in order: likeness takes a look at every two items. */
const MOST_LIKENESS_CELLS = 40_000;
const MOST_MEMBERS = 64;
/** Longer items are equal by their canonical text or not at all. */
const LONGEST_BLIND = 100_000;
const MOST_NAMED = 50;

/**
 * Lays the items of two lists beside each other. Two items with one identity belong together
 * wherever they stand, and two with different identities never do; others meet where they are
 * equal, then where they are equal but for formatting, then by likeness, and at last in order.
 */
export function pairItems(left: ListedItems, right: ListedItems): PairedItems {
  const identities = identitiesOf(left, right);
  const mine = canonicalItems(left, identities?.left);
  const live = canonicalItems(right, identities?.right);
  const tokens = (names: readonly (string | null)[] | undefined, texts: readonly string[]) =>
    texts.map((text, index) => (names?.[index] == null ? `=${text}` : `#${names[index]}`));
  const isNamed = (a: number, b: number) =>
    identities?.left[a] != null && identities.right[b] != null;
  let inOrder = meetingsOf(tokens(identities?.left, mine), tokens(identities?.right, live));
  const moved = movedPairs(identities, inOrder);
  const movedLeft = new Set(moved.values());
  const free = {
    left: (a: number) => !movedLeft.has(a),
    right: (b: number) => !moved.has(b),
  };
  inOrder = refine(inOrder, mine.length, live.length, free, (as, bs) =>
    meetingsOf(
      as.map((a) => (identities?.left[a] == null ? blindText(mine[a] ?? '') : `#${a}`)),
      bs.map((b) => (identities?.right[b] == null ? blindText(live[b] ?? '') : `~${b}`)),
    ),
  );
  inOrder = refine(inOrder, mine.length, live.length, free, (as, bs) =>
    mostAlike(left, right, as, bs, isNamed),
  );
  inOrder = refine(inOrder, mine.length, live.length, free, (as, bs) => {
    const namelessLeft = as.flatMap((a, at) => (identities?.left[a] == null ? [at] : []));
    const namelessRight = bs.flatMap((b, at) => (identities?.right[b] == null ? [at] : []));
    const count = Math.min(namelessLeft.length, namelessRight.length);
    return namelessLeft.slice(0, count).map((at, index) => [at, namelessRight[index] ?? 0]);
  });
  return {
    pairs: laidOut(inOrder, moved, mine.length, live.length),
    orders: moved.size === 0 ? null : ordersOf(identities),
  };
}

/** Items of one identity that are not in order: left index by right index. */
function movedPairs(
  identities: Identities | null,
  inOrder: readonly (readonly [number, number])[],
): ReadonlyMap<number, number> {
  const moved = new Map<number, number>();
  if (identities === null) return moved;
  const places = new Map(identities.left.map((name, index) => [name, index]));
  const met = new Set(inOrder.map(([, b]) => b));
  for (const [b, name] of identities.right.entries()) {
    const a = name === null || met.has(b) ? undefined : places.get(name);
    if (a !== undefined) moved.set(b, a);
  }
  return moved;
}

/** More meetings in each gap between those that stand already. */
function refine(
  meetings: readonly (readonly [number, number])[],
  leftCount: number,
  rightCount: number,
  free: { left(a: number): boolean; right(b: number): boolean },
  meet: (as: number[], bs: number[]) => (readonly [number, number])[],
): (readonly [number, number])[] {
  const all: (readonly [number, number])[] = [];
  let a = 0;
  let b = 0;
  for (const [nextA, nextB] of [...meetings, [leftCount, rightCount] as const]) {
    if (nextA > a && nextB > b) {
      const as = range(a, nextA).filter(free.left);
      const bs = range(b, nextB).filter(free.right);
      if (as.length > 0 && bs.length > 0) {
        for (const [x, y] of meet(as, bs)) all.push([as[x] ?? 0, bs[y] ?? 0]);
      }
    }
    if (nextA < leftCount && nextB < rightCount) all.push([nextA, nextB]);
    a = nextA + 1;
    b = nextB + 1;
  }
  return all;
}

/** The meetings, in order, whose members are alike most in sum; none where nothing is alike. */
function mostAlike(
  left: ListedItems,
  right: ListedItems,
  as: readonly number[],
  bs: readonly number[],
  isNamed: (a: number, b: number) => boolean,
): (readonly [number, number])[] {
  if (as.length * bs.length > MOST_LIKENESS_CELLS) return [];
  const mine = as.map((a) => partsOf(left, a));
  const live = bs.map((b) => partsOf(right, b));
  const width = bs.length + 1;
  const sums = new Float64Array((as.length + 1) * width);
  const likeness = new Float64Array(as.length * bs.length);
  for (let x = as.length - 1; x >= 0; x -= 1) {
    for (let y = bs.length - 1; y >= 0; y -= 1) {
      const alike = isNamed(as[x] ?? 0, bs[y] ?? 0) ? 0 : likenessOf(mine[x], live[y]);
      likeness[x * bs.length + y] = alike;
      sums[x * width + y] = Math.max(
        sums[(x + 1) * width + y] ?? 0,
        sums[x * width + y + 1] ?? 0,
        alike === 0 ? 0 : alike + (sums[(x + 1) * width + y + 1] ?? 0),
      );
    }
  }
  const found: (readonly [number, number])[] = [];
  let x = 0;
  let y = 0;
  while (x < as.length && y < bs.length) {
    const alike = likeness[x * bs.length + y] ?? 0;
    const best = sums[x * width + y] ?? 0;
    if (alike > 0 && best === alike + (sums[(x + 1) * width + y + 1] ?? 0)) found.push([x++, y++]);
    else if (best === (sums[(x + 1) * width + y] ?? 0)) x += 1;
    else y += 1;
  }
  return found;
}

function likenessOf(left: ReadonlySet<string> | undefined, right: ReadonlySet<string> | undefined) {
  if (left === undefined || right === undefined || left.size === 0 || right.size === 0) return 0;
  let shared = 0;
  for (const part of left) if (right.has(part)) shared += 1;
  return shared / Math.max(left.size, right.size);
}

/** The members of an object, without regard to formatting; nothing for what is no object. */
function partsOf({ document, items }: ListedItems, index: number): ReadonlySet<string> {
  const item = items[index];
  if (item?.kind !== 'object') return new Set();
  return new Set(
    item.members.slice(0, MOST_MEMBERS).map(({ key, value }) => {
      const text = blindText(canonicalJson({ text: document.text, root: value }));
      return `${stringValue(document, key)}:${text}`;
    }),
  );
}

function laidOut(
  inOrder: readonly (readonly [number, number])[],
  moved: ReadonlyMap<number, number>,
  leftCount: number,
  rightCount: number,
): Alignment {
  const pairs: [number | null, number | null][] = [];
  const movedLeft = new Set(moved.values());
  let a = 0;
  let b = 0;
  for (const [nextA, nextB] of [...inOrder, [leftCount, rightCount] as const]) {
    for (; a < nextA; a += 1) if (!movedLeft.has(a)) pairs.push([a, null]);
    for (; b < nextB; b += 1) pairs.push([moved.get(b) ?? null, b]);
    if (nextA < leftCount && nextB < rightCount) pairs.push([a++, b++]);
  }
  return pairs;
}

function ordersOf(identities: Identities | null): PairedItems['orders'] {
  if (identities === null) return null;
  const inLeft = new Set(identities.left);
  const inRight = new Set(identities.right);
  const print = (names: readonly (string | null)[], other: ReadonlySet<string | null>) => {
    const shared = names.filter((name) => name !== null && other.has(name));
    const more = shared.length - MOST_NAMED;
    return `${shared.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  };
  return { left: print(identities.left, inRight), right: print(identities.right, inLeft) };
}

/** An item that has a name meets by it alone, so its text is not needed: '' stands for it. */
function canonicalItems(
  { document, items }: ListedItems,
  names: readonly (string | null)[] | undefined,
): string[] {
  return items.map((root, index) => {
    if (names?.[index] != null) return '';
    if (root.kind === 'number') return nodeText(document, root);
    return canonicalJson({ text: document.text, root });
  });
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const BLANKS = /\\\\|(?:\\[nrtf]|\s)+/gu;

/** A canonical text without what `formatting only` covers: spelling of numbers, white space in strings. */
function blindText(canonical: string): string {
  if (canonical.length > LONGEST_BLIND) return canonical;
  return canonical.replace(TOKEN, (token) =>
    token.startsWith('"')
      ? token.replace(BLANKS, (found) => (found === '\\\\' ? found : ' '))
      : numberKey(token),
  );
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_value, index) => from + index);
}
