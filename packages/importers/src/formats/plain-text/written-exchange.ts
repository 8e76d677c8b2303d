import {
  type JsonDocument,
  type JsonNode,
  member,
  nodeText,
  parseJson,
  stringValue,
} from '@misstep/json';
import type { CapturedValue } from '@misstep/model';
import { argumentSummary } from '../../argument-summary.ts';
import { isEmptyResult, isEmptyText } from '../../empty-result.ts';
import { firstLine, oneLine } from '../../one-line.ts';
import { inlineValue } from '../../step-builder.ts';
import type { WrittenCall } from './call-line.ts';
import { elisionOf } from './cut-mark.ts';
import type { Payload, PayloadProblem } from './payload.ts';
import { pairsToJson } from './written-arguments.ts';

/** A call's tool and arguments, wherever in the text they stand. */
export interface ReadCall {
  readonly name: string;
  readonly given: CapturedValue | null;
  readonly summary: string;
  readonly idText: string | null;
  /** Why the arguments are no JSON as they are written; null = they are, or there are none. */
  readonly problem: PayloadProblem | null;
}

export function readCall(call: WrittenCall, payload: Payload | null): ReadCall | string {
  const document = payload?.document ?? null;
  const body = document === null ? null : rpcCall(document);
  if (
    payload !== null &&
    document !== null &&
    body !== null &&
    (call.name === null || body.isRpc)
  ) {
    const { name, given, pointer, idText } = body;
    return {
      name,
      given: given === undefined ? null : payload.part(given, pointer),
      summary: given === undefined ? '' : argumentSummary(document, given),
      idText,
      problem: payload.problem,
    };
  }
  if (call.name === null) return 'a call whose tool is not named';
  const name = call.name;
  if (payload === null) return { name, given: null, summary: '', idText: null, problem: null };
  if (call.form === 'empty') {
    return {
      name,
      given: inlineValue('{}', payload.value.origin, 'rendered'),
      summary: '',
      idText: null,
      problem: null,
    };
  }
  if (call.form === 'pairs') {
    const json = pairsToJson(payload.text);
    const given =
      json === null ? payload.value : inlineValue(json, payload.value.origin, 'rendered');
    const problem = json === null ? 'words' : null;
    return {
      name,
      given,
      summary: jsonSummary(json) ?? oneLine(payload.text),
      idText: null,
      problem,
    };
  }
  const summary =
    document === null ? oneLine(payload.text) : argumentSummary(document, document.root);
  return { name, given: payload.value, summary, idText: null, problem: payload.problem };
}

function jsonSummary(json: string | null): string | null {
  const parsed = json === null ? null : parseJson(json);
  return parsed?.ok ? argumentSummary(parsed.value, parsed.value.root) : null;
}

/** A JSON-RPC request, or the parameters of `tools/call` (`{"name":...,"arguments":...}`). */
function rpcCall(document: JsonDocument): {
  name: string;
  given: JsonNode | undefined;
  pointer: string;
  idText: string | null;
  isRpc: boolean;
} | null {
  const { root } = document;
  const method = member(document, root, 'method');
  const id = member(document, root, 'id');
  const idText = id === undefined ? null : nodeText(document, id);
  if (method?.kind === 'string' && member(document, root, 'jsonrpc') !== undefined) {
    const name = stringValue(document, method);
    const params = member(document, root, 'params');
    const tool = member(document, params, 'name');
    if (name === 'tools/call' && tool?.kind === 'string') {
      const given = member(document, params, 'arguments');
      const named = stringValue(document, tool);
      return { name: named, given, pointer: '/params/arguments', idText, isRpc: true };
    }
    return { name, given: params, pointer: '/params', idText, isRpc: true };
  }
  for (const key of ['name', 'tool', 'tool_name']) {
    const tool = member(document, root, key);
    if (tool?.kind !== 'string') continue;
    for (const argumentKey of ['arguments', 'args', 'input', 'parameters']) {
      const given = member(document, root, argumentKey);
      if (given === undefined) continue;
      const name = stringValue(document, tool);
      return { name, given, pointer: `/${argumentKey}`, idText, isRpc: false };
    }
  }
  return null;
}

export interface ReadAnswer {
  readonly value: CapturedValue | null;
  /** What it says, on one line: an error's message where it is one. */
  readonly reason: string | null;
  readonly idText: string | null;
  readonly isError: boolean;
  readonly isProtocolError: boolean;
  readonly isEmpty: boolean | null;
}

export function readAnswer(payload: Payload | null): ReadAnswer {
  const nothing = { idText: null, isError: false, isProtocolError: false };
  if (payload === null) return { ...nothing, value: null, reason: null, isEmpty: null };
  const { document, text } = payload;
  if (document === null) {
    const reason = firstLine(text, 200);
    return { ...nothing, value: payload.value, reason, isEmpty: isEmptyText(text) };
  }
  const { root } = document;
  const id = member(document, root, 'id');
  const isRpc = member(document, root, 'jsonrpc') !== undefined && id !== undefined;
  const error = isRpc ? member(document, root, 'error') : undefined;
  const result = isRpc ? member(document, root, 'result') : undefined;
  const node = error ?? result ?? root;
  const flag = member(document, node, 'isError');
  return {
    value:
      node === root
        ? payload.value
        : payload.part(node, error === undefined ? '/result' : '/error'),
    reason: firstLine(errorMessage(document, node) ?? text, 200),
    idText: isRpc && id !== undefined ? nodeText(document, id) : null,
    isError: flag?.kind === 'literal' && flag.value === true,
    isProtocolError: error !== undefined,
    isEmpty: isEmptyResult(document, node),
  };
}

/** The message of an error object or of an MCP result's first text. */
function errorMessage(document: JsonDocument, node: JsonNode): string | null {
  const content = member(document, node, 'content');
  const first = content?.kind === 'array' ? member(document, content.items[0], 'text') : undefined;
  const inner = member(document, node, 'error');
  const message = first ?? member(document, node, 'message') ?? member(document, inner, 'message');
  return message?.kind === 'string' ? stringValue(document, message) : null;
}

/** Marks a value as cut, as the mark behind it says. */
export function addCut(value: CapturedValue, marker: string): void {
  value.elisions.push(elisionOf(marker));
  value.state = 'elided';
}
