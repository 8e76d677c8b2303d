import type { GivenSecret, SecretState, SignInState, TargetView } from '@misstep/contract';
import type { Revocation } from '@misstep/mcp';
import {
  describeTarget,
  MisstepError,
  NO_TARGET_SETTINGS,
  readTargetUrl,
  type SecretKind,
  type Target,
  type TargetAddress,
  type TargetName,
  type TargetSettings,
} from '@misstep/model';
import type { Store } from '@misstep/store';
import type { SecretService } from './secret-service.ts';
import { checkSecret, kindFor, sameName } from './secrets/check-secret.ts';
import type { SignInService } from './sign-in-service.ts';

/** How a target is spoken to; secrets are names with values, of which only the names come back. */
export interface TargetChange {
  readonly address?: TargetAddress | undefined;
  readonly protocolRevision?: TargetSettings['protocolRevision'] | undefined;
  readonly secrets?: readonly GivenSecret[] | undefined;
}

export interface TargetService {
  list(): Promise<TargetView[]>;
  /** TARGET_NOT_FOUND. */
  get(name: TargetName): Promise<TargetView>;
  /** Nothing is started, and nothing may be until it is confirmed. */
  add(
    name: TargetName,
    address: TargetAddress,
    change?: Omit<TargetChange, 'address'> & {
      readonly importedFrom?: TargetSettings['importedFrom'];
    },
  ): Promise<TargetView>;
  /** What is confirmed is a text; where the change makes it another, the confirmation is gone. */
  update(name: TargetName, change: TargetChange): Promise<TargetView>;
  /** `description` is what the person read, word for word. */
  confirm(name: TargetName, description: string, trustsReadOnlyHint: boolean): Promise<TargetView>;
  /** Name and value. SECRET_NOT_FOUND. */
  removeSecret(name: TargetName, kind: SecretKind, secretName: string): Promise<TargetView>;
  /** With its secrets; the tokens of its sign-in are revoked where they came from (null = none). */
  remove(name: TargetName): Promise<{ removed: boolean; revocation: Revocation | null }>;
}

export function createTargetService(
  store: Store,
  secrets: SecretService,
  signIns: SignInService,
): TargetService {
  return new Targets(store, secrets, signIns);
}

class Targets implements TargetService {
  readonly #store: Store;
  readonly #secrets: SecretService;
  readonly #signIns: SignInService;

  constructor(store: Store, secrets: SecretService, signIns: SignInService) {
    this.#store = store;
    this.#secrets = secrets;
    this.#signIns = signIns;
  }

  async list(): Promise<TargetView[]> {
    return this.#views(await this.#store.listTargets());
  }

  async get(name: TargetName): Promise<TargetView> {
    return this.#view(await this.#store.getTarget(name));
  }

  async add(
    name: TargetName,
    typed: TargetAddress,
    change: Parameters<TargetService['add']>[2] = {},
  ): Promise<TargetView> {
    const address = readAddress(typed);
    const given = change.secrets ?? [];
    for (const secret of given) checkSecret(secret, address);
    const settings = withNames(
      {
        ...NO_TARGET_SETTINGS,
        protocolRevision: change.protocolRevision ?? 'auto',
        importedFrom: change.importedFrom ?? null,
      },
      address,
      given,
    );
    const target = await this.#store.addTarget({ name, address, settings });
    // What a target of this name left behind must not become this one's.
    await this.#secrets.forgetTarget(name);
    await this.#secrets.keep(target, given);
    return this.#view(target);
  }

  async update(name: TargetName, change: TargetChange): Promise<TargetView> {
    const before = await this.#store.getTarget(name);
    const address = change.address === undefined ? before.address : readAddress(change.address);
    const given = change.secrets ?? [];
    for (const secret of given) checkSecret(secret, address);
    const settings = withNames(
      {
        ...before.settings,
        protocolRevision: change.protocolRevision ?? before.settings.protocolRevision,
      },
      address,
      given,
    );
    const target = await this.#save(before, { address, settings });
    await this.#secrets.keep(target, given);
    await this.#secrets.prune(target);
    return this.#view(target);
  }

