import {
  type JsonDocument,
  type JsonNode,
  type JsonObject,
  member,
  nodeText,
  parseJson,
  stringValue,
} from '@misstep/json';
import { MODERN_REVISION } from './modern-frames.ts';
import { shortened } from './shortened.ts';

/** What a tool's definition wants beside the body (MCP 2026-07-28, `x-mcp-header`). */
export interface ParameterHeaders {
  readonly headers: ReadonlyMap<string, string>;
  /** Why a strict client does not offer the tool; null = nothing. */
  readonly fault: string | null;
}

interface Annotated {
  readonly header: string;
  readonly path: readonly string[];
}

const NONE: ParameterHeaders = { headers: new Map(), fault: null };
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;
const HEADER_TYPES = new Set(['string', 'integer', 'boolean']);
/** Deeper schemas than this hold no header that anybody meant. */
const DEEPEST = 32;

/** The headers that repeat what stands in the body (MCP 2026-07-28, Streamable HTTP). */
export function methodHeaders(method: string, name: string | null): Record<string, string> {
  return {
    'mcp-protocol-version': MODERN_REVISION,
    'mcp-method': method,
    ...(name === null ? {} : { 'mcp-name': headerValue(name) }),
  };
}

/** A text as an HTTP header's value: as it is, or in base64 where HTTP could not carry it. */
export function headerValue(text: string): string {
  const isSentinel = text.startsWith('=?base64?') && text.endsWith('?=');
  if (PLAIN.test(text) && !isSentinel) return text;
  return `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

/** `Mcp-Param-*` headers for one call, from the tool's definition and the argument text. */
export function parameterHeaders(definitionText: string, argumentsText: string): ParameterHeaders {
  if (!definitionText.includes('x-mcp-header')) return NONE;
  const definition = parseJson(definitionText);
  const given = parseJson(argumentsText);
  if (!definition.ok || !given.ok) return NONE;
  const document = definition.value;
  const found: Annotated[] = [];
  const fault = readAnnotations(document, member(document, document.root, 'inputSchema'), found);
  if (fault !== null) return { headers: new Map(), fault };
  const headers = new Map<string, string>();
  for (const { header, path } of found) {
    const text = valueAt(given.value, path);
    if (text !== null) headers.set(`mcp-param-${header.toLowerCase()}`, headerValue(text));
  }
  return { headers, fault: null };
}

/** Fills `found`; the answer is why the definition is invalid, or null. */
function readAnnotations(
  document: JsonDocument,
  schema: JsonNode | undefined,
  found: Annotated[],
): string | null {
  const open: { node: JsonNode | undefined; path: readonly string[] }[] = [
    { node: schema, path: [] },
  ];
  const names = new Set<string>();
  let reachable = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.node?.kind !== 'object' || at.path.length > DEEPEST) continue;
    const annotation = member(document, at.node, 'x-mcp-header');
    if (annotation !== undefined) {
      reachable += 1;
      const fault = annotationFault(document, at.node, annotation, names);
      if (fault !== null) return `its x-mcp-header ${fault}`;
      // `annotationFault` has seen that it is a string.
      if (annotation.kind === 'string') {
        found.push({ header: stringValue(document, annotation), path: at.path });
      }
    }
    const properties = member(document, at.node, 'properties');
    if (properties?.kind !== 'object') continue;
    for (const each of properties.members) {
      open.push({ node: each.value, path: [...at.path, stringValue(document, each.key)] });
    }
  }
  const total = schema === undefined ? 0 : countKeys(document, schema, 'x-mcp-header');
  return total > reachable ? 'its x-mcp-header stands where no chain of properties leads' : null;
}

function annotationFault(
  document: JsonDocument,
  schema: JsonObject,
  annotation: JsonNode,
  names: Set<string>,
): string | null {
  if (annotation.kind !== 'string') return 'is no string';
  const name = stringValue(document, annotation);
  if (!TOKEN.test(name)) return `${JSON.stringify(shortened(name, 60))} is no name of a header`;
  if (names.has(name.toLowerCase())) return `${name} stands twice`;
  names.add(name.toLowerCase());
  const type = member(document, schema, 'type');
  const typeName = type?.kind === 'string' ? stringValue(document, type) : null;
  if (typeName !== null && HEADER_TYPES.has(typeName)) return null;
  return `${name} stands at a parameter that is neither string, integer nor boolean`;
}

/** Properties may have any name, so keys inside `properties` don't count. */
function countKeys(document: JsonDocument, root: JsonNode, key: string): number {
  let count = 0;
  const open: { node: JsonNode; isNames: boolean }[] = [{ node: root, isNames: false }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.node.kind === 'array') {
      for (const item of at.node.items) open.push({ node: item, isNames: false });
    }
    if (at.node.kind !== 'object') continue;
    for (const each of at.node.members) {
      const name = stringValue(document, each.key);
      if (!at.isNames && name === key) count += 1;
      open.push({ node: each.value, isNames: !at.isNames && name === 'properties' });
    }
  }
  return count;
}

/** The value's text for a header; null where there is none, or none that a header may hold. */
function valueAt(document: JsonDocument, path: readonly string[]): string | null {
  let node: JsonNode | undefined = document.root;
  for (const key of path) node = member(document, node, key);
  if (node === undefined) return null;
  if (node.kind === 'string') return stringValue(document, node);
  if (node.kind === 'literal') return node.value === null ? null : String(node.value);
  if (node.kind !== 'number') return null;
  const text = nodeText(document, node);
  const value = Number(text);
  return Number.isSafeInteger(value) ? String(value === 0 ? 0 : value) : text;
}
