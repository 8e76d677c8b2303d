import { z } from 'zod';
import { readUsd } from './money.ts';

/** USD for a million tokens, six decimals at most: so much a price needs, and sums stay exact. */
export const PriceAmountSchema = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, 'An amount is written as 3 or 0.25, with six decimals at most.');

/** What a model's tokens cost, in USD for a million of them. */
export const PriceSchema = z.object({
  /** A model's id as recordings write it; `*` stands for any characters. */
  model: z.string().trim().min(1).max(200),
  input: PriceAmountSchema,
  /** Input read from a cache, and written to one; null = charged as other input. */
  cacheRead: PriceAmountSchema.nullable(),
  cacheWrite: PriceAmountSchema.nullable(),
  /** Input written to a cache for an hour; null or left out = at least as other cache writes. */
  cacheWriteHour: PriceAmountSchema.nullable().optional(),
  output: PriceAmountSchema,
  /** True where calls with more than 200,000 input tokens cost more: for them the amount is a lower bound. */
  longInputCostsMore: z.boolean(),
  /** The day from which on the price is known to hold, YYYY-MM-DD. */
  date: z.iso.date(),
  /** Where it is known from, in words. */
  source: z.string().max(200),
});
export type Price = z.infer<typeof PriceSchema>;

/** A row of the table in use. */
export const PriceRowSchema = PriceSchema.extend({
  /** `yours` = set by the person; it goes before the table that comes with Misstep. */
  origin: z.enum(['builtIn', 'yours']),
});
export type PriceRow = z.infer<typeof PriceRowSchema>;

/** Prices as pico-dollars a token. */
export interface Rates {
  readonly input: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite: bigint;
  /** Null = not known; at least as other cache writes. */
  readonly cacheWriteHour: bigint | null;
  readonly output: bigint;
}

export function ratesOf(price: Price): Rates {
  const input = perToken(price.input);
  return {
    input,
    cacheRead: price.cacheRead === null ? input : perToken(price.cacheRead),
    cacheWrite: price.cacheWrite === null ? input : perToken(price.cacheWrite),
    cacheWriteHour: price.cacheWriteHour == null ? null : perToken(price.cacheWriteHour),
    output: perToken(price.output),
  };
}

function perToken(amount: string): bigint {
  // Of the form that the schema checks, so it reads; a million tokens are six of twelve decimals.
  return (readUsd(amount) ?? 0n) / 1_000_000n;
}

/** Finds prices by model ids; remembers what it found. */
export class PriceFinder {
  readonly #exact = new Map<string, PriceRow>();
  readonly #patterns: { readonly pieces: readonly string[]; readonly row: PriceRow }[] = [];
  readonly #known = new Map<string, PriceRow | null>();

  /** Of two rows for the same id the person's wins, whatever their order. */
  constructor(rows: readonly PriceRow[]) {
    for (const row of [...rows].sort((a, b) => rankOf(a) - rankOf(b))) {
      const model = row.model.toLowerCase();
      if (model.includes('*')) this.#patterns.push({ pieces: model.split('*'), row });
      else this.#exact.set(model, row);
    }
    const literal = (pieces: readonly string[]) => pieces.join('').length;
    this.#patterns.sort(
      (a, b) => rankOf(b.row) - rankOf(a.row) || literal(b.pieces) - literal(a.pieces),
    );
  }

  /**
   * The id as recorded goes first, then without the provider's prefixes, then without the date or
   * version at its end; at each the person's rows before the table's. Null = no price known.
   */
  find(model: string): PriceRow | null {
    const known = this.#known.get(model);
    if (known !== undefined) return known;
    const found = this.#look(spellingsOf(model));
    if (this.#known.size < 10_000) this.#known.set(model, found);
    return found;
  }

  #look(spellings: readonly string[]): PriceRow | null {
    let builtIn: PriceRow | null = null;
    for (const spelling of spellings) {
      const row = this.#exact.get(spelling);
      if (row?.origin === 'yours') return row;
      builtIn ??= row ?? null;
    }
    for (const { pieces, row } of this.#patterns) {
      if (row.origin !== 'yours' && builtIn !== null) break;
      if (spellings.some((spelling) => matches(pieces, spelling))) return row;
    }
    return builtIn;
  }
}

function rankOf({ origin }: PriceRow): number {
  return origin === 'yours' ? 1 : 0;
}

/** Left to right, each piece at its first place: linear, whatever the pattern. */
function matches(pieces: readonly string[], text: string): boolean {
  const [first = ''] = pieces;
  const last = pieces[pieces.length - 1] ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= end;
}

const LONGEST_ID = 300;

function spellingsOf(model: string): string[] {
  const whole = model.slice(0, LONGEST_ID).trim().toLowerCase();
  const own = whole.slice(whole.lastIndexOf('/') + 1);
  // Bedrock's region and provider; Vertex writes its date after an @.
  const bare = own
    .replace(/^(?:us|eu|apac|ap|jp|au|global)\./, '')
    .replace(/^(?:anthropic|openai|google)\./, '')
    .replace(/-v\d{1,2}(?::\d{1,2})?$/, '');
  const undated = bare.replace(/(?:[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-latest)$/, '');
  return [...new Set([whole, own, bare, undated])];
}
