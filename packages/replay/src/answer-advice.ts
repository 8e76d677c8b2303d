import { member, nodeText } from '@misstep/json';
import { type ReadFrame, readRpcError } from '@misstep/mcp';
import type { Target } from '@misstep/model';

/** In characters; what a server says about a login, it says early. */
const READ_WORDS = 16_384;
const ABOUT_LOGIN =
  /\b(?:expired?|unauthori[sz]ed|unauthenticated|authenticat\w*|forbidden|credentials?|log-?ins?|sign-?ins?|api[ _-]?keys?|keys?|tokens?|passwords?|401|403)\b/i;

/** By JSON-RPC's own codes: what a caller can do where the server did not carry the request out. */
const BY_CODE: ReadonlyMap<string, string> = new Map([
  [
    '-32602',
    'It takes the tool or its arguments for wrong: hold the arguments against the tool’s schema (the check at the editor, or `misstep schema`), correct them and send it again.',
  ],
  [
    '-32601',
    'It says that it has no such method or tool: see its tools/list among the frames for what it has.',
  ],
  ['-32600', 'It takes the request for no valid one: see the frame that was sent.'],
  ['-32700', 'It could not read the request as JSON: see the frame that was sent.'],
]);

/**
 * What a person can do after an answer that is an error or a result with `isError`, in whole
 * sentences; none where nothing is known. It never says that a login is the cause: only what to do
 * where it is.
 */
export function adviseOnAnswer(frame: ReadFrame, target: Target): string[] {
  const { document, head } = frame;
  if (document === null) return [];
  const isRefusal = head.kind === 'error';
  const result = member(document, document.root, 'result');
  const isError = member(document, result, 'isError');
  if (!isRefusal && !(isError?.kind === 'literal' && isError.value === true)) return [];
  const failure = isRefusal
    ? member(document, document.root, 'error')
    : member(document, result, 'content');
  const words = failure === undefined ? '' : nodeText(document, failure).slice(0, READ_WORDS);
  return [
    isRefusal ? BY_CODE.get(readRpcError(frame).code) : undefined,
    ABOUT_LOGIN.test(words) ? adviseOnSecrets(target) : undefined,
  ].filter((sentence) => sentence !== undefined);
}

function adviseOnSecrets({ name, address, settings }: Target): string {
  const isProcess = address.transport === 'stdio';
  const names = isProcess ? settings.environmentNames : settings.headerNames;
  const option = isProcess ? '--env' : '--header';
  const [first] = names;
  if (!isProcess && settings.usesOAuth) {
    return `If it speaks of the login that this target sends, sign in again on the servers screen or with: misstep target sign-in ${name}`;
  }
  if (first === undefined) {
    return isProcess
      ? 'If it speaks of a key that this target should give, the target gives none: add it on the servers screen.'
      : `If it speaks of a login, this target sends none: sign in on the servers screen or with: misstep target sign-in ${name}`;
  }
  return `If it speaks of what this target gives (${names.join(', ')}), give it anew on the servers screen or with: misstep target set ${name} ${option} ${first}`;
}
