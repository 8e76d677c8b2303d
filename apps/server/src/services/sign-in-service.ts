import type { SignInState } from '@misstep/contract';
import {
  type Revocation,
  renewSignIn,
  revokeSignIn,
  SignIn,
  SignInError,
  type SignInRecord,
} from '@misstep/mcp';
import {
  fail,
  MisstepError,
  ok,
  type Result,
  secretBinding,
  type Target,
  type TargetName,
} from '@misstep/model';
import type { ReplayRefusal } from '@misstep/replay';
import type { SecretFile, Store } from '@misstep/store';
import { reportFault } from '../errors/report-fault.ts';
import { isToken } from '../security/token.ts';
import { hasAuthorization, type TokenAccess } from './secret-service.ts';
import { isSignIn, readSignIn, signInSecret } from './sign-in/kept-sign-in.ts';

/** How long a person may take at the authorization server. */
const WAIT_MS = 600_000;
/** A token that ends sooner than this would end on its way. */
const SPARE_MS = 30_000;

export interface SignInStart {
  readonly authorizationUrl: string;
  /** Origin that the URL leads to. */
  readonly authority: string;
  /** Origin that gets the client's secret once the person is back; null = the client has none. */
  readonly secretGoesTo: string | null;
  readonly expiresAt: string;
}

interface Waiting {
  readonly targetName: TargetName;
  /** What the target was bound to when it began. */
  readonly boundTo: string;
  readonly signIn: SignIn;
  readonly timer: NodeJS.Timeout;
  readonly settle: (problem: string | null) => void;
  readonly settled: Promise<string | null>;
}

/** OAuth sign-ins at targets: begun by the person, ended by the redirect, kept among the secrets. */
export class SignInService implements TokenAccess {
  readonly #store: Store;
  readonly #file: SecretFile;
  readonly #waiting = new Map<TargetName, Waiting>();
  /** Those that came back and are not signed in yet. */
  readonly #finishing = new Set<Waiting>();
  readonly #problems = new Map<TargetName, string>();
  readonly #renewals = new Map<TargetName, Promise<SignInRecord | null>>();

  constructor(store: Store, file: SecretFile) {
    this.#store = store;
    this.#file = file;
  }

