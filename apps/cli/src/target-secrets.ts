import type { Readable } from 'node:stream';
import type { Services } from '@misstep/server';
import { type CommandInput, type CommandOption, textOptions, UsageError } from './command.ts';
import { askSilently } from './terminal/ask-silently.ts';
import { tell } from './terminal/terminal.ts';
import { visible } from './terminal/visible.ts';

export type TargetView = Awaited<ReturnType<Services['targets']['list']>>[number];
export type GivenSecret = NonNullable<
  NonNullable<Parameters<Services['targets']['update']>[1]>['secrets']
>[number];

/** How values are given that must not stand on a command line, where a shell keeps them. */
export const SECRET_OPTIONS = {
  env: {
    type: 'string',
    value: 'NAME',
    multiple: true,
    text: 'Environment variable for the command, its value taken from the one you run this with, else asked for. May be given several times.',
  },
  header: {
    type: 'string',
    value: 'NAME',
    multiple: true,
    text: 'Header for every HTTP request, its value asked for. May be given several times.',
  },
  bearer: {
    type: 'boolean',
    text: 'Ask for a bearer token, sent as the header Authorization.',
  },
  'secrets-stdin': {
    type: 'boolean',
    text: 'Read values from standard input: {"environment":{NAME:VALUE},"headers":{NAME:VALUE},"bearer":TOKEN}.',
  },
} as const satisfies Record<string, CommandOption>;

interface StdinSecrets {
  readonly environment: ReadonlyMap<string, string>;
  readonly headers: ReadonlyMap<string, string>;
  readonly bearer: string | null;
}

const NONE: StdinSecrets = { environment: new Map(), headers: new Map(), bearer: null };
const MAX_STDIN_BYTES = 8_388_608;

/**
 * The secrets that the options name. A name whose value nobody gives is kept without one, and that
 * is said: until it has one nothing is sent.
 */
export async function readSecrets(input: CommandInput): Promise<GivenSecret[]> {
  const { options, terminal } = input;
  const piped = options['secrets-stdin'] === true ? await readStdin(terminal.stdin) : NONE;
  const secrets: GivenSecret[] = [];
  for (const name of distinct(textOptions(options, 'env'), piped.environment)) {
    refuseValue('--env', name);
    const own = terminal.environment[name];
    const value = piped.environment.get(name) ?? own ?? (await askFor(input, name));
    if (value === own && own !== undefined) {
      tell(terminal, `${visible(name)}: the value of this environment is taken.`);
    }
    secrets.push({ kind: 'environment', name, value });
  }
  for (const name of distinct(textOptions(options, 'header'), piped.headers)) {
    refuseValue('--header', name);
    secrets.push({
      kind: 'header',
      name,
      value: piped.headers.get(name) ?? (await askFor(input, name)),
    });
  }
  if (options.bearer === true || piped.bearer !== null) {
    const token = piped.bearer ?? (await askFor(input, 'bearer token'));
    secrets.push({
      kind: 'header',
      name: 'Authorization',
      value: token === null ? null : `Bearer ${token}`,
    });
  }
  for (const { name, value } of secrets) {
    if (value === null) tell(terminal, `${visible(name)} has no value yet: nothing can be sent.`);
  }
  return secrets;
}

/** The secret of an OAuth client, which never stands on a command line; null = none was named. */
export async function readClientSecret(input: CommandInput): Promise<string | null> {
  const { options, terminal } = input;
  if (options['secrets-stdin'] === true) {
    const members = await readStdinObject(terminal.stdin, ['clientSecret']);
    const given = members.get('clientSecret') ?? null;
    if (given === null || (typeof given === 'string' && given !== '')) return given;
    throw new UsageError('--secrets-stdin: "clientSecret" is no text.');
  }
  if (options['client-secret'] !== true) return null;
  const own = terminal.environment[CLIENT_SECRET_VARIABLE];
  if (own !== undefined && own !== '') return own;
  const typed = await askFor(input, 'client secret');
  if (typed === null) throw new UsageError('--client-secret: no secret was given.');
  return typed;
}

const CLIENT_SECRET_VARIABLE = 'MISSTEP_CLIENT_SECRET';

async function askFor({ terminal, signal }: CommandInput, name: string): Promise<string | null> {
  const typed = await askSilently(terminal, `Value of ${visible(name)} (not shown): `, signal);
  return typed === '' ? null : typed;
}

function distinct(named: readonly string[], piped: ReadonlyMap<string, string>): string[] {
  return [...new Set([...named, ...piped.keys()])];
}

function refuseValue(option: string, name: string): void {
  const at = name.search(/[=:]/);
  if (at <= 0) return;
  throw new UsageError(
    `${option} ${visible(name.slice(0, at))}: give the name alone, as a value would stand in the shell's history. It is asked for, or read with --secrets-stdin.`,
  );
}

async function readStdin(stdin: Readable): Promise<StdinSecrets> {
  const members = await readStdinObject(stdin, ['environment', 'headers', 'bearer']);
  const bearer = members.get('bearer') ?? null;
  if (bearer !== null && typeof bearer !== 'string') {
    throw new UsageError('--secrets-stdin: "bearer" is no text.');
  }
  return {
    environment: readValues(members.get('environment'), 'environment'),
    headers: readValues(members.get('headers'), 'headers'),
    bearer,
  };
}

async function readStdinObject(
  stdin: Readable,
  known: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk));
    sizeBytes += chunks.at(-1)?.length ?? 0;
    if (sizeBytes > MAX_STDIN_BYTES) throw new UsageError('--secrets-stdin: that is too long.');
  }
  let data: unknown;
  try {
    data = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    // The parser's own message quotes the text.
    throw new UsageError('--secrets-stdin: standard input is no JSON.');
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new UsageError('--secrets-stdin: expected an object.');
  }
  const members = new Map<string, unknown>(Object.entries(data));
  for (const key of members.keys()) {
    if (!known.includes(key)) {
      throw new UsageError(`--secrets-stdin: "${visible(key)}" is not known.`);
    }
  }
  return members;
}

function readValues(data: unknown, key: string): ReadonlyMap<string, string> {
  if (data === undefined) return new Map();
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new UsageError(`--secrets-stdin: "${key}" is no object.`);
  }
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(data)) {
    if (typeof value !== 'string') {
      throw new UsageError(`--secrets-stdin: the value of "${visible(name)}" is no text.`);
    }
    values.set(name, value);
  }
  return values;
}
