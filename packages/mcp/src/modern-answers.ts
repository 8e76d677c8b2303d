import {
  type JsonBytesDocument,
  type JsonNode,
  member,
  nodeText,
  stringValue,
} from '@misstep/json';
import type { RawAnswer } from './answer-book.ts';
import type { Handshake } from './connection-options.ts';
import type { ReadFrame } from './describe-frame.ts';
import { MODERN_REVISION } from './modern-frames.ts';

const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';
/** HeaderMismatch, MissingRequiredClientCapability, UnsupportedProtocolVersion. */
const MODERN_ERRORS = new Set(['-32020', '-32021', '-32022']);

/** What an answer to server/discover says of the server's era. */
export type DiscoverAnswer =
  /** It speaks these revisions; `supported` is empty where an error names none. */
  | { readonly kind: 'modern'; readonly supported: readonly string[]; readonly isError: boolean }
  | { readonly kind: 'legacy' };

/** By MCP 2026-07-28, stdio and Streamable HTTP, backward compatibility: no error code decides. */
export function readDiscoverAnswer(frame: ReadFrame): DiscoverAnswer {
  const { document } = frame;
  if (document === null) return { kind: 'legacy' };
  if (frame.head.kind === 'error') {
    const error = member(document, document.root, 'error');
    const code = member(document, error, 'code');
    if (code === undefined || !MODERN_ERRORS.has(nodeText(document, code))) {
      return { kind: 'legacy' };
    }
    const supported = textsOf(
      document,
      member(document, member(document, error, 'data'), 'supported'),
    );
    return { kind: 'modern', supported: supported ?? [], isError: true };
  }
  const result = member(document, document.root, 'result');
  const supported = textsOf(document, member(document, result, 'supportedVersions'));
  return supported === null ? { kind: 'legacy' } : { kind: 'modern', supported, isError: false };
}

/** What the answer to server/discover says of the server; from its exact text, so also from a log. */
export function readModernHandshake(answer: RawAnswer): Handshake {
  const { document } = answer.frame;
  const result = document === null ? undefined : member(document, document.root, 'result');
  const info =
    document === null
      ? undefined
      : (member(document, member(document, result, '_meta'), SERVER_INFO_KEY) ??
        member(document, result, 'serverInfo'));
  const textAt = (key: string) => {
    const node = document === null ? undefined : member(document, info, key);
    return document !== null && node?.kind === 'string' ? stringValue(document, node) : null;
  };
  return {
    serverName: textAt('name'),
    serverVersion: textAt('version'),
    protocolRevision: MODERN_REVISION,
    protocolEra: 'modern',
  };
}

/** `complete` where a result names no type, as before 2026-07-28; null where it is no text. */
export function resultTypeOf(frame: ReadFrame): string | null {
  const { document } = frame;
  if (document === null) return null;
  const result = member(document, document.root, 'result');
  const type = member(document, result, 'resultType');
  if (type === undefined) return 'complete';
  return type.kind === 'string' ? stringValue(document, type) : null;
}

/** One entry of `inputRequests`. */
export interface InputRequest {
  readonly key: string;
  /** Null where it is no text. */
  readonly method: string | null;
  readonly paramsText: string | null;
}

/** What an `input_required` result asks for, and the state that goes back as it is written. */
export function readInputRequired({ document }: ReadFrame): {
  readonly requests: readonly InputRequest[];
  readonly stateText: string | null;
} {
  if (document === null) return { requests: [], stateText: null };
  const result = member(document, document.root, 'result');
  const asked = member(document, result, 'inputRequests');
  const state = member(document, result, 'requestState');
  const requests =
    asked?.kind === 'object'
      ? asked.members.map((each) => {
          const method = member(document, each.value, 'method');
          const params = member(document, each.value, 'params');
          return {
            key: stringValue(document, each.key),
            method: method?.kind === 'string' ? stringValue(document, method) : null,
            paramsText: params === undefined ? null : nodeText(document, params),
          };
        })
      : [];
  return { requests, stateText: state === undefined ? null : nodeText(document, state) };
}

function textsOf(document: JsonBytesDocument, node: JsonNode | undefined): string[] | null {
  if (node?.kind !== 'array') return null;
  return node.items.flatMap((item) =>
    item.kind === 'string' ? [stringValue(document, item)] : [],
  );
}
