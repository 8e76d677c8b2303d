import { isMisstepError } from '@misstep/model';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { useSession } from '../state/session.ts';

/** Server answers. The server is on this machine: nothing is retried, nothing refetched on focus. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (isMisstepError(error) && error.code === 'TOKEN_MISSING') useSession.getState().loseAccess();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        staleTime: 5_000,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
