import type { Prices } from '@misstep/contract';
import {
  MisstepError,
  PRICE_TABLE,
  PRICE_TABLE_DATE,
  type Price,
  PriceFinder,
  type PriceRow,
} from '@misstep/model';
import { PriceFile, type Store } from '@misstep/store';

export interface PriceService {
  list(): Promise<Prices>;
  /** PRICES_UNREADABLE. */
  set(price: Omit<Price, 'date'>): Promise<Prices>;
  /** One of the person's rows, or all (null). PRICE_NOT_FOUND, PRICES_UNREADABLE. */
  reset(model: string | null): Promise<Prices>;
  /** The prices that hold now, to be used for one answer. */
  finder(): Promise<PriceFinder>;
}

export function createPriceService(store: Store): PriceService {
  const file = new PriceFile(store.dataFolder);
  let known: { key: string; finder: PriceFinder } | null = null;

  async function rows(): Promise<{ rows: PriceRow[]; problem: string | null }> {
    const { prices, problem } = await file.read();
    const yours = prices.map((price) => ({ ...price, origin: 'yours' as const }));
    return { rows: [...yours, ...PRICE_TABLE], problem };
  }

  async function finder(): Promise<PriceFinder> {
    const { rows: all } = await rows();
    const key = JSON.stringify(all.filter(({ origin }) => origin === 'yours'));
    if (known?.key !== key) known = { key, finder: new PriceFinder(all) };
    return known.finder;
  }

  async function list(): Promise<Prices> {
    const { rows: all, problem } = await rows();
    const prices = new PriceFinder(all);
    return {
      prices: all.map((row) => ({
        ...row,
        isReplaced: row.origin === 'builtIn' && prices.find(row.model)?.origin === 'yours',
      })),
      tableDate: PRICE_TABLE_DATE,
      file: file.path,
      problem,
      unpricedModels: await findUnpriced(store, prices),
    };
  }

  return {
    list,
    finder,
    async set(price) {
      const date = new Date().toISOString().slice(0, 10);
      await file.update((prices) => [
        ...prices.filter(({ model }) => !sameModel(model, price.model)),
        { ...price, date },
      ]);
      return list();
    },
    async reset(model) {
      await file.update((prices) => {
        const kept = prices.filter((price) => model !== null && !sameModel(price.model, model));
        if (model !== null && kept.length === prices.length) {
          throw new MisstepError('PRICE_NOT_FOUND', `You have set no price for "${model}".`);
        }
        return kept;
      });
      return list();
    },
  };
}

function sameModel(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

const RUNS_A_PAGE = 1000;

async function findUnpriced(store: Store, prices: PriceFinder): Promise<Prices['unpricedModels']> {
  const found = new Map<string, Prices['unpricedModels'][number]>();
  for (let offset = 0; ; offset += RUNS_A_PAGE) {
    const { runs, total } = await store.listRuns({ offset, limit: RUNS_A_PAGE });
    for (const { run } of runs) {
      const seen = new Set<string>();
      for (const usage of run.modelUsage) {
        const { model, counts } = usage;
        if (model === null || counts === 'none' || prices.find(model) !== null) continue;
        const sum = found.get(model) ?? { model, runCount: 0, callCount: 0, tokens: 0 };
        sum.callCount += usage.callCount;
        sum.tokens +=
          usage.freshTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;
        if (!seen.has(model)) sum.runCount += 1;
        seen.add(model);
        found.set(model, sum);
      }
    }
    if (runs.length === 0 || offset + runs.length >= total) break;
  }
  return [...found.values()].sort((a, b) => b.tokens - a.tokens);
}
