import { serve, signInRedirectUri } from '@misstep/server';
import { type Command, textOption } from '../command.ts';
import { readName } from '../target-input.ts';
import { readClientSecret } from '../target-secrets.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';
import { visible } from '../terminal/visible.ts';

export const targetSignInCommand: Command = {
  name: 'target sign-in',
  summary: 'Sign in at a target by OAuth, in a browser on this machine.',
  usage: 'NAME',
  options: {
    'client-id': {
      type: 'string',
      value: 'ID',
      text: 'A client that the authorization server knows; without it Misstep registers itself.',
    },
    'client-secret': {
      type: 'boolean',
      text: 'That client has a secret: it is asked for, or taken from MISSTEP_CLIENT_SECRET.',
    },
    'secrets-stdin': {
      type: 'boolean',
      text: 'Read it from standard input: {"clientSecret":SECRET}.',
    },
    scope: { type: 'string', value: 'SCOPE', text: 'Scopes to ask for, instead of the server’s.' },
    open: { type: 'boolean', text: 'Open a browser where there is one.' },
  },
  async run(input) {
    const { terminal, json, options, signal } = input;
    const name = readName(input);
    const clientSecret = await readClientSecret(input);
    const services = await input.services();
    // The same guard stands before it as before the app; only the redirect gets past.
    const listening = await serve(services, { port: 0 });
    try {
      const started = await services.signIns.begin(name, {
        redirectUri: signInRedirectUri(listening.port),
        clientId: textOption(options, 'client-id') ?? undefined,
        clientSecret: clientSecret ?? undefined,
        scope: textOption(options, 'scope') ?? undefined,
      });
      if (json) writeJson(terminal, { type: 'signInStarted', name, ...started });
      tell(terminal, `Open this address of ${visible(started.authority)} and sign in there:`);
      tell(terminal, `  ${visible(started.authorizationUrl)}`);
      if (started.secretGoesTo !== null) {
        tell(terminal, `The client's secret will be sent to ${visible(started.secretGoesTo)}.`);
      }
      if (options.open === true) {
        openBrowser(started.authorizationUrl, terminal.platform, terminal.environment);
      }
      const cancel = () => services.signIns.cancel(name);
      signal.addEventListener('abort', cancel, { once: true });
      if (signal.aborted) cancel();
      const problem = await services.signIns.whenDone(name);
      signal.removeEventListener('abort', cancel);
      signal.throwIfAborted();
      const target = await services.targets.get(name);
      if (json) writeJson(terminal, { type: 'target', ...target });
      if (problem !== null) {
        tell(terminal, `misstep: ${visible(problem)}`);
        return 1;
      }
      if (!json) writeWords(terminal, `Signed in at ${name}.\n`);
      return 0;
    } finally {
      await listening.app.close();
    }
  },
};

export const targetSignOutCommand: Command = {
  name: 'target sign-out',
  summary: 'Forget the tokens of a sign-in, and have them revoked where they came from.',
  usage: 'NAME',
  options: {},
  async run(input) {
    const { terminal, json } = input;
    const name = readName(input);
    const { signIns, targets } = await input.services();
    const revocation = await signIns.signOut(name);
    if (json) writeJson(terminal, { type: 'target', ...(await targets.get(name)), revocation });
    else writeWords(terminal, `Signed out of ${name}.\n`);
    if (revocation !== null) tell(terminal, visible(revocation.sentence));
    return 0;
  },
};
