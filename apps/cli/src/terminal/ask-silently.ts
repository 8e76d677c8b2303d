import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Terminal } from './terminal.ts';

/** What the person types, without showing it; null where nobody can be asked. */
export async function askSilently(
  terminal: Terminal,
  question: string,
  signal: AbortSignal,
): Promise<string | null> {
  if (terminal.stdin.isTTY !== true || terminal.stderr.isTTY !== true) return null;
  terminal.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({
    input: terminal.stdin,
    output: nowhere,
    terminal: true,
    historySize: 0,
  });
  // The terminal doesn't make a signal of Ctrl-C while it shows nothing.
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await reader.question('', { signal });
  } finally {
    reader.close();
    terminal.stderr.write('\n');
  }
}