  /**
   * Asks the confirmed target where to sign in. REQUEST_INVALID where it can't be signed in to,
   * SIGN_IN_FAILED with the reason. One at a time for a target: the former one is given up.
   */
  async begin(
    name: TargetName,
    options: {
      redirectUri: string;
      clientId?: string | undefined;
      clientSecret?: string | undefined;
      scope?: string | undefined;
    },
  ): Promise<SignInStart> {
    if (options.clientSecret !== undefined && options.clientId === undefined) {
      const message = 'A client secret belongs to a client: give the client id with it.';
      throw new MisstepError('REQUEST_INVALID', message, { field: 'clientId' });
    }
    const target = await this.#store.getTarget(name);
    const url = signInAddress(target);
    this.cancel(name);
    this.#problems.delete(name);
    const signIn = new SignIn({
      serverUrl: url,
      redirectUri: options.redirectUri,
      clientId: options.clientId ?? null,
      clientSecret: options.clientSecret ?? null,
      scope: options.scope ?? null,
      former: readSignIn(target, await this.#file.read()),
    });
    const authorizationUrl = await signIn.begin().catch((error: unknown) => {
      throw failed(name, error);
    });
    const { settle, settled } = whenSettled();
    const timer = setTimeout(
      () => this.#giveUp(name, 'Nobody came back from it in time.'),
      WAIT_MS,
    );
    timer.unref();
    // Two begun at once: the later one counts.
    this.cancel(name);
    this.#waiting.set(name, {
      targetName: name,
      boundTo: secretBinding(target.address),
      signIn,
      timer,
      settle,
      settled,
    });
    return {
      authorizationUrl: authorizationUrl.href,
      authority: authorizationUrl.origin,
      secretGoesTo: signIn.secretGoesTo,
      expiresAt: new Date(Date.now() + WAIT_MS).toISOString(),
    };
  }

  /**
   * Takes a redirect. Null where its `state` is of no sign-in that waits; else the target and why
   * it failed, if it did. A state counts once.
   */
  async complete(
    query: URLSearchParams,
  ): Promise<{ targetName: TargetName; problem: string | null } | null> {
    const state = query.get('state') ?? '';
    const waiting = [...this.#waiting.values()].find((each) => isToken(each.signIn.state, state));
    if (waiting === undefined) return null;
    const { targetName, timer, settle } = waiting;
    // Before the first wait, so that the state counts once.
    this.#waiting.delete(targetName);
    this.#finishing.add(waiting);
    clearTimeout(timer);
    const problem = await this.#finish(waiting, query);
    this.#finishing.delete(waiting);
    if (problem !== null) this.#problems.set(targetName, problem);
    settle(problem);
    return { targetName, problem };
  }

  /** When the sign-in that waits has ended: null = signed in, else why not. */
  async whenDone(name: TargetName): Promise<string | null> {
    return (await this.#waiting.get(name)?.settled) ?? null;
  }

  cancel(name: TargetName): void {
    this.#giveUp(name, 'It was cancelled.');
  }

  /**
   * Forgets the tokens, whatever comes of it, and has them revoked by the server that gave them.
   * Null where there were none.
   */
  async signOut(name: TargetName): Promise<Revocation | null> {
    const target = await this.#store.getTarget(name);
    this.cancel(name);
    this.#problems.delete(name);
    const record = readSignIn(target, await this.#file.read());
    await this.#file.update((kept) => {
      const rest = kept.filter((each) => !isSignIn(each, name));
      return rest.length === kept.length ? kept : rest;
    });
    await this.#store.updateTarget(
      name,
      { settings: { ...target.settings, usesOAuth: false } },
      true,
    );
    if (record === null || target.address.transport === 'stdio') return null;
    return revokeSignIn(target.address.url, record);
  }

  async statesOf(targets: readonly Target[]): Promise<ReadonlyMap<TargetName, SignInState>> {
    const kept = targets.some(({ settings }) => settings.usesOAuth) ? await this.#file.read() : [];
    return new Map(
      targets.map((target) => {
        const record = target.settings.usesOAuth ? readSignIn(target, kept) : null;
        const isElsewhere = record === null && kept.some((each) => isSignIn(each, target.name));
        const problem = this.#problems.get(target.name) ?? null;
        const state = this.#isWaiting(target.name)
          ? ('waiting' as const)
          : stateOf(target, record, isElsewhere);
        return [target.name, { state, ...describeRecord(record), problem }];
      }),
    );
  }

  async accessToken(target: Target): Promise<Result<string, ReplayRefusal>> {
    const record = readSignIn(target, await this.#file.read());
    if (record === null) return fail(signInAgain(target, 'The sign-in is not for this address'));
    if (!isOver(record)) return ok(record.tokens.access_token);
    const renewed = await this.#renew(target, record);
    if (renewed !== null) return ok(renewed.tokens.access_token);
    // Another process may have renewed it: a refresh token often counts once.
    const now = readSignIn(target, await this.#file.read());
    if (now !== null && !isOver(now)) return ok(now.tokens.access_token);
    return fail(signInAgain(target, 'The sign-in has expired'));
  }

  /** Gives up what waits. */
  close(): void {
    for (const name of [...this.#waiting.keys()]) this.cancel(name);
  }

  async #finish(waiting: Waiting, query: URLSearchParams): Promise<string | null> {
    try {
      const record = await waiting.signIn.finish(query);
      const target = await this.#store.getTarget(waiting.targetName);
      if (secretBinding(target.address) !== waiting.boundTo) {
        return 'The target got another address meanwhile.';
      }
      await this.#keep(target, record);
      await this.#store.updateTarget(
        target.name,
        { settings: { ...target.settings, usesOAuth: true } },
        true,
      );
      return null;
    } catch (error) {
      return failed(waiting.targetName, error).message;
    }
  }

  /** Also while the tokens are fetched: whoever looks then would take it for signed out, and stop looking. */
  #isWaiting(name: TargetName): boolean {
    return (
      this.#waiting.has(name) || [...this.#finishing].some(({ targetName }) => targetName === name)
    );
  }

  #renew(target: Target, record: SignInRecord): Promise<SignInRecord | null> {
    const running = this.#renewals.get(target.name) ?? this.#renewOnce(target, record);
    this.#renewals.set(target.name, running);
    return running.finally(() => this.#renewals.delete(target.name));
  }

  async #renewOnce(target: Target, record: SignInRecord): Promise<SignInRecord | null> {
    if (target.address.transport === 'stdio') return null;
    const renewed = await renewSignIn(target.address.url, record);
    if (renewed !== null) await this.#keep(target, renewed);
    return renewed;
  }

  async #keep(target: Target, record: SignInRecord): Promise<void> {
    await this.#file.update((kept) => [
      ...kept.filter((each) => !isSignIn(each, target.name)),
      signInSecret(target, record),
    ]);
  }

  #giveUp(name: TargetName, problem: string): void {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) return;
    this.#waiting.delete(name);
    clearTimeout(waiting.timer);
    this.#problems.set(name, problem);
    waiting.settle(problem);
  }
}

