import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type TargetName, TargetNameSchema } from '@misstep/model';
import { type CommandOption, UsageError } from './command.ts';
import { fileTrouble } from './file-trouble.ts';
import { visible } from './terminal/visible.ts';

/** Options that every command which deals with a call reads in the same way. */
export const DEFAULT_TIMEOUT_MS = 60_000;

export const LEFT_OUT: CommandOption = {
  type: 'boolean',
  text: 'Call the tool also where a conforming client would leave it out of the server’s list.',
};

/** The name of a target; a usage error where it is missing or none. */
export function readTargetName(given: string | null): TargetName {
  if (given === null) throw new UsageError('--target is missing.');
  const name = TargetNameSchema.safeParse(given);
  if (name.success) return name.data;
  throw new UsageError(`--target: ${name.error.issues[0]?.message ?? 'it cannot be read'}.`);
}

/** Milliseconds. */
export function readTimeout(given: string | null): number {
  if (given === null) return DEFAULT_TIMEOUT_MS;
  const timeoutMs = Number(given);
  if (/^\d{1,6}$/.test(given) && timeoutMs >= 100 && timeoutMs <= 600_000) return timeoutMs;
  throw new UsageError('--timeout must be a number from 100 to 600000.');
}

/** The bytes as they are, but for the line break that editors put at the end of a file. */
export async function readArguments(file: string, stdin: Readable): Promise<string> {
  const bytes = file === '-' ? await readAll(stdin) : await readArgumentsFile(file);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.replace(/\r?\n$/, '');
  } catch {
    throw new UsageError('--arguments: the bytes are not UTF-8.');
  }
}

async function readArgumentsFile(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageError(`--arguments: ${visible(file)} cannot be read (${fileTrouble(error)}).`);
  }
}

async function readAll(stdin: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
