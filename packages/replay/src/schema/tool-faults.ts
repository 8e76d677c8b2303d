import {
  type JsonDocument,
  type JsonNode,
  type JsonObject,
  member,
  nodeText,
  parseJson,
  stringValue,
} from '@misstep/json';
import { headerFault, shortened } from '@misstep/mcp';
import { walkSchema } from './walk-schema.ts';

export const TOOL_FAULTS = [
  'notJson',
  'inputSchemaMissing',
  'inputSchemaNotObject',
  'outputSchemaNotObject',
  'requiredNotInProperties',
  'rootCombinator',
  'rootConditional',
  'arrayWithoutItems',
  'propertiesOnNonObject',
  'nameUnusual',
  'headerAnnotation',
] as const;
export type ToolFaultKind = (typeof TOOL_FAULTS)[number];

/**
 * What strict clients do with a fault: `all` lose every tool of the server (the whole list is
 * refused by the client or the model's interface), `tool` lose this one, `rule` only the rule.
 */
export type Reach = 'all' | 'tool' | 'rule';

export interface ToolFault {
  readonly tool: string;
  readonly kind: ToolFaultKind;
  readonly reach: Reach;
  /** JSON Pointer into the tool's definition. */
  readonly pointer: string;
  /** Goes after the tool's name and a colon. */
  readonly words: string;
}

const REACH: Readonly<Record<ToolFaultKind, Reach>> = {
  notJson: 'all',
  inputSchemaMissing: 'all',
  inputSchemaNotObject: 'all',
  outputSchemaNotObject: 'all',
  requiredNotInProperties: 'all',
  rootCombinator: 'all',
  rootConditional: 'rule',
  arrayWithoutItems: 'all',
  propertiesOnNonObject: 'all',
  nameUnusual: 'tool',
  headerAnnotation: 'tool',
};
const MOST_FAULTS = 100;

/** What strict clients stumble over in one tool's definition, in document order. Total. */
export function faultsOf(tool: string, definitionText: string): ToolFault[] {
  const faults: ToolFault[] = [];
  const add = (kind: ToolFaultKind, pointer: string, words: string) => {
    if (faults.length < MOST_FAULTS)
      faults.push({ tool, kind, reach: REACH[kind], pointer, words });
  };
  const parsed = parseJson(definitionText);
  if (!parsed.ok) {
    add('notJson', '', 'its definition is not JSON');
    return faults;
  }
  const document = parsed.value;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(tool)) {
    const words = 'its name has characters or a length that some model interfaces refuse';
    add('nameUnusual', '/name', words);
  }
  const input = member(document, document.root, 'inputSchema');
  if (input === undefined) add('inputSchemaMissing', '', 'it has no inputSchema');
  else {
    if (!isObjectSchema(document, input)) {
      const words = `inputSchema ${typeWords(document, input)}, but must have type object`;
      add('inputSchemaNotObject', '/inputSchema', words);
    }
    addRootFaults(document, input, add);
    addInnerFaults(document, input, add);
  }
  const header = headerFault(definitionText);
  if (header !== null) {
    const words = `over HTTP a conforming client of 2026-07-28 leaves it out, because ${header}`;
    add('headerAnnotation', '/inputSchema', words);
  }
  const output = member(document, document.root, 'outputSchema');
  if (output !== undefined && !isObjectSchema(document, output)) {
    const words = `outputSchema ${typeWords(document, output)}, but must have type object`;
    add('outputSchemaNotObject', '/outputSchema', words);
  }
  return faults;
}

type Add = (kind: ToolFaultKind, pointer: string, words: string) => void;

function addRootFaults(document: JsonDocument, schema: JsonNode, add: Add): void {
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    if (member(document, schema, keyword) === undefined) continue;
    const words = `inputSchema has ${keyword} at its root, which model interfaces refuse`;
    add('rootCombinator', `/inputSchema/${keyword}`, words);
  }
  if (member(document, schema, 'if') !== undefined) {
    add('rootConditional', '/inputSchema/if', 'the if at its root is dropped by some clients');
  }
}

function addInnerFaults(document: JsonDocument, schema: JsonNode, add: Add): void {
  for (const { pointer, node } of walkSchema(document, schema, '/inputSchema')) {
    const required = member(document, node, 'required');
    const properties = member(document, node, 'properties');
    const type = typesOf(document, node);
    const isRoot = pointer === '/inputSchema';
    // A part of allOf or anyOf may require what its parent describes.
    const describes = isRoot || properties !== undefined;
    if (required?.kind === 'array' && describes) {
      const known = keysOf(document, properties);
      for (const [index, item] of required.items.entries()) {
        if (item.kind !== 'string' || known.has(stringValue(document, item))) continue;
        const words = `required names \`${shortened(stringValue(document, item), 80)}\`, which is not in properties`;
        add('requiredNotInProperties', `${pointer}/required/${index}`, words);
      }
    }
    if (type.has('array') && !['items', 'prefixItems'].some((key) => has(document, node, key))) {
      add('arrayWithoutItems', pointer, `${placeOf(pointer)} is an array without items`);
    }
    if (!isRoot && type.size > 0 && !type.has('object') && (properties ?? required) !== undefined) {
      const words = `${placeOf(pointer)} has properties or required, but is no object`;
      add('propertiesOnNonObject', pointer, words);
    }
  }
}

function isObjectSchema(document: JsonDocument, schema: JsonNode): boolean {
  const type = member(document, schema, 'type');
  return type?.kind === 'string' && stringValue(document, type) === 'object';
}

function typeWords(document: JsonDocument, schema: JsonNode): string {
  const type = member(document, schema, 'type');
  if (schema.kind !== 'object') return `is ${shortened(nodeText(document, schema), 80)}`;
  return type === undefined ? 'has no type' : `has type ${shortened(nodeText(document, type), 80)}`;
}

function typesOf(document: JsonDocument, schema: JsonObject): ReadonlySet<string> {
  const type = member(document, schema, 'type');
  const nodes = type?.kind === 'array' ? type.items : type === undefined ? [] : [type];
  return new Set(
    nodes.flatMap((node) => (node.kind === 'string' ? [stringValue(document, node)] : [])),
  );
}

function keysOf(document: JsonDocument, node: JsonNode | undefined): ReadonlySet<string> {
  if (node?.kind !== 'object') return new Set();
  return new Set(node.members.map(({ key }) => stringValue(document, key)));
}

function has(document: JsonDocument, node: JsonNode, key: string): boolean {
  return member(document, node, key) !== undefined;
}

function placeOf(pointer: string): string {
  return `\`${shortened(pointer.replace(/^\/inputSchema/, '') || '/', 80)}\``;
}
