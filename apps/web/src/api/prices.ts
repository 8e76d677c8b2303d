import { type Prices, routes } from '@misstep/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './client.ts';
import { runKeys } from './runs.ts';

const PRICES = ['prices'] as const;

/** What tokens cost, and the models of runs without a price. */
export function usePrices() {
  return useQuery({
    queryKey: PRICES,
    queryFn: ({ signal }) => api(routes.listPrices, { signal }),
    // The command line, an editor and every import change it.
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
}

export type GivenPrice = Pick<
  Prices['prices'][number],
  'model' | 'input' | 'cacheRead' | 'cacheWrite' | 'output' | 'longInputCostsMore' | 'source'
>;

export function useSetPrice() {
  const changed = useChanged();
  return useMutation({
    mutationFn: (price: GivenPrice) => api(routes.putPrice, { body: price }),
    onSuccess: changed,
  });
}

/** Takes your price of a model back; without a model all of yours. */
export function useResetPrice() {
  const changed = useChanged();
  return useMutation({
    mutationFn: (model: string | null) =>
      api(routes.deletePrice, { query: model === null ? {} : { model } }),
    onSuccess: changed,
  });
}

/** Every cost that is shown anywhere may be another now. */
function useChanged() {
  const client = useQueryClient();
  return async (prices: Prices) => {
    client.setQueryData(PRICES, prices);
    await Promise.all([
      client.invalidateQueries({ queryKey: runKeys.list }),
      client.invalidateQueries({ queryKey: ['run'] }),
    ]);
  };
}