function signInAddress(target: Target): string {
  const { address, name } = target;
  const why =
    address.transport === 'stdio'
      ? 'only a server at a URL can be signed in to.'
      : target.confirmedAt === null
        ? 'confirm its URL first: a sign-in connects to it.'
        : hasAuthorization(target)
          ? 'it has an Authorization header of yours, which would stand in the way. Remove that first.'
          : null;
  if (why !== null || address.transport === 'stdio') {
    throw new MisstepError('REQUEST_INVALID', `${name}: ${why}`, { field: 'name' });
  }
  return address.url;
}

function whenSettled() {
  let settle: (problem: string | null) => void = () => undefined;
  const settled = new Promise<string | null>((resolve) => {
    settle = resolve;
  });
  return { settle, settled };
}

function failed(name: TargetName, error: unknown): MisstepError {
  const reason =
    error instanceof SignInError ? error.message : `Misstep failed at it (${reportFault(error)})`;
  return new MisstepError('SIGN_IN_FAILED', `The sign-in at ${name} failed: ${reason}.`);
}

function signInAgain({ name }: Target, why: string): ReplayRefusal {
  return {
    reason: 'signInNeeded',
    sentence: `${why}, so nothing was sent. Sign in again on the servers screen or with: misstep target sign-in ${name}`,
  };
}

function isOver({ expiresAtMs }: SignInRecord): boolean {
  return expiresAtMs !== null && expiresAtMs < Date.now() + SPARE_MS;
}

function stateOf(
  target: Target,
  record: SignInRecord | null,
  isElsewhere: boolean,
): SignInState['state'] {
  if (!target.settings.usesOAuth) return 'signedOut';
  if (record === null) return isElsewhere ? 'otherAddress' : 'signedOut';
  return isOver(record) && record.tokens.refresh_token === undefined ? 'expired' : 'signedIn';
}

function describeRecord(record: SignInRecord | null): Pick<SignInState, 'authority' | 'expiresAt'> {
  if (record === null) return { authority: null, expiresAt: null };
  const { authorizationServerUrl } = record.discovery;
  const { expiresAtMs, tokens } = record;
  const isRenewed = tokens.refresh_token !== undefined;
  return {
    authority: URL.canParse(authorizationServerUrl) ? new URL(authorizationServerUrl).origin : null,
    expiresAt: expiresAtMs === null || isRenewed ? null : new Date(expiresAtMs).toISOString(),
  };
}
