import { type JsonDocument, type JsonNode, member, nodeText, stringValue } from '@misstep/json';
import type { FrameHead } from '@misstep/model';

/** One JSON-RPC message taken apart; the nodes are of the document it was read from. */
export interface RpcMessage extends FrameHead {
  readonly node: JsonNode;
  readonly params: JsonNode | undefined;
  readonly result: JsonNode | undefined;
  readonly error: JsonNode | undefined;
}

/** Takes a JSON-RPC 2.0 message apart. What isn't one comes back as `malformed` with a remark. */
export function readRpcMessage(document: JsonDocument, node: JsonNode): RpcMessage {
  const part = (key: string): JsonNode | undefined => member(document, node, key);
  const method = part('method');
  const id = part('id');
  const result = part('result');
  const error = part('error');
  const idText = id === undefined ? null : nodeText(document, id);
  const parts = { node, params: part('params'), result, error, idText };
  const methodName = method?.kind === 'string' ? stringValue(document, method) : null;
  const remark = versionRemark(document, part('jsonrpc'));
  if (methodName !== null) {
    const kind = id === undefined ? 'notification' : 'request';
    return { ...parts, kind, method: methodName, remark };
  }
  if (error !== undefined && error.kind === 'object') {
    return { ...parts, kind: 'error', method: null, remark };
  }
  if (result !== undefined && id !== undefined) {
    return { ...parts, kind: 'response', method: null, remark };
  }
  return { ...parts, kind: 'malformed', method: null, remark: 'not a JSON-RPC message' };
}

function versionRemark(document: JsonDocument, version: JsonNode | undefined): string | null {
  if (version?.kind === 'string' && stringValue(document, version) === '2.0') return null;
  return version === undefined
    ? 'no "jsonrpc" member; a strict client drops it'
    : `"jsonrpc" is ${nodeText(document, version).slice(0, 40)}; a strict client drops it`;
}

/**
 * True where a value looks like a JSON-RPC message, or a batch with at least one in it. A batch in
 * a batch is none: nothing here goes deeper than one level.
 */
export function looksLikeRpc(document: JsonDocument, node: JsonNode): boolean {
  if (node.kind !== 'array') return looksLikeMessage(document, node);
  return node.items.some((item) => looksLikeMessage(document, item));
}

function looksLikeMessage(document: JsonDocument, node: JsonNode): boolean {
  if (node.kind !== 'object') return false;
  if (member(document, node, 'jsonrpc') !== undefined) return true;
  if (member(document, node, 'id') === undefined) return false;
  return (['result', 'error', 'params'] as const).some(
    (key) => member(document, node, key) !== undefined,
  );
}

const CLIENT_METHODS =
  /^(initialize|ping|notifications\/(initialized|roots\/list_changed|cancelled)|(tools|resources|prompts|completion|logging|server|subscriptions)\/.*)$/;
const SERVER_METHODS =
  /^(sampling|roots|elicitation)\/|^notifications\/(message|progress|(tools|prompts|resources)\/|elicitation\/)/;

/** Who sends a method, where the protocol says so; null where either may or it is unknown. */
export function senderOfMethod(method: string): 'client' | 'server' | null {
  if (SERVER_METHODS.test(method)) return 'server';
  return CLIENT_METHODS.test(method) ? 'client' : null;
}
