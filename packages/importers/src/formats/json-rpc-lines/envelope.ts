import {
  byteSpan,
  type JsonBytesDocument,
  type JsonDocument,
  type JsonNode,
  member,
  nodeText,
  parseLooseJson,
  stringValue,
} from '@misstep/json';
import type { CapturedValue, FrameDirection, Origin, SourceHash } from '@misstep/model';
import { looksLikeRpc } from '../../json-rpc-frame.ts';
import { inlineValue, originAt } from '../../step-builder.ts';
import { placedValue } from '../../wire-value.ts';
import { directionOfTape } from './recorder-line.ts';

/** What one line holds: a message with what the recorder says of it, or an event of the connection. */
export interface Envelope {
  readonly kind: 'message' | 'lifecycle';
  /** Lifecycle: the connection starts here. */
  readonly starts: boolean;
  readonly direction: FrameDirection | null;
  readonly time: JsonNode | undefined;
  readonly server: string | null;
  readonly connection: string;
  /** The line's own document; `time` is of it. */
  readonly document: JsonDocument;
  payload(sha256: SourceHash, lineOffset: number): Payload;
}

export interface Payload {
  readonly document: JsonDocument;
  /** Null where the message is text that is no JSON. */
  readonly node: JsonNode | null;
  readonly origin: Origin;
  readonly sizeBytes: number;
  capture(node: JsonNode, pointer: string): CapturedValue;
}

const PAYLOAD_KEYS = ['message', 'msg', 'frame', 'payload', 'data', 'body', 'raw', 'json', 'rpc'];
const DIRECTION_KEYS = ['direction', 'dir', 'type', 'from', 'sender', 'origin', 'event'];
const TIME_KEYS = ['ts', 'timestamp', 'time', 't', 'at', 'wallNs', 'logged_at'];
const SERVER_KEYS = ['server', 'serverName', 'server_name', 'server_label'];
const CONNECTION_KEYS = [
  'connection',
  'connectionId',
  'conn_id',
  'session',
  'sessionId',
  'session_id',
];

const TO_SERVER = new Set(
  'send sent out outgoing outbound request req tx client c2s client-to-server to-server toserver → > ->'.split(
    ' ',
  ),
);
const TO_CLIENT = new Set(
  'recv receive received in incoming inbound response res rx server s2c server-to-client to-client toclient ← < <-'.split(
    ' ',
  ),
);

/** The envelope of a line, or null where there is no JSON-RPC message in it. */
export function readEnvelope(document: JsonBytesDocument): Envelope | null {
  const { root } = document;
  const own = member(document, root, '_meta');
  // A recorder's own `_meta` stands at the top of the line, beside `params._meta`.
  const meta =
    own?.kind === 'object' && has(document, own, ['dir', 'ts', 'direction']) ? own : root;
  const bare = looksLikeRpc(document, root);
  const fields = { document, time: undefined, starts: false, direction: null } as const;
  if (bare) return bareEnvelope(document, meta, fields);
  if (root.kind !== 'object') return null;
  const text = (keys: readonly string[]): string | null => stringField(document, root, keys);
  const common = {
    ...fields,
    kind: 'message',
    direction: directionOfTape(document, root) ?? directionOf(document, root),
    time: firstMember(document, root, TIME_KEYS),
    server: text(SERVER_KEYS),
    connection: text(CONNECTION_KEYS) ?? text(SERVER_KEYS) ?? '',
  } as const;
  for (const key of PAYLOAD_KEYS) {
    const node = member(document, root, key);
    if (node === undefined) continue;
    if (looksLikeRpc(document, node)) {
      return {
        ...common,
        payload: (sha256, at) => nodePayload(document, node, `/${key}`, sha256, at),
      };
    }
    if (node.kind !== 'string') continue;
    const inner = parseLooseJson(stringValue(document, node));
    const isRpc = inner.ok && looksLikeRpc(inner.value, inner.value.root);
    if (!isRpc && common.direction === null) continue;
    return { ...common, payload: (sha256, at) => textPayload(document, node, key, sha256, at) };
  }
  return null;
}

