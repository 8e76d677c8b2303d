import type { Services } from '@misstep/server';
import type { Activity } from './activity.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface CommandOption {
  readonly type: 'string' | 'boolean';
  /** What stands for the value in the help, e.g. FILE; absent for switches. */
  readonly value?: string;
  /** May be given several times; then its value is a list. */
  readonly multiple?: true;
  readonly text: string;
}

export type OptionValues = Readonly<Record<string, string | boolean | string[] | undefined>>;

export interface CommandInput {
  readonly terminal: Terminal;
  readonly positionals: readonly string[];
  /** What stands after `--`, word for word; null where there is no `--`. */
  readonly afterDashes: readonly string[] | null;
  readonly options: OptionValues;
  readonly json: boolean;
  /** Aborted by Ctrl-C or a request to end. */
  readonly signal: AbortSignal;
  /** To be told what the command is at, where it takes long. */
  readonly activity: Activity;
  /** Opens the data folder at the first call. */
  services(): Promise<Services>;
}

export interface Command {
  /** One word, or two: `target add`. */
  readonly name: string;
  readonly summary: string;
  /** The words after the name. */
  readonly usage: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Exit code: 0 done, 1 the work failed. Usage errors are thrown. */
  run(input: CommandInput): Promise<0 | 1>;
}

/** The command line itself is wrong: exit code 2. */
export class UsageError extends Error {
  /** What to show under the message in place of where to find the help; null = that. */
  readonly usage: string | null;

  constructor(message: string, usage: string | null = null) {
    super(message);
    this.usage = usage;
    this.name = 'UsageError';
  }
}

export function textOption(options: OptionValues, name: string): string | null {
  const value = options[name];
  return typeof value === 'string' ? value : null;
}

/** The values of an option that may be given several times. */
export function textOptions(options: OptionValues, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value : [];
}

/** The positionals by their names; a missing or surplus one is a usage error. */
export function takePositionals(
  input: Pick<CommandInput, 'positionals'>,
  ...names: string[]
): string[] {
  const { positionals } = input;
  if (positionals.length < names.length) {
    throw new UsageError(`${names[positionals.length]} is missing.`);
  }
  if (positionals.length > names.length) {
    throw new UsageError(`"${positionals[names.length]}" is one word too many.`);
  }
  return [...positionals];
}
