import { parseArgs } from 'node:util';
import {
  chooseDataFolder,
  explainError,
  openServices,
  readVersion,
  type Services,
} from '@misstep/server';
import { type Command, textOption, UsageError } from './command.ts';
import { commands } from './commands/index.ts';
import { COMMON_OPTIONS, findCommand, helpOf, helpOfAll } from './help.ts';
import { type Terminal, tell, writeJson, writeWords } from './terminal/terminal.ts';
import { visible } from './terminal/visible.ts';

/** Runs one command line (without the program's name) and gives its exit code. */
export async function runCommandLine(
  words: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const [first] = words;
  if (first === '--version') {
    writeWords(terminal, `${readVersion()}\n`);
    return 0;
  }
  if (first === '--help' || first === 'help') {
    writeWords(terminal, helpOfAll(commands));
    return 0;
  }
  if (first === undefined) {
    tell(terminal, helpOfAll(commands).trimEnd());
    return 2;
  }
  let command: Command | null = null;
  try {
    const found = findCommand(commands, words);
    command = found.command;
    return await runCommand(command, found.rest, terminal, signal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    tell(terminal, `misstep: ${visible(error.message)}`);
    const name = command === null ? '' : `${command.name} `;
    tell(terminal, `See: misstep ${name}--help`);
    return 2;
  }
}

async function runCommand(
  command: Command,
  words: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { options, positionals, afterDashes } = readWords(command, words);
  if (options.help === true) {
    writeWords(terminal, helpOf(command));
    return 0;
  }
  if (command.name !== 'target add' && afterDashes !== null) positionals.push(...afterDashes);
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
      services,
    });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const explained = explainError(signal.aborted ? signal.reason : error);
    const { code, message, hint, details } = explained;
    if (json) writeJson(terminal, { error: { code, message, hint, details } });
    tell(terminal, `misstep: ${visible(message)} ${visible(hint)}`);
    return 1;
  } finally {
    await closeQuietly(opened);
  }
}

function readWords(command: Command, words: readonly string[]) {
  const at = words.indexOf('--');
  const own = at < 0 ? words : words.slice(0, at);
  const options = Object.fromEntries(
    Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(([name, { type }]) => [
      name,
      { type },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...own],
      options,
      allowPositionals: true,
      strict: true,
    });
    return {
      // No option is declared `multiple`, so there are no lists.
      options: values as Record<string, string | boolean | undefined>,
      positionals,
      afterDashes: at < 0 ? null : words.slice(at + 1),
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options cannot be read.');
  }
}

/** `serve` closes what it opened itself; closing twice does no harm. */
async function closeQuietly(opened: Promise<Services> | null): Promise<void> {
  const services = await opened?.catch(() => null);
  await services?.close();
}
