import {
  type JsonBytesDocument,
  type JsonNode,
  member,
  nodeText,
  stringValue,
} from '@misstep/json';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import type { ReadFrame } from './describe-frame.ts';
import { shortened } from './shortened.ts';

const LONGEST_MESSAGE = 500;

/** Code (as it is written) and message (on one line) of an error answer, short enough for a sentence. */
export function readRpcError(frame: ReadFrame): { code: string; message: string } {
  const { document } = frame;
  if (document === null) return { code: '?', message: '' };
  const error = member(document, document.root, 'error');
  const code = member(document, error, 'code');
  const message = member(document, error, 'message');
  return {
    code: code === undefined ? 'without a code' : shortened(nodeText(document, code), 40),
    message: messageOf(document, error, message),
  };
}

/** Some servers write a text where JSON-RPC wants an object. */
function messageOf(
  document: JsonBytesDocument,
  error: JsonNode | undefined,
  message: JsonNode | undefined,
): string {
  const said = error?.kind === 'string' ? error : message;
  return said?.kind === 'string' ? shortText(document, said) : '';
}

/** An error answer as half a sentence. */
export function wordRpcError(frame: ReadFrame): string {
  const { code, message } = readRpcError(frame);
  if (message === '') return `it is error ${code}.`;
  return `it is error ${code}: ${message}${/[.!?]$/.test(message) ? '' : '.'}`;
}

/** Why a client can't go on after that answer to initialize (MCP, lifecycle), as half a sentence. */
export function wordUnusableInitialize(frame: ReadFrame): string {
  const { document, head } = frame;
  if (document === null || head.kind === 'error') return wordRpcError(frame);
  const result = member(document, document.root, 'result');
  if (result?.kind !== 'object') return 'its result is no object.';
  const serverInfo = member(document, result, 'serverInfo');
  const wanted: [string, JsonNode | undefined, JsonNode['kind']][] = [
    ['protocolVersion', member(document, result, 'protocolVersion'), 'string'],
    ['capabilities', member(document, result, 'capabilities'), 'object'],
    ['serverInfo', serverInfo, 'object'],
  ];
  if (serverInfo?.kind === 'object') {
    wanted.push(
      ['serverInfo.name', member(document, serverInfo, 'name'), 'string'],
      ['serverInfo.version', member(document, serverInfo, 'version'), 'string'],
    );
  }
  const missing = wanted.filter(([, node]) => node === undefined).map(([name]) => name);
  const wrong = wanted
    .filter(([, node, kind]) => node !== undefined && node.kind !== kind)
    .map(([name, , kind]) => `${name} is no ${kind}`);
  const faults = [
    ...(missing.length === 0 ? [] : [`it lacks ${missing.join(', ')}`]),
    ...wrong.map((fault) => `its ${fault}`),
  ];
  if (faults.length > 0) return `${faults.join('; ')}.`;
  const version = member(document, result, 'protocolVersion');
  const revision = version?.kind === 'string' ? shortText(document, version) : '';
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) {
    return `it chose protocol revision ${revision}, which Misstep does not speak.`;
  }
  if (frame.isDropped) return `a strict client does not read it. ${head.remark ?? ''}`.trim();
  return 'a strict client does not read it: one of its members is not what the protocol asks for.';
}

function shortText(
  document: JsonBytesDocument,
  node: Extract<JsonNode, { kind: 'string' }>,
): string {
  const words = stringValue(document, node).replace(/\s+/g, ' ').trim();
  return shortened(words, LONGEST_MESSAGE);
}