function bareEnvelope(
  document: JsonBytesDocument,
  meta: JsonNode,
  fields: Pick<Envelope, 'document' | 'time' | 'starts' | 'direction'>,
): Envelope {
  const { root } = document;
  const text = (keys: readonly string[]): string | null => stringField(document, meta, keys);
  const method = stringField(document, root, ['method']) ?? '';
  const said = text(['dir', 'direction']);
  const lifecycle = said === 'lifecycle' || method.startsWith('$transport/');
  return {
    ...fields,
    kind: lifecycle ? 'lifecycle' : 'message',
    starts: lifecycle && /start|open|connect$/i.test(method),
    direction: root.kind === 'array' ? null : directionOf(document, meta),
    time: firstMember(document, meta, TIME_KEYS),
    server: text(SERVER_KEYS),
    connection: text(CONNECTION_KEYS) ?? text(SERVER_KEYS) ?? '',
    payload: (sha256, at) => nodePayload(document, root, '', sha256, at),
  };
}

function nodePayload(
  document: JsonBytesDocument,
  node: JsonNode,
  base: string,
  sha256: SourceHash,
  lineOffset: number,
): Payload {
  const place = { document, sha256, offset: lineOffset };
  const { offset, length } = byteSpan(document, node);
  return {
    document,
    node,
    origin: originAt(sha256, { offset: lineOffset + offset, length }, base),
    sizeBytes: length,
    capture: (part, pointer) => placedValue(place, part, `${base}${pointer}`, 'wire'),
  };
}

/** A message inside a JSON string: its exact text is no run of the line's bytes. */
function textPayload(
  document: JsonBytesDocument,
  literal: JsonNode & { kind: 'string' },
  key: string,
  sha256: SourceHash,
  lineOffset: number,
): Payload {
  const { offset, length } = byteSpan(document, literal);
  const origin = originAt(sha256, { offset: lineOffset + offset, length }, `/${key}`);
  const text = stringValue(document, literal);
  const inner = parseLooseJson(text);
  const innerDocument = inner.ok ? inner.value : document;
  return {
    document: innerDocument,
    node: inner.ok ? inner.value.root : null,
    origin,
    sizeBytes: new TextEncoder().encode(text).length,
    capture: (part) => inlineValue(nodeText(innerDocument, part), origin, 'wire'),
  };
}

function directionOf(document: JsonDocument, node: JsonNode): FrameDirection | null {
  for (const key of DIRECTION_KEYS) {
    const said = stringField(document, node, [key]);
    const direction = said === null ? null : directionOfText(said);
    if (direction !== null) return direction;
  }
  return null;
}

function directionOfText(said: string): FrameDirection | null {
  const word = said.trim().toLowerCase().replaceAll('_', '-').replaceAll(' ', '-');
  if (TO_SERVER.has(word)) return 'client-to-server';
  if (TO_CLIENT.has(word)) return 'server-to-client';
  if (/^c(lient)?-?(->|=>|→|>|2|-to-?)-?s(erver)?$/.test(word)) return 'client-to-server';
  if (/^s(erver)?-?(->|=>|→|>|2|-to-?)-?c(lient)?$/.test(word)) return 'server-to-client';
  return null;
}

function firstMember(
  document: JsonDocument,
  node: JsonNode,
  keys: readonly string[],
): JsonNode | undefined {
  for (const key of keys) {
    const found = member(document, node, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function stringField(
  document: JsonDocument,
  node: JsonNode,
  keys: readonly string[],
): string | null {
  const found = firstMember(document, node, keys);
  return found?.kind === 'string' ? stringValue(document, found) : null;
}

function has(document: JsonDocument, node: JsonNode, keys: readonly string[]): boolean {
  return firstMember(document, node, keys) !== undefined;
}
