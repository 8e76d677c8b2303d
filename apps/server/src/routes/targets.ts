import type { Services } from '../compose.ts';
import type { Handlers } from './handler.ts';
import { signInRedirectUri } from './sign-in-redirect.ts';

type TargetHandlers = Pick<
  Handlers,
  | 'listTargets'
  | 'addTarget'
  | 'updateTarget'
  | 'confirmTarget'
  | 'removeTarget'
  | 'removeTargetSecret'
  | 'startSignIn'
  | 'signOut'
  | 'readTargetConfig'
  | 'importTargets'
>;

/** `port` is what the browser is sent back to after a sign-in. */
export function targetHandlers(
  { targets, signIns, targetConfigs }: Services,
  port: () => number,
): TargetHandlers {
  return {
    listTargets: async () => ({ targets: await targets.list() }),
    addTarget: ({ body: { name, address, ...rest } }) => targets.add(name, address, rest),
    updateTarget: ({ params, body }) => targets.update(params.name, body),
    confirmTarget: ({ params, body }) =>
      targets.confirm(params.name, body.description, body.trustsReadOnlyHint),
    removeTarget: ({ params }) => targets.remove(params.name),
    removeTargetSecret: ({ params: { name, kind, secretName } }) =>
      targets.removeSecret(name, kind, secretName),
    startSignIn: ({ params, body }) =>
      signIns.begin(params.name, { redirectUri: signInRedirectUri(port()), ...body }),
    signOut: async ({ params }) => {
      const revocation = await signIns.signOut(params.name);
      return { ...(await targets.get(params.name)), revocation };
    },
    readTargetConfig: ({ body }) => targetConfigs.read(body.text),
    importTargets: async ({ body: { fileName, text, ...picks } }) => ({
      targets: await targetConfigs.take(fileName, text, picks),
    }),
  };
}
