import { type JsonDocument, type JsonNode, stringValue } from '@misstep/json';
import { oneLine, SUMMARY_LENGTH } from './one-line.ts';

const VALUE_LENGTH = 80;

/** Arguments for the tree: `name: value, name: value`, every value as it is written. */
export function argumentSummary(document: JsonDocument, node: JsonNode): string {
  const { text } = document;
  if (node.kind !== 'object') return oneLine(text.slice(node.start, node.end));
  const parts: string[] = [];
  let length = 0;
  for (const { key, value } of node.members) {
    const written = text.slice(value.start, Math.min(value.end, value.start + VALUE_LENGTH * 4));
    const part = `${oneLine(stringValue(text, key), VALUE_LENGTH)}: ${oneLine(written, VALUE_LENGTH)}`;
    parts.push(part);
    length += part.length + 2;
    if (length > SUMMARY_LENGTH) break;
  }
  return oneLine(parts.join(', '));
}
