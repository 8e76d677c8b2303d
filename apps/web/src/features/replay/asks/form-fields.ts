import {
  encodeString,
  type JsonDocument,
  type JsonNode,
  member,
  nodeText,
  parseJson,
  stringValue,
} from '@misstep/json';

const MOST_FIELDS = 60;
const MOST_OPTIONS = 200;
const LONGEST_WORDS = 400;

/** One property of an elicitation's `requestedSchema`, as far as a small form can offer it. */
export interface FormField {
  /** The property's name as it is; the form goes by position, so that no name can do harm. */
  readonly name: string;
  readonly label: string;
  readonly description: string | null;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'several' | 'unsupported';
  readonly isRequired: boolean;
  /** Of `choice` and `several`: each value as JSON text, with its words. */
  readonly options: readonly { readonly text: string; readonly label: string }[];
  readonly optionsOmitted: number;
  /** What the schema asks besides, in words. Patterns are shown and never run. */
  readonly limits: readonly string[];
  readonly initial: FieldValue;
}

/** What stands in a field: typed text, a tick, or the chosen options' JSON texts. */
export type FieldValue = string | boolean | readonly string[];

export interface FormFields {
  readonly fields: readonly FormField[];
  readonly omittedCount: number;
}

/** The fields of an elicitation's schema; none where it asks for nothing that can be read. */
export function readFormFields(document: JsonDocument, schema: JsonNode | undefined): FormFields {
  const properties = member(document, schema, 'properties');
  if (properties?.kind !== 'object') return { fields: [], omittedCount: 0 };
  const required = member(document, schema, 'required');
  const requiredNames = new Set(
    required?.kind === 'array'
      ? required.items.map((item) => (item.kind === 'string' ? stringValue(document, item) : null))
      : [],
  );
  // A key that stands twice counts once, the last time.
  const byName = new Map<string, JsonNode>();
  for (const { key, value } of properties.members) byName.set(stringValue(document, key), value);
  const all = [...byName];
  return {
    fields: all
      .slice(0, MOST_FIELDS)
      .map(([name, node]) => readField(document, name, node, requiredNames.has(name))),
    omittedCount: Math.max(0, all.length - MOST_FIELDS),
  };
}

function readField(
  document: JsonDocument,
  name: string,
  node: JsonNode,
  isRequired: boolean,
): FormField {
  const kind = kindOf(document, node);
  const holder = kind === 'several' ? member(document, node, 'items') : node;
  const options = kind === 'choice' || kind === 'several' ? readOptions(document, holder) : [];
  return {
    name,
    label: words(document, member(document, node, 'title')) ?? name.slice(0, LONGEST_WORDS),
    description: words(document, member(document, node, 'description')),
    kind,
    isRequired,
    options: options.slice(0, MOST_OPTIONS),
    optionsOmitted: Math.max(0, options.length - MOST_OPTIONS),
    limits: readLimits(document, node),
    initial: readInitial(document, member(document, node, 'default'), kind),
  };
}

function kindOf(document: JsonDocument, node: JsonNode): FormField['kind'] {
  const type = words(document, member(document, node, 'type'));
  if (readOptions(document, node).length > 0) return 'choice';
  switch (type) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return readOptions(document, member(document, node, 'items')).length > 0
        ? 'several'
        : 'unsupported';
    default:
      return 'unsupported';
  }
}

/** `enum` with `enumNames`, or `oneOf` and `anyOf` of `const` with `title`. */
function readOptions(document: JsonDocument, node: JsonNode | undefined): FormField['options'] {
  const listed = member(document, node, 'enum');
  if (listed?.kind === 'array') {
    const names = member(document, node, 'enumNames');
    return listed.items.map((item, at) => ({
      text: nodeText(document, item),
      label:
        (names?.kind === 'array' ? words(document, names.items[at]) : null) ??
        words(document, item) ??
        nodeText(document, item).slice(0, LONGEST_WORDS),
    }));
  }
  const titled = member(document, node, 'oneOf') ?? member(document, node, 'anyOf');
  if (titled?.kind !== 'array') return [];
  return titled.items.flatMap((item) => {
    const value = member(document, item, 'const');
    if (value === undefined) return [];
    const label = words(document, member(document, item, 'title')) ?? words(document, value);
    const text = nodeText(document, value);
    return [{ text, label: label ?? text.slice(0, LONGEST_WORDS) }];
  });
}

const LIMITS: readonly (readonly [key: string, words: string])[] = [
  ['format', 'format'],
  ['minLength', 'least length'],
  ['maxLength', 'greatest length'],
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minItems', 'least count'],
  ['maxItems', 'greatest count'],
  ['pattern', 'pattern, not checked here'],
];

function readLimits(document: JsonDocument, node: JsonNode): string[] {
  const found = LIMITS.flatMap(([key, said]) => {
    const value = member(document, node, key);
    if (value === undefined || value.kind === 'object' || value.kind === 'array') return [];
    return [`${said} ${(words(document, value) ?? nodeText(document, value)).slice(0, 120)}`];
  });
  return words(document, member(document, node, 'type')) === 'integer'
    ? ['whole number', ...found]
    : found;
}

function readInitial(
  document: JsonDocument,
  node: JsonNode | undefined,
  kind: FormField['kind'],
): FieldValue {
  if (kind === 'boolean') return node?.kind === 'literal' && node.value === true;
  if (kind === 'several') {
    return node?.kind === 'array' ? node.items.map((item) => nodeText(document, item)) : [];
  }
  if (node === undefined) return '';
  if (kind === 'text') return node.kind === 'string' ? stringValue(document, node) : '';
  return nodeText(document, node);
}

function words(document: JsonDocument, node: JsonNode | undefined): string | null {
  return node?.kind === 'string' ? stringValue(document, node).slice(0, LONGEST_WORDS) : null;
}

/** Why a field can't be sent as it stands; null = it can. */
export function fieldProblem(field: FormField, value: FieldValue): string | null {
  if (field.kind === 'unsupported' && field.isRequired) {
    return 'Asked for, but not in a form: answer in raw JSON.';
  }
  if (field.kind === 'choice' && field.isRequired && value === '') return 'Choose one.';
  if (field.kind !== 'number' || typeof value !== 'string') return null;
  if (value.trim() === '') return field.isRequired ? 'A number is asked for.' : null;
  const parsed = parseJson(value.trim());
  return parsed.ok && parsed.value.root.kind === 'number' ? null : 'Not a number as JSON has it.';
}

/**
 * The form as the JSON text of an accepted elicitation. Numbers go out as typed; what is left empty
 * and not required is left out.
 */
export function acceptText(fields: readonly FormField[], values: readonly FieldValue[]): string {
  const members = fields.flatMap((field, at) => {
    const text = valueText(field, values[at] ?? field.initial);
    return text === null ? [] : [`${encodeString(field.name)}:${text}`];
  });
  return `{"action":"accept","content":{${members.join(',')}}}`;
}

function valueText(field: FormField, value: FieldValue): string | null {
  if (field.kind === 'unsupported') return null;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return `[${value.join(',')}]`;
  if (value === '' && !(field.isRequired && field.kind === 'text')) return null;
  return field.kind === 'text' ? encodeString(value) : value.trim();
}
