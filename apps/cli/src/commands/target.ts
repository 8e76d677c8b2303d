import { type Command, takePositionals, UsageError } from '../command.ts';
import {
  ADDRESS_OPTIONS,
  CONFIRMATION,
  confirm,
  readAddress,
  readName,
  readRevision,
  tellIfUnconfirmed,
} from '../target-input.ts';
import { readSecrets, SECRET_OPTIONS } from '../target-secrets.ts';
import { formatTable } from '../terminal/table.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';
import { visible } from '../terminal/visible.ts';

export const targetAddCommand: Command = {
  name: 'target add',
  summary: 'Configure an MCP server to send calls to. Nothing is started.',
  usage: 'NAME (-- COMMAND ARGS... | --url URL)',
  options: { ...CONFIRMATION, ...ADDRESS_OPTIONS, ...SECRET_OPTIONS },
  async run(input) {
    const { terminal, json } = input;
    const name = readName(input);
    const address = readAddress(input);
    if (address === null) throw new UsageError('Give either -- COMMAND ARGS... or --url URL.');
    const protocolRevision = readRevision(input);
    const secrets = await readSecrets(input);
    const { targets } = await input.services();
    const added = await targets.add(name, address, { protocolRevision, secrets });
    const target = await confirm(input, added);
    if (json) writeJson(terminal, { type: 'target', ...target });
    else writeWords(terminal, `${target.name}: ${visible(target.description)}\n`);
    tellIfUnconfirmed(input, target);
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
    const { targets } = await input.services();
    const known = await targets.get(name);
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
  summary:
    'Forget a target and its secrets, and have the tokens of its sign-in revoked. Its replays stay.',
  usage: 'NAME',
  options: {},
  async run(input) {
    const name = readName(input);
    const { removed, revocation } = await (await input.services()).targets.remove(name);
    if (input.json) writeJson(input.terminal, { type: 'targetRemoved', name, removed, revocation });
    else writeWords(input.terminal, `${name} is removed.\n`);
    if (revocation !== null) tell(input.terminal, visible(revocation.sentence));
    return 0;
  },
};