  async confirm(
    name: TargetName,
    description: string,
    trustsReadOnlyHint: boolean,
  ): Promise<TargetView> {
    const target = await this.#store.getTarget(name);
    if (description !== describeTarget(target)) {
      throw new MisstepError(
        'REQUEST_INVALID',
        'description: what was confirmed is not the command or URL of this target.',
        { field: 'description' },
      );
    }
    return this.#view(await this.#store.confirmTarget(name, trustsReadOnlyHint));
  }

  async removeSecret(name: TargetName, kind: SecretKind, secretName: string): Promise<TargetView> {
    const before = await this.#store.getTarget(name);
    const member = kind === 'environment' ? 'environmentNames' : 'headerNames';
    const rest = before.settings[member].filter((each) => !sameName(kind, each, secretName));
    if (rest.length === before.settings[member].length) {
      throw new MisstepError('SECRET_NOT_FOUND', `${name} has no ${kind} ${secretName}.`);
    }
    const target = await this.#save(before, {
      address: before.address,
      settings: { ...before.settings, [member]: rest },
    });
    await this.#secrets.prune(target);
    return this.#view(target);
  }

  async remove(name: TargetName): Promise<{ removed: boolean; revocation: Revocation | null }> {
    const revocation = await this.#signIns.signOut(name);
    await this.#secrets.forgetTarget(name);
    await this.#store.removeTarget(name);
    return { removed: true, revocation };
  }

  #save(before: Target, after: Pick<Target, 'address' | 'settings'>): Promise<Target> {
    const keepsConfirmation = describeTarget(before) === describeTarget(after);
    // The address is what the store binds the confirmation to, so the same one isn't written anew.
    const sameAddress = JSON.stringify(before.address) === JSON.stringify(after.address);
    return this.#store.updateTarget(
      before.name,
      sameAddress ? { settings: after.settings } : after,
      keepsConfirmation && sameAddress,
    );
  }

  async #view(target: Target): Promise<TargetView> {
    const [view] = await this.#views([target]);
    if (view === undefined) throw new Error('One target has one view.');
    return view;
  }

  async #views(targets: readonly Target[]): Promise<TargetView[]> {
    const states: ReadonlyMap<TargetName, SecretState[]> = await this.#secrets.statesOf(targets);
    const signIns = await this.#signIns.statesOf(targets);
    return targets.map((target) => ({
      ...target,
      description: describeTarget(target),
      secrets: states.get(target.name) ?? [],
      signIn: signIns.get(target.name) ?? SIGNED_OUT,
    }));
  }
}

const SIGNED_OUT: SignInState = {
  state: 'signedOut',
  authority: null,
  expiresAt: null,
  problem: null,
};

/** The names in order, each once; those that this kind of address can't use are gone. */
function withNames(
  settings: TargetSettings,
  address: TargetAddress,
  given: readonly GivenSecret[],
): TargetSettings {
  const kind = kindFor(address);
  const before = kind === 'environment' ? settings.environmentNames : settings.headerNames;
  const names = [...before];
  for (const { name } of given) {
    const at = names.findIndex((each) => sameName(kind, each, name));
    if (at < 0) names.push(name);
  }
  return {
    ...settings,
    environmentNames: kind === 'environment' ? names : [],
    headerNames: kind === 'header' ? names : [],
    usesOAuth: kind === 'header' && settings.usesOAuth,
  };
}

/** The address as it is kept; REQUEST_INVALID where nothing can be started or called by it. */
function readAddress(address: TargetAddress): TargetAddress {
  if (address.transport === 'stdio') {
    // A process can't be given a NUL; Node would say so with the whole word in its message.
    if ([address.command, ...address.args, address.cwd ?? ''].some((word) => word.includes('\0'))) {
      throw invalidAddress('address: a command can hold no NUL.', 'address');
    }
    return address;
  }
  const url = readTargetUrl(address.url);
  if (url.ok) return { ...address, url: url.value };
  throw invalidAddress(`address.url: ${url.error}`, 'address.url');
}

function invalidAddress(message: string, field: string): MisstepError {
  return new MisstepError('REQUEST_INVALID', message, { field });
}
