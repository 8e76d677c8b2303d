import { type JsonDocument, type JsonNode, member, stringValue } from '@misstep/json';
import { INPUT_SCHEMA_NAMES } from '@misstep/model';

/** The parts of a tool's definition, wherever its writer put them. */
export interface DefinitionShape {
  readonly parts: ReadonlyMap<string, JsonNode>;
  /** False where a model's interface wrote it, which leaves parts of MCP's definition out. */
  readonly isMcp: boolean;
}

/**
 * A definition as MCP writes it or as clients hand it to a model: `input_schema`, `parameters`, or
 * all of it under `function`. Null where it is no object.
 */
export function definitionShape(document: JsonDocument): DefinitionShape | null {
  const inner = member(document, document.root, 'function');
  const root = inner?.kind === 'object' ? inner : document.root;
  if (root.kind !== 'object') return null;
  const parts = new Map<string, JsonNode>();
  for (const { key, value } of root.members) {
    const name = stringValue(document, key);
    parts.set(INPUT_SCHEMA_NAMES.includes(name) ? 'inputSchema' : name, value);
  }
  // MCP's definitions have no type; the AI SDK's have one, and an inputSchema.
  const hasMcpSchema = member(document, root, 'inputSchema') !== undefined;
  const isMcp = hasMcpSchema && member(document, root, 'type') === undefined;
  // Says only of what kind the entry is.
  if (!isMcp) for (const name of ['type', 'strict', 'cache_control']) parts.delete(name);
  return { parts, isMcp };
}
