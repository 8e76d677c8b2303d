import { routes } from '@misstep/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './client.ts';
import { refreshImports } from './imports.ts';

/** The page of one format; null = none is chosen. */
export function useFormatPage(formatId: string | null) {
  return useQuery({
    queryKey: ['formats', formatId],
    queryFn: ({ signal }) =>
      api(routes.getFormat, { params: { formatId: formatId ?? '' }, signal }),
    enabled: formatId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What every format scores for a source; null = no source is chosen. */
export function useSourceFormats(sha256: string | null) {
  return useQuery({
    queryKey: ['source-formats', sha256],
    queryFn: ({ signal }) =>
      api(routes.getSourceFormats, { params: { sha256: sha256 ?? '' }, signal }),
    enabled: sha256 !== null,
    retry: false,
  });
}

export function useReadSourceAs() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ sha256, format }: { sha256: string; format: string }) =>
      api(routes.readSourceAs, { params: { sha256 }, body: { format } }),
    onSuccess: () => refreshImports(client),
  });
}
