import type { JsonDocument, JsonNode } from './node.ts';
import { parseJson } from './parse.ts';
import { resolveLocation, splitPointer } from './pointer.ts';
import { stringValue } from './text.ts';
import { readTolerant } from './tolerant.ts';

/**
 * How many leading segments of a JSON Pointer are held by a text, where a string on the way may
 * itself be a JSON text (a content block of a tool result often is): `/content/0/text/orders/0`
 * goes on inside that string. Null = this is no JSON Pointer. A text that is no JSON holds the
 * whole alone, 0 segments. Cut documents are read as far as they go.
 */
export function segmentsHeld(text: string, pointer: string): number | null {
  const segments = splitPointer(pointer);
  if (segments === null) return null;
  const raw = pointer.split('/').slice(1);
  let document = readDocument(text);
  let node: JsonNode | undefined = document?.root;
  for (const [index, segment] of raw.entries()) {
    if (node?.kind === 'string' && document !== null) {
      document = readDocument(stringValue(document, node));
      node = document?.root;
    }
    if (document === null || node === undefined) return index;
    node = resolveLocation(document.text, node, `/${segment}`)?.node;
    if (node === undefined) return index;
  }
  return raw.length;
}

function readDocument(text: string): JsonDocument | null {
  const strict = parseJson(text);
  return strict.ok ? strict.value : readTolerant(text);
}
