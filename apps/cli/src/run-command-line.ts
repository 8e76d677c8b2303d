import { parseArgs } from 'node:util';
import {
  chooseDataFolder,
  explainError,
  openServices,
  readVersion,
  type Services,
} from '@misstep/server';
import { Activity } from './activity.ts';
import {
  type Command,
  type CommandOption,
  type OptionValues,
  textOption,
  UsageError,
} from './command.ts';
import { commands } from './commands/index.ts';
import {
  COMMON_OPTIONS,
  findCommand,
  helpOf,
  helpOfAll,
  helpOfGroup,
  splitCommonOptions,
} from './help.ts';
import { type Terminal, tell, writeJson, writeWords } from './terminal/terminal.ts';
import { visible } from './terminal/visible.ts';

/** Runs one command line (without the program's name) and gives its exit code. */
export async function runCommandLine(
  words: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
  activity: Activity = new Activity(),
): Promise<number> {
  const { common, rest } = splitCommonOptions(words);
  const [first] = rest;
  if (first === '--version') {
    writeWords(terminal, `${readVersion()}\n`);
    return 0;
  }
  if (first === 'help' || (first === undefined && common.includes('--help'))) {
    writeWords(terminal, helpOfAll(commands));
    return 0;
  }
  if (words.length === 0) {
    tell(terminal, helpOfAll(commands).trimEnd());
    return 2;
  }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  // A word that is a command by itself has a help of its own.
  const isCommand = commands.some(({ name }) => name === first);
  if (
    group.length > 0 &&
    !isCommand &&
    (rest[1] === '--help' || (rest.length === 1 && common.includes('--help')))
  ) {
    writeWords(terminal, helpOfGroup(group));
    return 0;
  }
  let command: Command | null = null;
  try {
    const found = findCommand(commands, rest);
    command = found.command;
    const { name } = command;
    activity.is(() => `misstep ${name}`);
    return await runCommand(command, [...common, ...found.rest], terminal, signal, activity);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    tellUsageError(terminal, words, command, error);
    return 2;
  }
}

function tellUsageError(
  terminal: Terminal,
  words: readonly string[],
  command: Command | null,
  { message, usage }: UsageError,
): void {
  const hint = `See: misstep ${command === null ? '' : `${command.name} `}--help`;
  const dashes = words.indexOf('--');
  // The options could not be read, so the word itself has to do.
  if ((dashes < 0 ? words : words.slice(0, dashes)).includes('--json')) {
    writeJson(terminal, { error: { code: 'REQUEST_INVALID', message, hint, details: {} } });
  }
  tell(terminal, `misstep: ${visible(message)}`);
  tell(terminal, usage ?? hint);
}

async function runCommand(
  command: Command,
  words: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
  activity: Activity,
): Promise<number> {
  const { options, positionals, afterDashes } = readWords(command, words);
  if (options.help === true) {
    writeWords(terminal, helpOf(command));
    return 0;
  }
  const takesCommand = command.name === 'target add' || command.name === 'target set';
  if (!takesCommand && afterDashes !== null) positionals.push(...afterDashes);
  const json = options.json === true;
  let opened: Promise<Services> | null = null;
  const services = () => {
    opened ??= openServices({
      dataFolder: chooseDataFolder(
        textOption(options, 'data') ?? undefined,
        terminal.environment,
        terminal.platform,
      ),
      onLog: (line) => tell(terminal, visible(line)),
    });
    return opened;
  };
  try {
    return await command.run({
      terminal,
      positionals,
      afterDashes,
      options,
      json,
      signal,
      activity,
      services,
    });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const explained = explainError(signal.aborted ? signal.reason : error);
    const { code, message, details } = explained;
    const hint = signal.aborted ? (AFTER_A_STOP[command.name] ?? '') : explained.hint;
    if (json) writeJson(terminal, { error: { code, message, hint, details } });
    // A refusal's sentence says what to do by itself; here also by which option.
    const refusedFor =
      code === 'REPLAY_REFUSED' ? (OPTION_HINTS[String(details.reason)] ?? '') : hint;
    const words = refusedFor === '' ? message : `${message} ${refusedFor}`;
    tell(terminal, `misstep: ${visible(words)}`);
    return 1;
  } finally {
    await closeQuietly(opened);
  }
}

/** What became of the work of a command that was stopped. */
const AFTER_A_STOP: Readonly<Record<string, string>> = {
  import: 'What it told of is imported; the same command goes on from there.',
};

/** By which option a refusal is answered; the other refusals are answered by what was given. */
const OPTION_HINTS: Readonly<Record<string, string>> = {
  notConfirmed: 'Here: --yes, or a target with --trust-read-only.',
  toolLeftOut: 'Here: --left-out.',
};

function readWords(command: Command, words: readonly string[]) {
  const at = words.indexOf('--');
  const own = at < 0 ? words : words.slice(0, at);
  const options = Object.fromEntries(
    Object.entries<CommandOption>({ ...command.options, ...COMMON_OPTIONS }).map(
      ([name, { type, multiple = false }]) => [name, { type, multiple }],
    ),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...own],
      options,
      allowPositionals: true,
      strict: true,
    });
    return {
      // Of the options that are declared `multiple` all are strings, so there are no other lists.
      options: values as OptionValues,
      positionals,
      afterDashes: at < 0 ? null : words.slice(at + 1),
    };
  } catch (error) {
    throw new UsageError(optionTrouble(error));
  }
}

/** Node's sentences speak to who writes a program; the first says what is wrong. */
function optionTrouble(error: unknown): string {
  if (!(error instanceof Error)) return 'The options cannot be read.';
  const [first = ''] = error.message.split(/\. (?=To specify|Did you forget)/);
  const [line = ''] = first.split('\n');
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** `serve` closes what it opened itself; closing twice does no harm. */
async function closeQuietly(opened: Promise<Services> | null): Promise<void> {
  const services = await opened?.catch(() => null);
  await services?.close();
}
