import { type CallInput, type ConfigPicks, routes, type TargetView } from '@misstep/contract';
import type { SecretKind } from '@misstep/model';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './client.ts';

const TARGETS = ['targets'] as const;
const WAITING_LOOK_MS = 1500;

type Body<Name extends 'addTarget' | 'updateTarget'> = NonNullable<
  CallInput<(typeof routes)[Name]>['body']
>;

/** The live MCP servers that the person configured. */
export function useTargets() {
  return useQuery({
    queryKey: TARGETS,
    queryFn: ({ signal }) => api(routes.listTargets, { signal }),
    // A sign-in ends in another tab.
    refetchInterval: ({ state }) =>
      state.data?.targets.some(({ signIn }) => signIn.state === 'waiting') === true
        ? WAITING_LOOK_MS
        : false,
  });
}

/** Configures a server. Nothing is started. */
export function useAddTarget() {
  const client = useQueryClient();
  return useMutation({
    // What was sent holds secrets, so it isn't kept once it has gone.
    gcTime: 0,
    mutationFn: (body: Body<'addTarget'>) => api(routes.addTarget, { body }),
    onSuccess: () => refresh(client),
  });
}

/** Changes what is given; another command, URL or name of a secret has to be confirmed anew. */
export function useUpdateTarget() {
  const client = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: (input: { name: string; body: Body<'updateTarget'> }) =>
      api(routes.updateTarget, { params: { name: input.name }, body: input.body }),
    onSuccess: () => refresh(client),
  });
}

/** Forgets a variable or header, name and value. */
export function useRemoveTargetSecret() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: { name: string; kind: SecretKind; secretName: string }) =>
      api(routes.removeTargetSecret, { params: input }),
    onSuccess: () => refresh(client),
  });
}

/** Empty = none is given. */
interface SignInInput {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Begins a sign-in; the person opens the address of the answer. */
export function useStartSignIn() {
  const client = useQueryClient();
  return useMutation({
    // What was sent may hold a secret, so it isn't kept once it has gone.
    gcTime: 0,
    mutationFn: ({ name, clientId, clientSecret }: SignInInput) =>
      api(routes.startSignIn, {
        params: { name },
        body: {
          ...(clientId === '' ? {} : { clientId }),
          ...(clientSecret === '' ? {} : { clientSecret }),
        },
      }),
    onSettled: () => refresh(client),
  });
}

/** Forgets the tokens, or stops a sign-in that waits. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api(routes.signOut, { params: { name } }),
    onSuccess: () => refresh(client),
  });
}

/** The text of a file that the person picked. */
export interface ConfigFile {
  readonly fileName: string;
  readonly text: string;
}

/** What servers a configuration names. Nothing is kept. */
export function useReadTargetConfig() {
  return useMutation({
    gcTime: 0,
    mutationFn: (body: ConfigFile) => api(routes.readTargetConfig, { body }),
  });
}

/** Keeps picked entries as servers, unconfirmed. */
export function useImportTargets() {
  const client = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: (
      body: ConfigFile & { picks: { index: number; name: string }[] } & Pick<ConfigPicks, 'values'>,
    ) => api(routes.importTargets, { body }),
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

/**
 * Forgets a server; its replays stay. `onRemoved` gets what became of the tokens of its sign-in, null
 * where it had none; before the lists are asked again, since who asked may be gone then.
 */
export function useRemoveTarget(onRemoved: (revocation: string | null) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api(routes.removeTarget, { params: { name } }),
    onSuccess: ({ revocation }) => {
      onRemoved(revocation?.sentence ?? null);
      return refresh(client);
    },
  });
}

function refresh(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: TARGETS });
}
