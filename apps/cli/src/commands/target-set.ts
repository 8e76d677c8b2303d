import { resolve } from 'node:path';
import type { TargetAddress } from '@misstep/model';
import { type Command, type CommandInput, textOption, UsageError } from '../command.ts';
import {
  ADDRESS_OPTIONS,
  CONFIRMATION,
  confirm,
  readAddress,
  readName,
  readRevision,
  tellIfUnconfirmed,
} from '../target-input.ts';
import { readSecrets, SECRET_OPTIONS, type TargetView } from '../target-secrets.ts';
import { formatTable } from '../terminal/table.ts';
import { writeJson, writeWords } from '../terminal/terminal.ts';
import { visible } from '../terminal/visible.ts';

export const targetSetCommand: Command = {
  name: 'target set',
  summary: 'Change a target: its command or URL, its revision, the values that go to it.',
  usage: 'NAME [-- COMMAND ARGS... | --url URL]',
  options: { ...CONFIRMATION, ...ADDRESS_OPTIONS, ...SECRET_OPTIONS },
  async run(input) {
    const { terminal, json } = input;
    const name = readName(input);
    const { targets } = await input.services();
    const before = await targets.get(name);
    const address = newAddress(input, before);
    const protocolRevision = readRevision(input);
    const secrets = await readSecrets(input);
    if (address === undefined && protocolRevision === undefined && secrets.length === 0) {
      throw new UsageError('Nothing to change is given.');
    }
    const changed = await targets.update(name, { address, protocolRevision, secrets });
    const target = changed.confirmedAt === null ? await confirm(input, changed) : changed;
    if (json) writeJson(terminal, { type: 'target', ...target });
    else writeWords(terminal, `${target.name}: ${visible(target.description)}\n`);
    tellIfUnconfirmed(input, target);
    return 0;
  },
};

export const targetSecretsCommand: Command = {
  name: 'target secrets',
  summary: 'List which values a target has, by name; or forget one.',
  usage: 'NAME',
  options: {
    remove: { type: 'string', value: 'NAME', text: 'Forget this variable or header.' },
  },
  async run(input) {
    const { terminal, json, options } = input;
    const name = readName(input);
    const { targets } = await input.services();
    const removed = textOption(options, 'remove');
    const before = await targets.get(name);
    const kind = before.address.transport === 'stdio' ? 'environment' : 'header';
    const target = removed === null ? before : await targets.removeSecret(name, kind, removed);
    if (json) {
      for (const secret of target.secrets) writeJson(terminal, { type: 'secret', ...secret });
      writeJson(terminal, { type: 'signIn', ...target.signIn });
      return 0;
    }
    const rows = target.secrets.map((secret) => [secret.kind, secret.name, STATES[secret.state]]);
    const { state, authority } = target.signIn;
    const signIn =
      state === 'signedOut' ? [] : [['sign-in', authority ?? '', SIGN_IN_STATES[state]]];
    writeWords(terminal, formatTable([['KIND', 'NAME', 'VALUE'], ...rows, ...signIn]));
    return 0;
  },
};

const STATES: Readonly<Record<TargetView['secrets'][number]['state'], string>> = {
  set: 'set',
  missing: 'missing',
  otherAddress: 'given for another address: give it again',
};

const SIGN_IN_STATES: Readonly<Record<TargetView['signIn']['state'], string>> = {
  signedOut: 'signed out',
  waiting: 'waiting',
  signedIn: 'signed in',
  expired: 'expired: sign in again',
  otherAddress: 'for another address: sign in again',
};

/** Undefined where it stays. A folder alone is for the command that there is. */
function newAddress(input: CommandInput, before: TargetView): TargetAddress | undefined {
  const given = readAddress(input);
  const cwd = textOption(input.options, 'cwd');
  if (given !== null || cwd === null) return given ?? undefined;
  if (before.address.transport !== 'stdio') {
    throw new UsageError('--cwd: a server at a URL has no working folder.');
  }
  return { ...before.address, cwd: resolve(cwd) };
}
