import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { TargetNameSchema } from '@misstep/model';
import type { Services } from '@misstep/server';
import {
  type Command,
  type CommandInput,
  takePositionals,
  textOption,
  textOptions,
  UsageError,
} from '../command.ts';
import { fileTrouble } from '../file-trouble.ts';
import { confirm, tellIfUnconfirmed } from '../target-input.ts';
import { askSilently } from '../terminal/ask-silently.ts';
import { formatTable } from '../terminal/table.ts';
import { tell, writeJson, writeWords } from '../terminal/terminal.ts';
import { visible } from '../terminal/visible.ts';

type TargetConfig = Awaited<ReturnType<Services['targetConfigs']['read']>>;
type ConfigEntry = TargetConfig['entries'][number];

/** A configuration is a page or two; a user's whole state file may be some megabytes. */
const MAX_FILE_BYTES = 33_554_432;

export const targetImportCommand: Command = {
  name: 'target import',
  summary: 'List the servers of another client’s configuration, or keep some as targets.',
  usage: 'FILE',
  options: {
    entry: {
      type: 'string',
      value: 'KEY',
      multiple: true,
      text: 'Keep this entry, by its key in the file. May be given several times.',
    },
    all: { type: 'boolean', text: 'Keep every entry that can be used and is not disabled.' },
    as: { type: 'string', value: 'NAME', text: 'The target’s name, where one entry is kept.' },
    value: {
      type: 'string',
      value: 'NAME',
      multiple: true,
      text: 'For a placeholder of the file: NAME=VALUE, or NAME alone to be asked for what must not be seen. May be given several times.',
    },
  },
  async run(input) {
    const { terminal, json, options } = input;
    const [file = ''] = takePositionals(input, 'FILE');
    const text = await readText(file);
    const { targetConfigs } = await input.services();
    const config = await targetConfigs.read(text);
    const wanted = textOptions(options, 'entry');
    if (wanted.length === 0 && options.all !== true) {
      if (json)
        for (const entry of config.entries) writeJson(terminal, { type: 'configEntry', ...entry });
      else describeConfig(input, config);
      return 0;
    }
    const picked = pickEntries(input, config, wanted);
    const values = await readPlaceholders(input);
    const added = await targetConfigs.take(resolve(file), text, { picks: picked, values });
    for (const each of added) {
      // Asked one by one: each is a command of its own to read.
      const target = isAsked(input) ? await confirm(input, each) : each;
      if (json) writeJson(terminal, { type: 'target', ...target });
      else writeWords(terminal, `${target.name}: ${visible(target.description)}\n`);
      const missing = target.secrets.filter(({ state }) => state !== 'set').map(({ name }) => name);
      if (missing.length > 0) {
        tell(terminal, `${target.name} needs a value for ${visible(missing.join(', '))}.`);
      }
      tellIfUnconfirmed(input, target);
    }
    return 0;
  },
};

function isAsked({ terminal }: CommandInput): boolean {
  return terminal.stdin.isTTY === true && terminal.stderr.isTTY === true;
}

async function readText(file: string): Promise<string> {
  try {
    const { size } = await stat(file).then((found) => {
      if (!found.isFile()) throw new UsageError(`FILE: ${visible(file)} is no file.`);
      return found;
    });
    if (size > MAX_FILE_BYTES) throw new UsageError(`FILE: ${visible(file)} is too large.`);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof TypeError ? 'not UTF-8' : fileTrouble(error);
    throw new UsageError(`FILE: ${visible(file)} cannot be read (${code}).`);
  }
}

function describeConfig({ terminal }: CommandInput, { entries, issues }: TargetConfig): void {
  for (const entry of entries) {
    const rows = [
      ['command', entry.description ?? 'none that can be used'],
      ...[...entry.environment, ...entry.headers].map(({ name, state }) => [name, STATES[state]]),
      ...entry.placeholders.map(({ name, label, isNeeded }) => [
        `\${${name}}`,
        `${isNeeded ? 'needed: --value' : 'a value can be given: --value'}${label === null ? '' : `, ${label}`}`,
      ]),
      ...entry.issues.map((issue) => ['note', issue]),
    ];
    const disabled = entry.disabled ? ', disabled in the file' : '';
    writeWords(terminal, `${visible(entry.entry)} (${visible(entry.list)}${disabled})\n`);
    const table = formatTable(rows.map(([first = '', last = '']) => [`  ${first}`, last]));
    writeWords(terminal, table);
  }
  for (const issue of issues) tell(terminal, visible(issue));
  tell(terminal, 'Nothing was kept. Keep some with --entry KEY, or --all.');
}

const STATES: Readonly<Record<ConfigEntry['environment'][number]['state'], string>> = {
  inFile: 'value in the file, kept as a secret',
  needsValue: 'needs a value',
  leftOut: 'left out: it steers which code runs',
  refused: 'left out: it can’t be passed on',
};

function pickEntries(
  { terminal, options }: CommandInput,
  { entries }: TargetConfig,
  wanted: readonly string[],
) {
  const chosen =
    options.all === true ? usable(entries) : wanted.map((key) => findEntry(entries, key));
  const as = textOption(options, 'as');
  if (as !== null && chosen.length !== 1) throw new UsageError('--as is for one entry.');
  const skipped = options.all === true ? entries.length - chosen.length : 0;
  if (skipped > 0) tell(terminal, `${skipped} disabled or unusable entries are left out.`);
  if (chosen.length === 0) throw new UsageError('No entry can be kept.');
  return chosen.map(({ index, suggestedName }) => {
    const name = TargetNameSchema.safeParse(as ?? suggestedName);
    if (name.success) return { index, name: name.data };
    throw new UsageError(`--as: ${name.error.issues[0]?.message ?? 'it cannot be read'}.`);
  });
}

function usable(entries: readonly ConfigEntry[]): readonly ConfigEntry[] {
  return entries.filter(({ address, disabled }) => address !== null && !disabled);
}

/** By its key, or by the list's pointer and the key where several lists have it. */
function findEntry(entries: readonly ConfigEntry[], key: string): ConfigEntry {
  const found = entries.filter(({ entry, list }) => entry === key || `${list}/${entry}` === key);
  // Of a key that stands twice in one list clients take the last.
  const lists = new Set(found.map(({ list }) => list));
  const last = found.at(-1);
  if (last === undefined)
    throw new UsageError(`--entry: there is no "${visible(key)}" in the file.`);
  if (lists.size === 1) return last;
  const choices = [...lists].map((list) => `${list}/${key}`).join(' or ');
  throw new UsageError(`--entry: "${visible(key)}" stands in several lists: ${visible(choices)}.`);
}

async function readPlaceholders({ terminal, options, signal }: CommandInput) {
  const values: { name: string; value: string }[] = [];
  for (const given of textOptions(options, 'value')) {
    const at = given.indexOf('=');
    if (at > 0) {
      values.push({ name: given.slice(0, at), value: given.slice(at + 1) });
      continue;
    }
    const own = terminal.environment[given.replace(/^(?:env|input):/, '')];
    const typed =
      own ?? (await askSilently(terminal, `Value of \${${visible(given)}} (not shown): `, signal));
    if (typed !== null && typed !== '') values.push({ name: given, value: typed });
  }
  return values;
}
