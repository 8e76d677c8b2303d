import { createInterface } from 'node:readline/promises';
import type { Terminal } from './terminal.ts';

/** The person's answer; null where nobody can be asked. */
export async function ask(
  terminal: Terminal,
  question: string,
  signal: AbortSignal,
): Promise<string | null> {
  if (terminal.stdin.isTTY !== true || terminal.stderr.isTTY !== true) return null;
  // On stderr: stdout is for results.
  const reader = createInterface({ input: terminal.stdin, output: terminal.stderr });
  try {
    return (await reader.question(question, { signal })).trim();
  } finally {
    reader.close();
  }
}
