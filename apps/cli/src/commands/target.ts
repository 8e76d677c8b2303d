import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { type TargetAddress, TargetAddressSchema, TargetNameSchema } from '@misstep/model';
import type { Services } from '@misstep/server';
import {
  type Command,
  type CommandInput,
  takePositionals,
  textOption,
  UsageError,
} from '../command.ts';
import { ask } from '../terminal/ask.ts';
import { formatTable } from '../terminal/table.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';
import { visible } from '../terminal/visible.ts';

type TargetView = Awaited<ReturnType<Services['targets']['list']>>[number];

const CONFIRMATION = {
  yes: { type: 'boolean', text: 'I have read the whole command or URL and allow it.' },
  'trust-read-only': {
    type: 'boolean',
    text: 'Believe the server when it calls a tool read-only: such calls need no confirmation each.',
  },
} as const;

export const targetAddCommand: Command = {
  name: 'target add',
  summary: 'Configure an MCP server to send calls to. Nothing is started.',
  usage: 'NAME (-- COMMAND ARGS... | --url URL)',
  options: {
    ...CONFIRMATION,
    url: { type: 'string', value: 'URL', text: 'A Streamable HTTP server, instead of a command.' },
    cwd: {
      type: 'string',
      value: 'DIR',
      text: 'Working folder of the command; an empty one if not given, this one if the command names a file in it.',
    },
  },
  async run(input) {
    const { terminal, json } = input;
    const name = readName(input);
    const address = readAddress(input);
    const { targets } = await input.services();
    const added = await targets.add(name, address);
    const target = await confirm(input, added);
    if (json) writeJson(terminal, { type: 'target', ...target });
    else writeWords(terminal, `${target.name}: ${visible(target.description)}\n`);
    if (target.confirmedAt === null) {
      tell(terminal, 'Kept, but not confirmed: nothing can be sent to it yet.');
      tell(terminal, `Confirm it with: misstep target confirm ${name}`);
    }
    return 0;
  },
};

export const targetConfirmCommand: Command = {
  name: 'target confirm',
  summary: 'Allow a target’s command or URL, having read it whole.',
  usage: 'NAME',
  options: CONFIRMATION,
  async run(input) {
    const { terminal, json } = input;
    const name = readName(input);
    const { targets, store } = await input.services();
    await store.getTarget(name);
    const known = (await targets.list()).find((target) => target.name === name);
    if (known === undefined) return 1;
    const target = await confirm(input, known);
    const done = input.options.yes === true || target !== known;
    if (!done) {
      tell(terminal, 'Not confirmed. Confirm on a terminal, or with --yes.');
      return 1;
    }
    if (json) writeJson(terminal, { type: 'target', ...target });
    else writeWords(terminal, `${name} is confirmed.\n`);
    return 0;
  },
};

export const targetListCommand: Command = {
  name: 'target list',
  summary: 'List the targets.',
  usage: '',
  options: {},
  async run(input) {
    const { terminal, json } = input;
    takePositionals(input);
    const list = await (await input.services()).targets.list();
    if (json) {
      for (const target of list) writeJson(terminal, { type: 'target', ...target });
      return 0;
    }
    const rows = list.map((target) => [
      target.name,
      target.confirmedAt === null ? 'not confirmed' : 'confirmed',
      target.address.transport,
      target.description,
    ]);
    writeWords(terminal, formatTable([['NAME', 'STATE', 'TRANSPORT', 'COMMAND OR URL'], ...rows]));
    return 0;
  },
};

export const targetRemoveCommand: Command = {
  name: 'target remove',
  summary: 'Forget a target. Its replays stay.',
  usage: 'NAME',
  options: {},
  async run(input) {
    const name = readName(input);
    const { removed } = await (await input.services()).targets.remove(name);
    if (input.json) writeJson(input.terminal, { type: 'targetRemoved', name, removed });
    else writeWords(input.terminal, `${name} is removed.\n`);
    return 0;
  },
};

function readName(input: CommandInput) {
  const [given] = takePositionals(input, 'NAME');
  const name = TargetNameSchema.safeParse(given);
  if (name.success) return name.data;
  throw new UsageError(`NAME: ${name.error.issues[0]?.message ?? 'it cannot be read'}.`);
}

function readAddress({ afterDashes, options }: CommandInput): TargetAddress {
  const url = textOption(options, 'url');
  const cwd = textOption(options, 'cwd');
  const [command, ...args] = afterDashes ?? [];
  if ((url === null) === (command === undefined)) {
    throw new UsageError('Give either -- COMMAND ARGS... or --url URL.');
  }
  const address = TargetAddressSchema.safeParse(
    url === null
      ? { transport: 'stdio', command, args, cwd: workingFolder(cwd, afterDashes ?? []) }
      : { transport: 'streamable-http', url },
  );
  if (address.success) return address.data;
  throw new UsageError(address.error.issues[0]?.message ?? 'The address cannot be read.');
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
async function confirm(input: CommandInput, target: TargetView): Promise<TargetView> {
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
