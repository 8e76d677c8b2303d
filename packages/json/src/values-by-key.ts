import type { JsonNode, JsonObject } from './node.ts';
import { stringValue } from './text.ts';

/** An object's values under each decoded key, in source order: a key may stand more than once. */
export function valuesByKey(text: string, node: JsonObject): Map<string, JsonNode[]> {
  const groups = new Map<string, JsonNode[]>();
  for (const { key, value } of node.members) {
    const name = stringValue(text, key);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [value]);
    else group.push(value);
  }
  return groups;
}
