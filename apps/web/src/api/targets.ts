import { routes, type TargetView } from '@misstep/contract';
import type { TargetAddress } from '@misstep/model';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './client.ts';

const TARGETS = ['targets'] as const;

/** The live MCP servers that the person configured. */
export function useTargets() {
  return useQuery({
    queryKey: TARGETS,
    queryFn: ({ signal }) => api(routes.listTargets, { signal }),
  });
}

/** Configures a server. Nothing is started. */
export function useAddTarget() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; address: TargetAddress }) => api(routes.addTarget, { body }),
    onSuccess: () => refresh(client),
  });
}

/** Sends the whole line that the person read back, word for word. */
export function useConfirmTarget() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: { target: TargetView; trustsReadOnlyHint: boolean }) =>
      api(routes.confirmTarget, {
        params: { name: input.target.name },
        body: {
          description: input.target.description,
          trustsReadOnlyHint: input.trustsReadOnlyHint,
        },
      }),
    onSuccess: () => refresh(client),
  });
}

/** Forgets a server; its replays stay. */
export function useRemoveTarget() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api(routes.removeTarget, { params: { name } }),
    onSuccess: () => refresh(client),
  });
}

function refresh(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: TARGETS });
}
