import { fail, ok, type Result } from '@misstep/model';
import { framesOf, revisionOf } from './opening-frames.ts';
import { commentLines, shellQuote } from './shell-quote.ts';
import type { CheckedCall, TakeAway } from './take-away.ts';

/**
 * A shell script with one curl for each message (MCP 2025-11-25, transports, Streamable HTTP). The
 * bodies go through standard input: an argument of a program has a largest size, a builtin's hasn't.
 */
export function curlScript(call: CheckedCall): Result<TakeAway, string> {
  const { address, tool } = call;
  if (address.transport !== 'streamable-http') {
    return fail(
      address.transport === 'sse'
        ? 'HTTP+SSE answers on another stream than the request’s: take the call away as a Node test or for pytest.'
        : 'curl speaks HTTP, and this target is a command: take it away as a shell line.',
    );
  }
  const { initialize, initialized, call: frame } = framesOf(call);
  const { notes } = call;
  const revision = shellQuote(`MCP-Protocol-Version: ${revisionOf(call)}`);
  const headers = call.needed.headers
    .map(({ name, placeholder }) => `    -H ${shellQuote(`${name}: ${placeholder}`)} \\\n`)
    .join('');
  const text = `#!/bin/sh
${commentLines('#', [`One call of ${tool}. The last answer is the call's.`, ...notes])}set -eu
url=${shellQuote(address.url)}
headers=$(mktemp)
trap 'rm -f "$headers"' EXIT
session=''
post() {
  curl -sS -g -N --dump-header "$headers" \\
    -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\
${headers}    "$@" \${session:+-H} \${session:+"Mcp-Session-Id: $session"} --data-binary @- "$url"
  echo
}

printf '%s' ${shellQuote(initialize)} | post
session=$(tr -d '\\r' < "$headers" | sed -n 's/^[Mm][Cc][Pp]-[Ss][Ee][Ss][Ss][Ii][Oo][Nn]-[Ii][Dd]: *//p' | head -n 1)

printf '%s' ${shellQuote(initialized)} | post -H ${revision}

printf '%s' ${shellQuote(frame)} | post -H ${revision}
`;
  return ok({ fileName: 'call.sh', text, notes });
}
