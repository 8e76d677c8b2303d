import { type JsonDocument, type JsonNode, member, parseJson, stringValue } from '@misstep/json';

const COUNT_KEY = /^(total|count|n|num|size|length|hits|matches|found)|(_|[a-z])(total|count)$/i;

/**
 * True where a JSON result holds nothing: null, an empty list, object or string, or an object
 * whose lists are all empty and whose counts are all 0. An MCP result (`content`,
 * `structuredContent`) is judged by what it carries. Text that is no JSON is empty when blank.
 */
export function isEmptyResult(document: JsonDocument, node: JsonNode): boolean {
  const structured = member(document, node, 'structuredContent');
  if (structured !== undefined) return isEmptyValue(document, structured);
  const content = member(document, node, 'content');
  if (content?.kind === 'array') return isEmptyContent(document, content.items);
  return isEmptyValue(document, node);
}

/** The same for a list of content blocks (`{"type":"text","text":...}`); other blocks count as full. */
export function isEmptyContent(document: JsonDocument, blocks: readonly JsonNode[]): boolean {
  return blocks.every((block) => {
    if (block.kind === 'string') return isEmptyText(stringValue(document, block));
    const text = member(document, block, 'text');
    return text?.kind === 'string' && isEmptyText(stringValue(document, text));
  });
}

/** The same for text, which may hold JSON. */
export function isEmptyText(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed === '') return true;
  // Whatever is longer holds something; parsing it would only cost time.
  if (trimmed.length > 4096 || !/^[[{"n]/.test(trimmed)) return false;
  const parsed = parseJson(trimmed);
  return parsed.ok && isEmptyValue(parsed.value, parsed.value.root);
}

function isEmptyValue(document: JsonDocument, node: JsonNode): boolean {
  switch (node.kind) {
    case 'literal':
      return node.value === null;
    case 'number':
      return false;
    case 'string':
      return isEmptyText(stringValue(document, node));
    case 'array':
      return node.items.length === 0;
    case 'object':
      break;
  }
  if (node.members.length === 0) return true;
  let lists = 0;
  let counts = 0;
  for (const { key, value } of node.members) {
    if (value.kind === 'array') {
      if (value.items.length > 0) return false;
      lists += 1;
    } else if (value.kind === 'number' && COUNT_KEY.test(stringValue(document, key))) {
      if (Number(document.text.slice(value.start, value.end)) !== 0) return false;
      counts += 1;
    } else if (value.kind === 'object' && value.members.length > 0) {
      return false;
    }
  }
  return lists + counts > 0;
}
