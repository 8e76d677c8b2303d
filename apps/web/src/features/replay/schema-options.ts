import {
  encodeString,
  type JsonDocument,
  type JsonNode,
  member,
  nodeText,
  parseJson,
  resolvePointer,
  stringValue,
} from '@misstep/json';
import { INPUT_SCHEMA_NAMES } from '@misstep/model';
import type { CompletionPlace } from './completion-place.ts';

/** Something that a schema says could stand at a place: JSON text as the schema writes it. */
export interface SchemaOption {
  /** What is put in: the name in quotes, or a value. */
  readonly text: string;
  /** `string, required`. */
  readonly detail: string;
  /** The schema's own words; null = it has none. */
  readonly words: string | null;
  readonly isRequired: boolean;
}

const MOST_OPTIONS = 200;
const MOST_SCHEMAS = 200;
const LONGEST_WORDS = 400;

/** The schema of the arguments in a tool's definition, as MCP or a model's interface writes it. */
export interface ArgumentsSchema {
  readonly document: JsonDocument;
  readonly root: JsonNode;
}

export function readArgumentsSchema(definitionText: string): ArgumentsSchema | null {
  const parsed = parseJson(definitionText);
  if (!parsed.ok) return null;
  const document = parsed.value;
  const inner = member(document, document.root, 'function');
  const definition = inner?.kind === 'object' ? inner : document.root;
  for (const name of INPUT_SCHEMA_NAMES) {
    const root = member(document, definition, name);
    if (root !== undefined) return { document, root };
  }
  return null;
}

/** What the schema offers at a place, required names first. Total and bounded. */
export function schemaOptions(schema: ArgumentsSchema, place: CompletionPlace): SchemaOption[] {
  let nodes = expand(schema, [schema.root]);
  for (const step of place.path) nodes = expand(schema, inside(schema, nodes, step));
  const options =
    place.kind === 'key' ? keyOptions(schema, nodes, place) : valueOptions(schema, nodes);
  const seen = new Set<string>();
  return options
    .filter(({ text }) => !seen.has(text) && seen.add(text).size <= MOST_OPTIONS)
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

/** The schemas themselves with what they refer to and combine; nothing outside is fetched. */
function expand({ document, root }: ArgumentsSchema, nodes: readonly JsonNode[]): JsonNode[] {
  const all = new Set<JsonNode>();
  const pending = [...nodes];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind !== 'object' || all.has(node) || all.size >= MOST_SCHEMAS) continue;
    all.add(node);
    const reference = member(document, node, '$ref');
    if (reference?.kind === 'string') {
      const target = stringValue(document, reference);
      const found = target.startsWith('#')
        ? resolvePointer({ text: document.text, root }, decoded(target.slice(1)))
        : undefined;
      if (found !== undefined) pending.push(found);
    }
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const list = member(document, node, keyword);
      if (list?.kind === 'array') pending.push(...list.items.slice(0, MOST_SCHEMAS));
    }
  }
  return [...all];
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function inside(
  { document }: ArgumentsSchema,
  nodes: readonly JsonNode[],
  step: string | number,
): JsonNode[] {
  return nodes.flatMap((node) => {
    if (typeof step === 'string') {
      const named = member(document, member(document, node, 'properties'), step);
      const found = named ?? member(document, node, 'additionalProperties');
      return found === undefined ? [] : [found];
    }
    const prefix = member(document, node, 'prefixItems');
    const items = member(document, node, 'items');
    const tuple = prefix ?? (items?.kind === 'array' ? items : undefined);
    const own = tuple?.kind === 'array' ? tuple.items[step] : undefined;
    const found = own ?? (items?.kind === 'object' ? items : undefined);
    return found === undefined ? [] : [found];
  });
}

function keyOptions(
  schema: ArgumentsSchema,
  nodes: readonly JsonNode[],
  place: CompletionPlace,
): SchemaOption[] {
  const { document } = schema;
  const required = new Set(
    nodes.flatMap((node) => {
      const list = member(document, node, 'required');
      if (list?.kind !== 'array') return [];
      return list.items.flatMap((item) =>
        item.kind === 'string' ? [stringValue(document, item)] : [],
      );
    }),
  );
  return nodes.flatMap((node) => {
    const properties = member(document, node, 'properties');
    if (properties?.kind !== 'object') return [];
    return properties.members.slice(0, MOST_OPTIONS).flatMap(({ key, value }) => {
      const name = stringValue(document, key);
      if (place.otherKeys.has(name)) return [];
      const isRequired = required.has(name);
      const detail = [typeWords(schema, value), isRequired ? 'required' : ''];
      return {
        text: encodeString(name),
        detail: detail.filter((part) => part !== '').join(', '),
        words: describe(document, value),
        isRequired,
      };
    });
  });
}

function valueOptions(schema: ArgumentsSchema, nodes: readonly JsonNode[]): SchemaOption[] {
  const { document } = schema;
  return nodes.flatMap((node) => {
    const option = (text: string, detail: string): SchemaOption => ({
      text,
      detail,
      words: describe(document, node),
      isRequired: false,
    });
    const exact = [
      ...itemsOf(member(document, node, 'enum')).map((each) => [each, 'allowed'] as const),
      ...nodesOf(member(document, node, 'const')).map((each) => [each, 'the only one'] as const),
    ];
    const known = [
      ...exact,
      ...nodesOf(member(document, node, 'default')).map((each) => [each, 'default'] as const),
      ...itemsOf(member(document, node, 'examples')).map((each) => [each, 'example'] as const),
    ].map(([each, detail]) => option(nodeText(document, each), detail));
    if (exact.length > 0) return known;
    const blank = typesOf(schema, node).flatMap((type) =>
      (BLANKS.get(type) ?? []).map((text) => option(text, type)),
    );
    return [...known, ...blank];
  });
}

const BLANKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['boolean', ['true', 'false']],
  ['null', ['null']],
  ['string', ['""']],
  ['object', ['{}']],
  ['array', ['[]']],
]);

function nodesOf(node: JsonNode | undefined): JsonNode[] {
  return node === undefined ? [] : [node];
}

function itemsOf(node: JsonNode | undefined): JsonNode[] {
  return node?.kind === 'array' ? node.items.slice(0, MOST_OPTIONS) : [];
}

function typeWords(schema: ArgumentsSchema, node: JsonNode): string {
  const allowed = itemsOf(member(schema.document, node, 'enum')).length;
  if (allowed > 0) return `one of ${allowed}`;
  return typesOf(schema, node).join(' or ');
}

function typesOf(schema: ArgumentsSchema, node: JsonNode): string[] {
  const { document } = schema;
  const types = expand(schema, [node]).flatMap((each) => {
    const type = member(document, each, 'type');
    return type?.kind === 'array' ? type.items : nodesOf(type);
  });
  return [
    ...new Set(
      types.flatMap((type) => (type.kind === 'string' ? [stringValue(document, type)] : [])),
    ),
  ].slice(0, 8);
}

function describe(document: JsonDocument, node: JsonNode): string | null {
  const description = member(document, node, 'description');
  if (description?.kind !== 'string') return null;
  const words = stringValue(document, description);
  const cut = words.length - LONGEST_WORDS;
  return cut <= 0 ? words : `${words.slice(0, LONGEST_WORDS)}… (${cut} more characters)`;
}
