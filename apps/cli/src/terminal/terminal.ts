import type { Readable, Writable } from 'node:stream';

/** Where a command reads and writes; tests bring their own. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly environment: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
}

/** One JSON document on a line of its own. JSON.stringify writes half characters as escapes. */
export function writeJson(terminal: Terminal, value: unknown): void {
  terminal.stdout.write(`${JSON.stringify(value)}\n`);
}

export function writeWords(terminal: Terminal, text: string): void {
  terminal.stdout.write(text);
}

export function tell(terminal: Terminal, line: string): void {
  terminal.stderr.write(`${line}\n`);
}
