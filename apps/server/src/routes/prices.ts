import type { Services } from '../compose.ts';
import type { Handlers } from './handler.ts';

type PriceRoute = 'listPrices' | 'putPrice' | 'deletePrice';

export function priceHandlers({ prices }: Services): Pick<Handlers, PriceRoute> {
  return {
    listPrices: () => prices.list(),
    putPrice: ({ body }) => prices.set(body),
    deletePrice: ({ query }) => prices.reset(query.model ?? null),
  };
}
