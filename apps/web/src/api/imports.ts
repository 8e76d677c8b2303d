import { type ImportState, routes, type SourceFate } from '@misstep/contract';
import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from './client.ts';
import { runKeys } from './runs.ts';

const IMPORTS = ['imports'] as const;
const POLL_MS = 250;

/** True while an import still has work before it. */
export function isRunning(state: ImportState): boolean {
  return state.state === 'receiving' || state.state === 'reading';
}

/** A cancelled one may still tell what it keeps. */
function isSettled(state: ImportState): boolean {
  return state.phase === null;
}

/** Imports that nobody dismissed, newest first. Asked again only while one of them runs. */
export function useImports() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: IMPORTS,
    queryFn: async ({ signal }) =>
      (await api(routes.listImports, { query: { sources: 'none' }, signal })).imports,
    refetchInterval: ({ state }) => (state.data?.every(isSettled) ? false : POLL_MS),
  });
  const ended = query.data
    ?.filter(isSettled)
    .map((each) => each.id)
    .join(' ');
  const before = useRef<string | undefined>(undefined);
  useEffect(() => {
    // What had ended before this screen was opened is in the list that it fetches itself.
    if (before.current !== undefined && before.current !== ended) void refreshRuns(client);
    before.current = ended;
  }, [client, ended]);
  return query;
}

/** What an import is made from: pasted text, or files that belong together. */
export type ImportInput =
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  | { readonly kind: 'files'; readonly name: string; readonly files: readonly NamedFile[] };

export interface NamedFile {
  /** Path within the folder that was dropped, or the file's name. */
  readonly name: string;
  readonly file: Blob;
}

/** Inputs of this page's imports, kept so that a failed one can be tried as another format. */
const inputs = new Map<string, ImportInput>();

/** Undefined after a reload: then the file must be chosen anew. */
export function inputOfImport(importId: string): ImportInput | undefined {
  return inputs.get(importId);
}

/** Begins an import and sends its bytes, one file after the other. */
export function useStartImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (request: { input: ImportInput; format?: string | null }) => {
      const { input } = request;
      const begun = await api(routes.createImport, {
        body: {
          name: input.name,
          format: request.format ?? null,
          ...(input.kind === 'text'
            ? { text: input.text }
            : { files: input.files.map(({ name, file }) => ({ name, sizeBytes: file.size })) }),
        },
      });
      inputs.set(begun.id, input);
      putImport(client, begun);
      if (input.kind === 'files') {
        for (const [index, { file }] of input.files.entries()) {
          const state = await api(routes.uploadImportFile, {
            params: { importId: begun.id, index },
            body: file,
          });
          putImport(client, state);
          if (state.state === 'cancelled' || state.state === 'failed') break;
        }
      }
      return begun;
    },
    onSettled: () => client.invalidateQueries({ queryKey: IMPORTS }),
  });
}

/** Cancels an import that runs (its row stays and says so), or dismisses one that ended. */
export function useDismissImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (importId: string) => api(routes.dismissImport, { params: { importId } }),
    onSuccess: (answer, importId) => {
      if (!answer.cancelled) {
        inputs.delete(importId);
        client.setQueryData(IMPORTS, (list: ImportState[] | undefined) =>
          list?.filter((each) => each.id !== importId),
        );
      }
      return client.invalidateQueries({ queryKey: IMPORTS });
    },
  });
}

const PAGE = 100;

/** What became of each source of an import, page by page; null = no import is looked at. */
export function useImportSources(state: ImportState, fate: SourceFate | null) {
  return useInfiniteQuery({
    // What an import has read so far is part of the question: the answer grows with it.
    queryKey: [
      // Not below the list's: what was dismissed must not be asked for again with it.
      'import-sources',
      state.id,
      fate,
      fate === null ? sourceCount(state) : state.summary.fates[fate],
    ],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      api(routes.listImportSources, {
        params: { importId: state.id },
        query: { offset: pageParam, limit: PAGE, ...(fate === null ? {} : { fate }) },
        signal,
      }),
    getNextPageParam: (last, all) => {
      const shown = all.reduce((sum, page) => sum + page.rows.length, 0);
      return shown < last.total && last.rows.length > 0 ? shown : undefined;
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Sources of which it is known what became of them. */
export function sourceCount({ summary }: Pick<ImportState, 'summary'>): number {
  return Object.values(summary.fates).reduce((sum, count) => sum + count, 0);
}

/** The formats that can be read, for overruling the recognition. */
export function useFormats() {
  return useQuery({
    queryKey: ['formats'],
    queryFn: async ({ signal }) => (await api(routes.listFormats, { signal })).formats,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function putImport(client: QueryClient, state: ImportState): void {
  client.setQueryData(IMPORTS, (list: ImportState[] | undefined) => {
    if (list === undefined) return [state];
    return list.some((each) => each.id === state.id)
      ? list.map((each) => (each.id === state.id ? state : each))
      : [state, ...list];
  });
}

/** An import was begun elsewhere. */
export function refreshImports(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: IMPORTS });
}

export async function refreshRuns(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: runKeys.list }),
    client.invalidateQueries({ queryKey: ['status'] }),
    // A re-import may have given a run more steps.
    client.invalidateQueries({ queryKey: ['run'] }),
  ]);
}
