import { routes } from '@misstep/contract';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from './client.ts';
import { refreshImports, refreshRuns } from './imports.ts';

const FOLLOWED = ['followed'] as const;
const LOOK_EVERY_MS = 2000;

/** What known agents keep on this machine; looked up only when asked. */
export function useFound() {
  return useQuery({
    queryKey: ['found'],
    queryFn: async ({ signal }) => (await api(routes.listFound, { signal })).folders,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: false,
  });
}

/** What is in a folder that the person typed: names and sizes. */
export function useLookAtFolder() {
  return useMutation({
    mutationFn: async (path: string) => (await api(routes.lookAtFolder, { body: { path } })).folder,
  });
}

/** Folders that a path typed so far can mean; asked only while the field is in use. */
export function useOfferedFolders(path: string, isOpen: boolean) {
  return useQuery({
    queryKey: ['offered-folders', path],
    queryFn: ({ signal }) => api(routes.offerFolders, { body: { path }, signal }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
    staleTime: 5000,
    retry: false,
  });
}

export function useImportFound() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { ids: string[]; since: string | null }) =>
      api(routes.importFound, { body }),
    onSuccess: () => refreshImports(client),
  });
}

/** The followed folders; asked again and again while there are any. */
export function useFollowed() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: FOLLOWED,
    queryFn: ({ signal }) => api(routes.listFollowed, { signal }),
    refetchInterval: ({ state }) => ((state.data?.folders.length ?? 0) > 0 ? LOOK_EVERY_MS : false),
  });
  const seen = useRef<number | null>(null);
  const savedCount = query.data?.savedCount ?? null;
  useEffect(() => {
    if (seen.current !== null && savedCount !== seen.current) void refreshRuns(client);
    seen.current = savedCount;
  }, [client, savedCount]);
  return query;
}

export function useFollow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (foundId: string) => api(routes.followFolder, { body: { foundId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: FOLLOWED }),
  });
}

export function useUnfollow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (followId: string) => api(routes.unfollowFolder, { params: { followId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: FOLLOWED }),
  });
}
