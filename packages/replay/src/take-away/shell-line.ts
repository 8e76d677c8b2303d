import { onOneLine } from '@misstep/mcp';
import { fail, ok, type Result } from '@misstep/model';
import { framesOf } from './opening-frames.ts';
import { commentLines, shellQuote } from './shell-quote.ts';
import type { CheckedCall, TakeAway } from './take-away.ts';

/** How long standard input stays open: many servers end with it, their answer unwritten. */
const OPEN_SECONDS = 10;

/** The exact frames piped into the server's command. */
export function shellLine(call: CheckedCall): Result<TakeAway, string> {
  const { address, tool } = call;
  if (address.transport !== 'stdio') {
    const other = address.transport === 'sse' ? 'a Node test or for pytest' : 'curl';
    return fail(
      `A shell line starts a command, and this target is a URL: take it away as ${other}.`,
    );
  }
  const { initialize, initialized, call: frame } = framesOf(call);
  const words = [address.command, ...address.args].map(shellQuote).join(' ');
  const server = address.cwd === null ? words : `(cd -- ${shellQuote(address.cwd)} && ${words})`;
  const notes = [
    ...call.notes,
    `Standard input stays open for ${OPEN_SECONDS} s, for the server may end with it.`,
    'The server inherits your whole environment; Misstep passes on little of it.',
    ...(call.argumentsText === onOneLine(call.argumentsText)
      ? []
      : ['Line breaks in the arguments are blanks: a stdio message is one line.']),
  ];
  const guards = call.needed.environment
    .filter(({ name }) => /^[A-Za-z_]\w*$/.test(name))
    .map(({ name }) => `: "\${${name}?set ${name} and export it}"\n`)
    .join('');
  const frames = [initialize, initialized, frame].map((text) => `  ${shellQuote(text)}`);
  const text = `${commentLines('#', [`One call of ${tool}: the answer with "id":1.`, ...notes])}${guards}{ printf '%s\\n' \\
${frames.join(' \\\n')}
sleep ${OPEN_SECONDS}; } | ${server}
`;
  return ok({ fileName: 'call.sh', text, notes });
}
