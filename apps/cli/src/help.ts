import { type Command, type CommandOption, UsageError } from './command.ts';

/** Options that every command takes. */
export const COMMON_OPTIONS: Readonly<Record<string, CommandOption>> = {
  data: {
    type: 'string',
    value: 'DIR',
    text: 'Data folder; else MISSTEP_DATA, else ~/.misstep (%LOCALAPPDATA%\\misstep on Windows).',
  },
  json: {
    type: 'boolean',
    text: 'One JSON document a line on standard output, and nothing else there.',
  },
  help: { type: 'boolean', text: 'Show this.' },
};

export function helpOf(command: Command): string {
  const usage = ['misstep', command.name, command.usage, '[OPTIONS]']
    .filter((word) => word !== '')
    .join(' ');
  const options = { ...command.options, ...COMMON_OPTIONS };
  const names = Object.entries(options).map(([name, { value }]) =>
    value === undefined ? `--${name}` : `--${name} ${value}`,
  );
  const width = Math.max(...names.map((name) => name.length));
  const lines = Object.values(options).map(
    ({ text }, index) => `  ${(names[index] ?? '').padEnd(width)}  ${text}`,
  );
  return `Usage: ${usage}\n\n${command.summary}\n\nOptions:\n${lines.join('\n')}\n`;
}

export function helpOfAll(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'Usage: misstep COMMAND [OPTIONS]',
    '',
    'Read the record of a bad agent run, mark the first wrong step, send one recorded call again.',
    '',
    'Commands:',
    ...lines,
    '',
    '`misstep COMMAND --help` lists the options of a command, `misstep --version` tells the version.',
    'Exit code 0: done. 1: the work failed. 2: the command line is wrong.',
    '',
  ].join('\n');
}

/** The command that the words begin with, and the words after its name. */
export function findCommand(
  commands: readonly Command[],
  words: readonly string[],
): { command: Command; rest: readonly string[] } {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ');
    const command = commands.find((each) => each.name === name);
    if (command !== undefined) return { command, rest: words.slice(count) };
  }
  const [first = '', second = ''] = words;
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0) {
    const message =
      second === '' || second.startsWith('-')
        ? `${first} needs a second word.`
        : `There is no command "${first} ${second}".`;
    throw new UsageError(message, helpOfGroup(group).trimEnd());
  }
  throw new UsageError(first === '' ? 'COMMAND is missing.' : `There is no command "${first}".`);
}

/** Of the commands that begin with the same word. */
export function helpOfGroup(group: readonly Command[]): string {
  const width = Math.max(...group.map(({ name, usage }) => `${name} ${usage}`.length));
  return group
    .map(({ name, usage, summary }, index) => {
      const head = index === 0 ? 'Usage:' : '      ';
      return `${head} misstep ${`${name} ${usage}`.padEnd(width)}  ${summary}\n`;
    })
    .join('');
}

/** Options that every command takes may stand before it, too: they are taken from there. */
export function splitCommonOptions(words: readonly string[]): {
  common: readonly string[];
  rest: readonly string[];
} {
  let count = 0;
  for (let word = words[0]; word?.startsWith('--') === true; word = words[count]) {
    const [name = ''] = word.slice(2).split('=', 1);
    const option = COMMON_OPTIONS[name];
    if (option === undefined) break;
    count += option.type === 'string' && !word.includes('=') ? 2 : 1;
  }
  return { common: words.slice(0, count), rest: words.slice(count) };
}
