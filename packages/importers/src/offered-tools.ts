import { encodeString } from '@misstep/json';
import { INPUT_SCHEMA_NAMES } from '@misstep/model';
import type { RecordedTool } from './importer.ts';
import type { JsonView } from './json-view.ts';
import { splitToolName } from './tool-name.ts';

/** Lists of tools in an entry of a list: of Gemini, of Codex, of toolsets. */
const NESTED_LISTS = ['functionDeclarations', 'function_declarations', 'tools'];
const MAX_DEPTH = 5;
/** Longer is a sentence, not a name. */
const NAME = /^[^\s{}[\]"<>]{1,200}$/;

/** What is known beside the names in a list. */
export interface ToolNames {
  /** Whose tools they all are. */
  readonly server?: string | null;
  /** Names to split `mcp__server__tool` at. */
  readonly servers?: Iterable<string>;
}

/**
 * The tools of a list that a model was offered, however its writer put them: definitions of MCP and
 * of model interfaces, as JSON or as strings that hold it; lists in entries; definitions by name; bare
 * names, where the place of the name is all that is known. Entries without a name
 * (what the model's vendor runs) are none.
 */
export function offeredTools(
  list: JsonView | null | undefined,
  known: ToolNames = {},
): RecordedTool[] {
  return list === null || list === undefined ? [] : toolsOf(list, known, 0);
}

function toolsOf(given: JsonView, known: ToolNames, depth: number): RecordedTool[] {
  if (depth > MAX_DEPTH) return [];
  const list = given.text === null ? given : (given.inner() ?? given);
  if (list.isArray) return list.items.flatMap((item) => entryOf(item, known, depth + 1));
  if (!list.isObject) return [];
  const one = entryOf(list, known, depth + 1);
  if (one.length > 0) return one;
  // By name: what has a schema or a description is a definition.
  return [...list.entries].flatMap(([name, each]) => {
    const place = each.inner() ?? each;
    const defines = [...INPUT_SCHEMA_NAMES, 'description'].some(
      (key) => place.get(key) !== undefined,
    );
    return defines ? [recorded(known, name, place, place)] : [];
  });
}

function entryOf(item: JsonView, known: ToolNames, depth: number): RecordedTool[] {
  const inner = item.inner();
  if (item.text !== null && inner === null) {
    return NAME.test(item.text)
      ? [{ ...recorded(known, item.text, item, item), isNameOnly: true }]
      : [];
  }
  const place = inner ?? item;
  if (place.isArray) return toolsOf(place, known, depth);
  // OpenInference: `{"tool":{"json_schema":"..."}}`.
  const schema = place.at('tool', 'json_schema') ?? place.get('json_schema');
  if (schema !== undefined) return toolsOf(schema, known, depth);
  for (const key of NESTED_LISTS) {
    const nested = place.get(key);
    if (nested?.isArray !== true) continue;
    return toolsOf(nested, { ...known, server: known.server ?? namespaceOf(place) }, depth);
  }
  const body = place.firstOf('function', 'toolSpec') ?? place;
  const name = body.get('name')?.text ?? null;
  return name === null || name === '' ? [] : [recorded(known, name, place, body)];
}

/** Codex puts the tools of a server in a namespace: `mcp__server__` or `mcp__server`. */
function namespaceOf(place: JsonView): string | null {
  const name = place.get('name')?.text ?? '';
  return /^mcp__(.{1,200}?)(?:__)?$/s.exec(name)?.[1] ?? null;
}

function recorded(
  { server = null, servers = [] }: ToolNames,
  name: string,
  place: JsonView,
  body: JsonView,
): RecordedTool {
  const split = server === null ? splitToolName(name, servers) : { server, tool: name };
  const { sha256, offset, length, pointer } = place.origin;
  const definition = { sha256, offset, length, pointer };
  const rewritten = rewrittenBody(body);
  const text = rewritten ?? (place.isInner ? place.written : null);
  return {
    server: split.server,
    name: split.tool,
    definition,
    ...(text === null ? {} : { definitionText: text }),
  };
}

/** Where the schema is a string that holds it, or stands one level down: the definition with it in place. */
function rewrittenBody(body: JsonView): string | null {
  for (const key of INPUT_SCHEMA_NAMES) {
    const given = body.get(key);
    const schema = given?.inner() ?? given?.get('json');
    if (schema?.isObject !== true) continue;
    const members = [...body.entries].map(([name, value]) => {
      const written = name === key ? schema.written : value.written;
      return `${encodeString(name)}:${written}`;
    });
    return `{${members.join(',')}}`;
  }
  return null;
}
