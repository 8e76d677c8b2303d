import {
  type JsonDocument,
  type JsonNode,
  member,
  parseJson,
  readTolerant,
  stringValue,
  type TolerantDocument,
} from '@misstep/json';

/** JSON as one version shows it, with what that version says it cut. */
export interface ReadVersion {
  readonly document: JsonDocument;
  readonly root: JsonNode;
  readonly elisions: TolerantDocument['elisions'];
}

/** A version of a result, and how it was read. */
export interface Version {
  /**
   * `envelope`: a whole MCP result object with `content`; `content`: the array of content blocks
   * alone; `payload`: JSON that is neither; `text`: no JSON.
   */
  readonly shape: 'envelope' | 'content' | 'payload' | 'text';
  readonly text: string;
  readonly json: ReadVersion | null;
}

const BLOCK_TYPES = new Set([
  'text',
  'image',
  'audio',
  'resource',
  'resource_link',
  'tool_reference',
  'document',
]);

/** Reads one version: strict JSON first, the tolerant reader where a renderer has cut it. */
export function readVersion(text: string, isCut: boolean): Version {
  const json = readJson(text, isCut);
  if (json === null) return { shape: 'text', text, json: null };
  if (json.root.kind === 'object') {
    const content = member(json.document, json.root, 'content');
    if (content?.kind === 'array' && isBlocks(json.document, content)) {
      return { shape: 'envelope', text, json };
    }
    return { shape: 'payload', text, json };
  }
  if (json.root.kind === 'array' && json.root.items.length > 0) {
    if (isBlocks(json.document, json.root)) return { shape: 'content', text, json };
  }
  return { shape: 'payload', text, json };
}

/** A structure only: a bare string or number in a result is text to compare, not JSON. */
export function readStructure(text: string, isCut: boolean): ReadVersion | null {
  const json = readJson(text, isCut);
  return json !== null && (json.root.kind === 'object' || json.root.kind === 'array') ? json : null;
}

function readJson(text: string, isCut: boolean): ReadVersion | null {
  const strict = parseJson(text);
  if (strict.ok) return { document: strict.value, root: strict.value.root, elisions: [] };
  const start = text.search(/\S/);
  if (start < 0 || !'{['.includes(text.charAt(start))) return null;
  const tolerant = readTolerant(text, start);
  if (tolerant === null) return null;
  // A structured record can hold a text that somebody cut before it was recorded. It is taken for
  // JSON only where that explains the whole of it.
  const explained = tolerant.elisions.length > 0 && text.slice(tolerant.end).trim() === '';
  if (!isCut && !(explained && tolerant.problems.length === 0)) return null;
  return { document: tolerant, root: tolerant.root, elisions: tolerant.elisions };
}

function isBlocks(document: JsonDocument, node: JsonNode): boolean {
  if (node.kind !== 'array') return false;
  return node.items.every((item) => {
    const type = member(document, item, 'type');
    return type?.kind === 'string' && BLOCK_TYPES.has(stringValue(document, type));
  });
}

/** Text of every text block of a content array, in order, with the block's index. */
export function textBlocks(
  document: JsonDocument,
  content: JsonNode | undefined,
): { index: number; text: string }[] {
  if (content?.kind !== 'array') return [];
  const blocks: { index: number; text: string }[] = [];
  for (const [index, item] of content.items.entries()) {
    const text = member(document, item, 'text');
    if (text?.kind === 'string') blocks.push({ index, text: stringValue(document, text) });
  }
  return blocks;
}
