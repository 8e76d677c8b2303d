import { randomBytes } from 'node:crypto';

/**
 * Says on stderr what failed and where, under an id that the answer carries. Never a payload:
 * messages of parsers quote their input, so they are left out.
 */
export function reportFault(error: unknown): string {
  const id = randomBytes(6).toString('hex');
  process.stderr.write(`misstep: fault ${id}: ${describe(error)}\n`);
  return id;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const quotesInput = error instanceof SyntaxError;
  const message = quotesInput ? '' : `: ${error.message.slice(0, 200)}`;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  // A message may hold what a terminal would obey.
  return [`${error.name}${message}`, ...frames]
    .join('\n')
    .replace(/[^\n\x20-\x7e\u00a1-\uffff]/g, '\ufffd');
}
