import type { ArgumentDifference, AttributionCell, PlannedSend } from '@misstep/model';
import { keyWith } from './attribution.ts';
import { shuffled } from './shuffle.ts';

/** Up to here every combination is called, beyond it each argument alone from either side. */
export const WHOLE_LATTICE = 4;
/** How often A and B are each called before anything else, to see whether they hold still. */
export const CHECK_SENDS = 2;

/** One combination of values, before anything is known of it. */
export type PlannedCell = Pick<AttributionCell, 'key' | 'group' | 'flipped'>;

/** A and B, then the single switches from A and from B, then what is left of the lattice. */
export function planCells(differences: readonly ArgumentDifference[]): PlannedCell[] {
  const count = differences.length;
  const cells = new Map<string, PlannedCell>();
  const add = (cell: PlannedCell) => {
    if (!cells.has(cell.key)) cells.set(cell.key, cell);
  };
  for (const side of ['A', 'B'] as const) {
    add({ key: side.repeat(count), group: 'base', flipped: null });
  }
  for (const [index, { name }] of differences.entries()) {
    add({ key: keyWith(count, 'A', index, 'B'), group: 'intoA', flipped: name });
  }
  for (const [index, { name }] of differences.entries()) {
    add({ key: keyWith(count, 'B', index, 'A'), group: 'intoB', flipped: name });
  }
  if (count <= WHOLE_LATTICE) {
    for (let mask = 0; mask < 2 ** count; mask += 1) {
      const key = Array.from({ length: count }, (_, at) => ((mask >> at) & 1 ? 'B' : 'A')).join('');
      add({ key, group: 'mixed', flipped: null });
    }
  }
  return [...cells.values()];
}

export interface OrderedSend extends PlannedSend {
  readonly key: string;
}

/**
 * A and B in turn first, then every combination once in each repeat, each time in another order:
 * what drifts with time would show as a step and not as an effect.
 */
export function orderSends(
  cells: readonly PlannedCell[],
  differences: readonly ArgumentDifference[],
  repeats: number,
  seed: number,
): OrderedSend[] {
  const sends: OrderedSend[] = [];
  const bases = cells.filter(({ group }) => group === 'base');
  for (let at = 1; at <= CHECK_SENDS; at += 1) {
    for (const cell of bases) {
      const label = labelOf(cell, differences);
      sends.push({ id: `check ${at} ${cell.key}`, label, round: 'check', key: cell.key });
    }
  }
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    for (const cell of shuffled(cells, (seed + repeat) >>> 0)) {
      const round = `repeat ${repeat}`;
      const label = labelOf(cell, differences);
      sends.push({ id: `${round} ${cell.key}`, label, round, key: cell.key });
    }
  }
  return sends;
}

/** `A`, `A, B’s since`, `B, A’s limit`, `A, B’s since and limit`. */
export function labelOf(
  { key, group, flipped }: PlannedCell,
  differences: readonly ArgumentDifference[],
): string {
  if (group === 'base') return key.charAt(0);
  if (group === 'intoA') return `A, B’s ${flipped ?? ''}`;
  if (group === 'intoB') return `B, A’s ${flipped ?? ''}`;
  const names = differences.filter((_, index) => key[index] === 'B').map(({ name }) => name);
  return `A, B’s ${names.join(' and ')}`;
}
