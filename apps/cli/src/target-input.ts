import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import {
  PROTOCOL_REVISIONS,
  type ProtocolRevision,
  type TargetAddress,
  TargetAddressSchema,
  type TargetName,
  TargetNameSchema,
} from '@misstep/model';
import {
  type CommandInput,
  type CommandOption,
  takePositionals,
  textOption,
  UsageError,
} from './command.ts';
import type { TargetView } from './target-secrets.ts';
import { ask } from './terminal/ask.ts';
import { tell } from './terminal/terminal.ts';
import { visible } from './terminal/visible.ts';

export const CONFIRMATION = {
  yes: { type: 'boolean', text: 'I have read the whole command or URL and allow it.' },
  'trust-read-only': {
    type: 'boolean',
    text: 'Believe the server when it calls a tool read-only: such calls need no confirmation each.',
  },
} as const satisfies Record<string, CommandOption>;

export const ADDRESS_OPTIONS = {
  url: { type: 'string', value: 'URL', text: 'A Streamable HTTP server, instead of a command.' },
  sse: { type: 'boolean', text: 'The URL is of the older HTTP+SSE transport.' },
  cwd: {
    type: 'string',
    value: 'DIR',
    text: 'Working folder of the command; an empty one if not given, this one if the command names a file in it.',
  },
  protocol: {
    type: 'string',
    value: 'REVISION',
    text: `The one revision to speak: ${PROTOCOL_REVISIONS.join(', ')}; auto negotiates.`,
  },
} as const satisfies Record<string, CommandOption>;

export function readName(input: CommandInput): TargetName {
  const [given] = takePositionals(input, 'NAME');
  const name = TargetNameSchema.safeParse(given);
  if (name.success) return name.data;
  throw new UsageError(`NAME: ${name.error.issues[0]?.message ?? 'it cannot be read'}.`);
}

/** Null where the options name none. */
export function readAddress({ afterDashes, options }: CommandInput): TargetAddress | null {
  const url = textOption(options, 'url');
  const cwd = textOption(options, 'cwd');
  const [command, ...args] = afterDashes ?? [];
  if (url !== null && command !== undefined) {
    throw new UsageError('Give either -- COMMAND ARGS... or --url URL.');
  }
  if (options.sse === true && url === null) throw new UsageError('--sse needs --url URL.');
  if (url === null && command === undefined) return null;
  const address = TargetAddressSchema.safeParse(
    url === null
      ? { transport: 'stdio', command, args, cwd: workingFolder(cwd, afterDashes ?? []) }
      : { transport: options.sse === true ? 'sse' : 'streamable-http', url },
  );
  if (address.success) return address.data;
  throw new UsageError(address.error.issues[0]?.message ?? 'The address cannot be read.');
}

/** Undefined where the option isn't given. */
export function readRevision({ options }: CommandInput): ProtocolRevision | 'auto' | undefined {
  const given = textOption(options, 'protocol');
  if (given === null) return undefined;
  const known = [...PROTOCOL_REVISIONS, 'auto' as const].find((each) => each === given);
  if (known !== undefined) return known;
  throw new UsageError(`--protocol: expected auto or one of ${PROTOCOL_REVISIONS.join(', ')}.`);
}

/**
 * A target runs in an empty folder of its own, unless a word of the command is a file as seen
 * from here: then it means that file, so here is where it has to run.
 */
function workingFolder(given: string | null, words: readonly string[]): string | null {
  if (given !== null) return resolve(given);
  const namesFileHere = words.some(
    (word) => !isAbsolute(word) && /[./\\]/.test(word) && existsSync(word),
  );
  return namesFileHere ? process.cwd() : null;
}

/** Confirmed by --yes or by the person at the terminal; otherwise as it was. */
export async function confirm(input: CommandInput, target: TargetView): Promise<TargetView> {
  const { terminal, options, signal } = input;
  const trusts = options['trust-read-only'] === true;
  const { targets } = await input.services();
  if (options.yes !== true) {
    tell(terminal, 'Misstep will start or call exactly this when you send a call:');
    tell(terminal, `  ${visible(target.description)}`);
    if (target.address.transport === 'stdio' && target.address.cwd !== null) {
      tell(terminal, `  in ${visible(target.address.cwd)}`);
    }
    const answer = await ask(terminal, 'Allow it? Type yes: ', signal);
    if (answer !== 'yes') return target;
  }
  return targets.confirm(target.name, target.description, trusts);
}

export function tellIfUnconfirmed(input: CommandInput, target: TargetView): void {
  if (target.confirmedAt !== null) return;
  tell(input.terminal, 'Kept, but not confirmed: nothing can be sent to it yet.');
  tell(input.terminal, `Confirm it with: misstep target confirm ${target.name}`);
}
