import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Connection } from './connection.ts';

/** Serves one connection over standard input and output; resolves when the input ends. */
export async function serveStdio(input: Readable, output: Writable): Promise<void> {
  const connection = new Connection((text) => output.write(`${text}\n`));
  const pending = new Set<Promise<void>>();
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const work = connection.receive(line).finally(() => pending.delete(work));
    pending.add(work);
  }
  connection.close();
}
