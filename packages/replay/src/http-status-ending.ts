import { member, nodeText } from '@misstep/json';
import type { ReadFrame } from '@misstep/mcp';
import type { Target } from '@misstep/model';
import type { CallWatch } from './call-watch.ts';
import { type Ending, NOT_SENT, type Phase, UNKNOWN_EFFECT } from './ending-parts.ts';
import { adviseLogin } from './login-advice.ts';

/** What an HTTP status came upon. */
interface StatusFacts {
  readonly phase: Phase;
  readonly watch: CallWatch;
  /** The status in words. */
  readonly detail: string;
  readonly target: Target;
}

/** The ending where the status alone decides: before the call, or for want of a login. */
export function refusalByStatus(
  status: number,
  { phase, watch, detail, target }: StatusFacts,
): Ending | null {
  const login = adviseLogin(status, target);
  const said = saidInBody(watch);
  if (phase !== 'tools/call') {
    const advice = login === '' ? adviceOn(status, phase) : login;
    return {
      outcome: 'handshakeFailed',
      sentence: `The server did not take ${phase === 'endpoint' ? 'the request for its event stream' : phase}: ${detail}.${said} ${NOT_SENT} ${advice}`,
      detail,
    };
  }
  if (login === '') return null;
  return {
    outcome: 'protocolError',
    sentence: `The server refused the call: ${detail}.${said} ${login}`,
    detail,
  };
}

/** The ending where what came over HTTP is no answer of MCP. */
export function endingWithoutAnswer(watch: CallWatch, detail: string): Ending {
  return {
    outcome: 'malformedAnswer',
    sentence: `The server's HTTP answer to the call is no MCP answer: ${detail}.${saidInBody(watch)} ${UNKNOWN_EFFECT} Its body is among the frames.`,
    detail,
  };
}

/** False for JSON that only has a member of that name, as gateways write it: it is no error of JSON-RPC. */
export function isRpcError({ document }: ReadFrame): boolean {
  if (document === null) return false;
  if (member(document, document.root, 'jsonrpc') !== undefined) return true;
  const code = member(document, member(document, document.root, 'error'), 'code');
  return code?.kind === 'number' && /^-?\d+$/.test(nodeText(document, code));
}

/** In a sentence of its own, with a blank before it; '' = the body is empty. */
function saidInBody(watch: CallWatch): string {
  const said = watch.saidInBody();
  return said === '' ? '' : ` Its body says: ${said}${/[.!?]$/.test(said) ? '' : '.'}`;
}

function adviceOn(status: number, phase: Phase): string {
  const said = 'See the HTTP event and the frames for what it said.';
  // MCP, Streamable HTTP, backward compatibility: so does a server answer that has only HTTP+SSE.
  const isOlder = phase === 'initialize' && [400, 404, 405].includes(status);
  return isOlder ? `${said} If it is a server of 2024-11-05, its target needs HTTP+SSE.` : said;
}
