import type { GivenSecret, SecretState } from '@misstep/contract';
import type { ConnectionSecrets } from '@misstep/mcp';
import {
  fail,
  ok,
  type Result,
  type SecretKind,
  secretBinding,
  type Target,
  type TargetName,
} from '@misstep/model';
import type { ReplayRefusal } from '@misstep/replay';
import type { SecretFile, StoredSecret } from '@misstep/store';
import { kindFor, sameName } from './secrets/check-secret.ts';

/** The tokens of a sign-in, as the sign-in service reads and writes them. */
export interface TokenAccess {
  /** A usable access token, renewed if need be; the refusal's sentence says what to do. */
  accessToken(target: Target): Promise<Result<string, ReplayRefusal>>;
}

/** Values of targets: written here, handed to a connection, and shown to nobody. */
export class SecretService {
  readonly #file: SecretFile;
  readonly #tokens: TokenAccess;

  constructor(file: SecretFile, tokens: TokenAccess) {
    this.#file = file;
    this.#tokens = tokens;
  }

  /** Which of the names that the targets' settings hold have a value. */
  async statesOf(targets: readonly Target[]): Promise<ReadonlyMap<TargetName, SecretState[]>> {
    const kept = await this.#file.read();
    return new Map(
      targets.map((target) => [
        target.name,
        namesOf(target).map(({ kind, name }) => ({
          kind,
          name,
          state: stateOf(kept, target, kind, name),
        })),
      ]),
    );
  }

  /** Keeps the values for the target's address as it is now; null leaves a name without one. */
  async keep(target: Target, given: readonly GivenSecret[]): Promise<void> {
    const savedAt = new Date().toISOString();
    const boundTo = secretBinding(target.address);
    const values = given.filter(({ value }) => value !== null);
    if (given.length === 0) return;
    await this.#file.update((kept) => [
      ...kept.filter((each) => !given.some((one) => isOf(each, target.name, one.kind, one.name))),
      ...values.map(({ kind, name, value }) => ({
        targetName: target.name,
        kind,
        name,
        boundTo,
        value: value ?? '',
        savedAt,
      })),
    ]);
  }

  /** Forgets the values under names that the target no longer has. */
  async prune(target: Target): Promise<void> {
    const names = namesOf(target);
    await this.#forget(
      (each) =>
        each.targetName === target.name &&
        each.kind !== 'oauth' &&
        !names.some(({ kind, name }) => isOf(each, target.name, kind, name)),
    );
  }

  /** Everything of a target, tokens too. */
  async forgetTarget(name: TargetName): Promise<void> {
    await this.#forget((each) => each.targetName === name);
  }

  /**
   * What a connection to the target is given, read anew. Refused where a name has no value for the
   * target's address: without it the server would see another client than the person means.
   */
  async forConnection(target: Target): Promise<Result<ConnectionSecrets, ReplayRefusal>> {
    const names = namesOf(target);
    const kept = names.length === 0 ? [] : await this.#file.read();
    const values = new Map<string, string>();
    const lacking: string[] = [];
    for (const { kind, name } of names) {
      const found = kept.find((each) => isOf(each, target.name, kind, name));
      if (found?.boundTo === secretBinding(target.address)) values.set(name, found.value);
      else lacking.push(found === undefined ? name : `${name} (given for another address)`);
    }
    if (lacking.length > 0) return fail(missing(target, lacking));
    if (kindFor(target.address) === 'environment') {
      return ok({ environment: values, headers: new Map() });
    }
    if (target.settings.usesOAuth && !hasAuthorization(target)) {
      const token = await this.#tokens.accessToken(target);
      if (!token.ok) return token;
      values.set('Authorization', `Bearer ${token.value}`);
    }
    return ok({ environment: new Map(), headers: values });
  }

  /**
   * All that is kept of a target, for any address, tokens too: what must not leave in a file. Opens no
   * connection and renews no token. A target that is gone has its values until they are forgotten.
   */
  async keptOf(name: TargetName): Promise<ConnectionSecrets> {
    const own = (await this.#file.read()).filter((each) => each.targetName === name);
    const environment = new Map<string, string>();
    const headers = new Map<string, string>();
    for (const { kind, name: each, value } of own) {
      if (kind === 'environment') environment.set(each, value);
      else if (kind === 'header') headers.set(each, value);
      else {
        for (const [at, token] of tokensIn(value).entries())
          headers.set(`${each} ${at + 1}`, token);
      }
    }
    return { environment, headers };
  }

  async #forget(isGone: (secret: StoredSecret) => boolean): Promise<void> {
    await this.#file.update((kept) => {
      const rest = kept.filter((each) => !isGone(each));
      return rest.length === kept.length ? kept : rest;
    });
  }
}

/** What is secret in the kept text of a sign-in, wherever in it that stands. */
function tokensIn(text: string): string[] {
  const found: string[] = [];
  const names = new Set(['access_token', 'refresh_token', 'id_token', 'client_secret']);
  try {
    JSON.parse(text, (key, value: unknown) => {
      if (names.has(key) && typeof value === 'string') found.push(value);
      return value;
    });
  } catch {
    // Somebody edited it: as good as none.
  }
  return found;
}

/** True where the person gave that header themselves; it then stands before any sign-in. */
export function hasAuthorization(target: Target): boolean {
  return target.settings.headerNames.some((name) => sameName('header', name, 'authorization'));
}

function namesOf({ address, settings }: Target): { kind: SecretKind; name: string }[] {
  const kind = kindFor(address);
  const names = kind === 'environment' ? settings.environmentNames : settings.headerNames;
  return names.map((name) => ({ kind, name }));
}

function isOf(each: StoredSecret, target: TargetName, kind: SecretKind, name: string): boolean {
  return each.targetName === target && each.kind === kind && sameName(kind, each.name, name);
}

function stateOf(
  kept: readonly StoredSecret[],
  target: Target,
  kind: SecretKind,
  name: string,
): SecretState['state'] {
  const found = kept.find((each) => isOf(each, target.name, kind, name));
  if (found === undefined) return 'missing';
  return found.boundTo === secretBinding(target.address) ? 'set' : 'otherAddress';
}

function missing(target: Target, names: readonly string[]): ReplayRefusal {
  const option = kindFor(target.address) === 'environment' ? '--env' : '--header';
  return {
    reason: 'secretsMissing',
    sentence: `No value for ${names.join(', ')} is kept for ${target.name} as it is now, so nothing was started. Give it on the servers screen or with: misstep target set ${target.name} ${option} NAME`,
  };
}
