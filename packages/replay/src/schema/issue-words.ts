import {
  escapePointerSegment,
  type JsonDocument,
  type JsonNode,
  nodeText,
  positionOf,
  resolvePointer,
  stringValue,
} from '@misstep/json';
import { shortened } from '@misstep/mcp';
import type { ErrorObject } from 'ajv';

/** One thing that a schema forbids, at its place in the text as typed. */
export interface SchemaIssue {
  /** JSON Pointer into the text; for a missing member that of the object. */
  readonly pointer: string;
  /** UTF-16 offset and length in the text, line and column from 1. */
  readonly offset: number;
  readonly length: number;
  readonly line: number;
  readonly column: number;
  readonly keyword: string;
  /** Where the rule stands, as a pointer into the schema. */
  readonly schemaPointer: string;
  readonly sentence: string;
}

/** Puts a validator's finding into words and finds its place in the text. */
export function describeIssue(document: JsonDocument, error: ErrorObject): SchemaIssue {
  const { keyword, instancePath, schemaPath } = error;
  const extra = textParam(error, 'additionalProperty') ?? textParam(error, 'unevaluatedProperty');
  const pointer = extra === null ? instancePath : `${instancePath}/${escapePointerSegment(extra)}`;
  const owner = resolvePointer(document, instancePath) ?? document.root;
  const place = (extra === null ? null : lastKey(document, owner, extra)) ?? owner;
  return {
    pointer,
    offset: place.start,
    length: place.end - place.start,
    ...positionOf(document.text, place.start),
    keyword,
    schemaPointer: pointerOfFragment(schemaPath),
    sentence: `${name(pointer)} ${words(error, document, owner)}.`,
  };
}

/** Ajv writes the place of a rule as a URI fragment (RFC 6901, section 6). */
function pointerOfFragment(path: string): string {
  const fragment = path.slice(path.indexOf('#') + 1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** How a place is called in a sentence. */
export function name(pointer: string): string {
  return pointer === '' ? 'The whole' : `\`${pointer}\``;
}

function words(error: ErrorObject, document: JsonDocument, node: JsonNode): string {
  const { keyword, params } = error;
  const shown = () => shortened(nodeText(document, node).replace(/\s+/g, ' '), 60);
  switch (keyword) {
    case 'type': {
      const types: unknown = params.type;
      const wanted = Array.isArray(types) ? types.join(' or ') : String(types);
      return `must be ${wanted}, but is ${kindOf(node)} ${shown()}`;
    }
    case 'required':
      return `lacks \`${textParam(error, 'missingProperty') ?? ''}\`, which is required`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not in the schema, which allows nothing else';
    case 'enum': {
      const allowed: unknown = params.allowedValues;
      const values = Array.isArray(allowed) ? allowed.map((value) => JSON.stringify(value)) : [];
      return `must be one of ${shortened(values.join(', '), 200)}, but is ${shown()}`;
    }
    case 'format':
      return `must be a ${textParam(error, 'format') ?? ''}, but is ${shown()}`;
    case 'pattern':
      return `does not match the pattern ${shortened(textParam(error, 'pattern') ?? '', 60)}: ${shown()}`;
    case 'maximum':
    case 'minimum':
    case 'exclusiveMaximum':
    case 'exclusiveMinimum':
      return `must be ${BOUNDS[keyword]} ${limitOf(error)}, but is ${shown()}`;
    case 'maxLength':
    case 'minLength':
      return `must have ${BOUNDS[keyword]} ${limitOf(error)} characters, but is ${shown()}`;
    case 'maxItems':
    case 'minItems':
      return `must have ${BOUNDS[keyword]} ${limitOf(error)} items`;
    case 'anyOf':
      return 'fits none of the alternatives in anyOf';
    case 'oneOf':
      return params.passingSchemas === null
        ? 'fits none of the alternatives in oneOf'
        : 'fits more than one of the alternatives in oneOf';
    default:
      return `${shortened(error.message ?? `breaks ${keyword}`, 200)}, but is ${shown()}`;
  }
}

const BOUNDS = {
  maximum: 'at most',
  minimum: 'at least',
  exclusiveMaximum: 'less than',
  exclusiveMinimum: 'more than',
  maxLength: 'at most',
  minLength: 'at least',
  maxItems: 'at most',
  minItems: 'at least',
} as const;

function limitOf(error: ErrorObject): string {
  const limit: unknown = error.params.limit;
  return typeof limit === 'number' ? String(limit) : 'what the schema says';
}

function lastKey(document: JsonDocument, node: JsonNode, key: string): JsonNode | null {
  if (node.kind !== 'object') return null;
  const found = node.members.filter((each) => stringValue(document, each.key) === key).at(-1);
  return found?.key ?? null;
}

function textParam(error: ErrorObject, key: string): string | null {
  const value: unknown = error.params[key];
  return typeof value === 'string' ? value : null;
}

function kindOf(node: JsonNode): string {
  if (node.kind === 'literal') return node.value === null ? 'the literal' : 'the boolean';
  return `the ${node.kind}`;
}
