import type { TargetAddress, TargetSettings } from '@misstep/model';

/** How the target is spoken to beside its address: names, and a revision or `auto`. */
export type TakeAwaySettings = Pick<
  TargetSettings,
  'environmentNames' | 'headerNames' | 'usesOAuth'
> & {
  readonly protocolRevision: string;
};

/** A header or an environment variable that the target gets, and the word in place of its value. */
export interface NeededValue {
  readonly name: string;
  readonly placeholder: string;
}

export interface NeededValues {
  readonly headers: readonly NeededValue[];
  readonly environment: readonly NeededValue[];
  /** One sentence for each. */
  readonly notes: readonly string[];
}

/** What a form has to be given before it works. Names only: the values are secrets and not here. */
export function neededValues(address: TargetAddress, settings: TakeAwaySettings): NeededValues {
  const isStdio = address.transport === 'stdio';
  const names = isStdio ? [] : settings.headerNames;
  const signedIn =
    !isStdio && settings.usesOAuth && !names.some((name) => /^authorization$/i.test(name));
  const headers = [...names, ...(signedIn ? ['Authorization'] : [])].map(needed);
  const environment = isStdio ? settings.environmentNames.map(needed) : [];
  const value = 'its value is a secret and left out';
  return {
    headers,
    environment,
    notes: [
      ...headers.map(({ name, placeholder }) =>
        signedIn && name === 'Authorization'
          ? `Set the header Authorization for ${placeholder}: "Bearer" and a token, for the target is signed in to.`
          : `Set the header ${name} for ${placeholder}: ${value}.`,
      ),
      ...environment.map(({ name }) => `Set the environment variable ${name}: ${value}.`),
    ],
  };
}

function needed(name: string): NeededValue {
  const word = name.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  return { name, placeholder: `PUT_${word.toUpperCase()}_HERE` };
}
