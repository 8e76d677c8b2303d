/**
 * The books of Fennel Street Seeds, an invented seed merchant. Everything is computed from the
 * position in the list, so that two starts of the server have the same orders.
 */
export interface Order {
  /** Runs above 2^53 on purpose: 9007199254740993 and up. */
  readonly id: bigint;
  readonly ref: string;
  readonly customer: string;
  /** ISO date. */
  readonly placedOn: string;
  readonly status: 'open' | 'packed' | 'sent';
  /** As the books write it, e.g. `1.0`. */
  readonly weightKg: string;
  readonly lines: number;
}

export const CUSTOMERS = [
  'Hollow Farm',
  'Brindle Allotments',
  'Quayside Nursery',
  'Miller and Wren',
];
export const VARIETIES = ['crimson-beet', 'winter-kale', 'sea-fennel', 'blue-poppy', 'long-carrot'];

const DAY_MS = 86_400_000;
const LAST_DAY = Date.UTC(2026, 10, 26);
const FIRST_ID = 9_007_199_254_740_993n;

export const ORDERS: readonly Order[] = Array.from({ length: 120 }, (_value, index) => ({
  id: FIRST_ID + BigInt(index),
  ref: `FS-${20_417 + index}`,
  customer: CUSTOMERS[index % 7 < 2 ? 0 : index % CUSTOMERS.length] ?? 'Hollow Farm',
  placedOn: new Date(LAST_DAY - Math.floor((index * 17) / 8) * DAY_MS).toISOString().slice(0, 10),
  status: index % 5 === 3 ? 'sent' : index % 5 === 4 ? 'packed' : 'open',
  weightKg: index % 4 === 0 ? '1.0' : `${(index % 9) + 1}.${index % 10}0`,
  lines: (index % 6) + 1,
}));
