import { routes } from '@misstep/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from './client.ts';

/** This start of Misstep: data folder, counts, who marks are signed by. */
export function useStatus() {
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => api(routes.getStatus, { signal }),
  });
}
