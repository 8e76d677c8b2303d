import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'misstep-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

class Catcher extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(Buffer.from(chunk));
    done();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

export interface Finished {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
  readonly outBytes: Buffer;
  /** Standard output as JSON documents, one a line. */
  readonly documents: () => Record<string, unknown>[];
}

/** Runs a command line in this process, with streams of its own and no terminal. */
export async function misstep(
  dataFolder: string,
  words: readonly string[],
  stdin: string | Uint8Array = '',
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const stdout = new Catcher();
  const stderr = new Catcher();
  const exitCode = await runCommandLine(
    words,
    {
      stdin: Readable.from(stdin.length === 0 ? [] : [Buffer.from(stdin)]),
      stdout,
      stderr,
      environment: { MISSTEP_DATA: dataFolder, CI: '1', ...environment },
      platform: process.platform,
    },
    new AbortController().signal,
  );
  const out = stdout.bytes.toString();
  return {
    exitCode,
    out,
    err: stderr.bytes.toString(),
    outBytes: stdout.bytes,
    documents: () =>
      out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

/** A wire recording of some calls of one tool, one a second. */
export function recordingOf(calls: readonly { args: string; result: string }[]): string {
  const lines = calls.flatMap(({ args, result }, index) => {
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 5, 10, 0, index, ms)).toISOString();
    const id = index + 1;
    return [
      `{"ts":"${at(0)}","dir":"send","msg":{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"find_parcel","arguments":${args}}}}`,
      `{"ts":"${at(250)}","dir":"recv","msg":{"jsonrpc":"2.0","id":${id},"result":${result}}}`,
    ];
  });
  return lines.map((line) => `${line}\n`).join('');
}
