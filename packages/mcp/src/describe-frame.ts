import {
  type JsonBytesDocument,
  type JsonNode,
  type JsonObject,
  member,
  members,
  nodeText,
  parseJsonBytes,
  stringValue,
} from '@misstep/json';
import type { FrameHead, FrameKind } from '@misstep/model';
import { shortened } from './shortened.ts';

/** A frame's head, and its document where the bytes are JSON. */
export interface ReadFrame {
  readonly head: FrameHead;
  readonly document: JsonBytesDocument | null;
  /** True where a strict client does not take it for the message that it looks like. */
  readonly isDropped: boolean;
}

const DROPPED = 'a strict client drops it, and the call that it answers times out';
const KNOWN_KEYS = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

// Live view, answers and comparison all look at the same bytes; a frame can be 20 MB.
const alreadyRead = new WeakMap<Uint8Array, ReadFrame>();

/**
 * What the bytes of one frame are by JSON-RPC 2.0 and MCP, with what a person should know of them.
 * Never throws. Nothing is rounded or normalised: `idText` is the id as it is written.
 */
export function describeFrame(bytes: Uint8Array): FrameHead {
  return readFrame(bytes).head;
}

/** `describeFrame` with the lossless document. Remembers its answer for these very bytes. */
export function readFrame(bytes: Uint8Array): ReadFrame {
  const known = alreadyRead.get(bytes);
  if (known !== undefined) return known;
  const read = readAnew(bytes);
  alreadyRead.set(bytes, read);
  return read;
}

/** The head of a frame of which a cap of ours left a beginning: what is missing judges nothing. */
export function describeCutFrame(): FrameHead {
  return headOf('cut', null, null, []);
}

function readAnew(bytes: Uint8Array): ReadFrame {
  const read = readParts(bytes);
  // No text of the server's own in a remark is long enough to hold these words.
  return { ...read, isDropped: read.head.remark?.includes(DROPPED) ?? false };
}

function readParts(bytes: Uint8Array): Omit<ReadFrame, 'isDropped'> {
  const parsed = parseJsonBytes(bytes);
  if (!parsed.ok) return { head: unreadableHead(bytes, parsed.error.message), document: null };
  const document = parsed.value;
  const remarks: string[] = [];
  if (document.text.charCodeAt(0) === 0xfeff) {
    remarks.push(`Starts with a byte order mark: ${DROPPED}.`);
  }
  if (document.firstInvalidOffset !== null) {
    remarks.push(`Not valid UTF-8 at byte ${document.firstInvalidOffset}.`);
  }
  const { root } = document;
  if (root.kind === 'array') {
    remarks.push('A batch, which only revision 2025-03-26 of the protocol has: others drop it.');
    return { head: headOf('batch', null, null, remarks), document };
  }
  if (root.kind !== 'object') {
    remarks.push(`JSON, but no object, so no message: ${DROPPED}.`);
    return { head: headOf('malformed', null, null, remarks), document };
  }
  return { head: describeObject(document, root, remarks), document };
}

function describeObject(
  document: JsonBytesDocument,
  root: JsonObject,
  remarks: string[],
): FrameHead {
  const idNode = member(document, root, 'id');
  const methodNode = member(document, root, 'method');
  const result = member(document, root, 'result');
  const error = member(document, root, 'error');
  const idText = idNode === undefined ? null : nodeText(document, idNode);
  const method = methodNode?.kind === 'string' ? stringValue(document, methodNode) : null;

  remarkOnMembers(document, root, remarks);
  if (methodNode !== undefined) {
    if (method === null) {
      remarks.push(`"method" is no string: ${DROPPED}.`);
      return headOf('malformed', null, idText, remarks);
    }
    if (idNode === undefined) return headOf('notification', method, null, remarks);
    remarkOnId(document, idNode, remarks);
    return headOf('request', method, idText, remarks);
  }
  if (result !== undefined && error !== undefined) {
    remarks.push(`Holds both "result" and "error", so it is neither: ${DROPPED}.`);
    return headOf('malformed', null, idText, remarks);
  }
  if (result === undefined && error === undefined) {
    remarks.push(`Holds no "method", "result" or "error": ${DROPPED}.`);
    return headOf('malformed', null, idText, remarks);
  }
  if (idNode === undefined) remarks.push('An answer without "id": it answers no request.');
  else remarkOnId(document, idNode, remarks);
  if (error === undefined) {
    if (result?.kind !== 'object') remarks.push(`"result" is no object: ${DROPPED}.`);
    return headOf('response', null, idText, remarks);
  }
  remarkOnError(document, error, remarks);
  return headOf('error', null, idText, remarks);
}

function remarkOnMembers(document: JsonBytesDocument, root: JsonObject, remarks: string[]): void {
  const version = member(document, root, 'jsonrpc');
  if (version === undefined) remarks.push(`No "jsonrpc" member: ${DROPPED}.`);
  else if (version.kind !== 'string' || stringValue(document, version) !== '2.0') {
    remarks.push(
      `"jsonrpc" is ${shortened(nodeText(document, version), 60)}, not "2.0": ${DROPPED}.`,
    );
  }
  for (const key of KNOWN_KEYS) {
    const count = members(document, root, key).length;
    if (count > 1) remarks.push(`"${key}" stands ${count} times; the last one counts.`);
  }
  const unknown = root.members
    .map((each) => stringValue(document, each.key))
    .find((key) => !KNOWN_KEYS.has(key));
  if (unknown !== undefined) {
    remarks.push(`Holds "${shortened(unknown, 60)}" beside the members of JSON-RPC: ${DROPPED}.`);
  }
}

function remarkOnId(document: JsonBytesDocument, id: JsonNode, remarks: string[]): void {
  const text = shortened(nodeText(document, id), 60);
  if (id.kind === 'string') return;
  if (id.kind === 'literal' && id.value === null) {
    remarks.push('The id is null, which MCP does not allow: it answers no request.');
  } else if (id.kind !== 'number') {
    remarks.push(`The id ${text} is neither string nor number: ${DROPPED}.`);
  } else if (!/^-?\d+$/.test(text)) {
    remarks.push(`The id ${text} is no integer.`);
  } else if (!Number.isSafeInteger(Number(text))) {
    remarks.push(`The id ${text} is larger than clients can hold exactly.`);
  }
}

function remarkOnError(document: JsonBytesDocument, error: JsonNode, remarks: string[]): void {
  const code = member(document, error, 'code');
  const message = member(document, error, 'message');
  if (error.kind !== 'object') remarks.push(`"error" is no object: ${DROPPED}.`);
  else if (code?.kind !== 'number' || !/^-?\d+$/.test(nodeText(document, code))) {
    remarks.push(`The error's "code" is no integer: ${DROPPED}.`);
  } else if (message?.kind !== 'string') {
    remarks.push(`The error's "message" is no string: ${DROPPED}.`);
  }
}

function unreadableHead(bytes: Uint8Array, reason: string): FrameHead {
  const start = new TextDecoder().decode(bytes.subarray(0, 256)).trimStart();
  if (start.startsWith('{') || start.startsWith('[')) {
    return headOf('malformed', null, null, [`Not JSON: ${reason} So ${DROPPED}.`]);
  }
  const what = start === '' ? 'An empty frame' : 'Text that is no JSON';
  return headOf('noise', null, null, [
    `${what} where only JSON-RPC may stand: strict clients report an error or drop it.`,
  ]);
}

function headOf(
  kind: FrameKind,
  method: string | null,
  idText: string | null,
  remarks: readonly string[],
): FrameHead {
  return { kind, method, idText, remark: remarks.length === 0 ? null : remarks.join(' ') };
}
