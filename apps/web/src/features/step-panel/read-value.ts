import type { ValueDetail } from '@misstep/contract';
import {
  type JsonDocument,
  type JsonNode,
  member,
  parseJson,
  readTolerant,
  stringValue,
} from '@misstep/json';
import {
  type CutInDocument,
  listTextLines,
  listValueLines,
  type ValueLines,
} from './value-lines.ts';

/** `content`: what the text inside holds, read as JSON. `lines`: one value a line. `raw`: as recorded. */
export type ValueViewName = 'content' | 'lines' | 'raw';

export interface ValueReading {
  /** Views that make sense for the value, the one to begin with first. */
  readonly views: readonly ValueViewName[];
  /** How the text was read where that is not plain, e.g. "text content read as JSON". */
  readonly remark: string | null;
  /** Pointer of the text that `content` was read from; pointers of its lines stand inside it. */
  readonly contentPointer: string;
  readonly linesOf: (view: ValueViewName) => ValueLines;
}

const MOST_LINES = 200_000;
const NO_LINES: ValueLines = { lines: [], omittedLines: 0, lastNumber: 0 };

/** Finds out how a recorded value can be laid out. Its text is never changed by that. */
export function readValue(value: ValueDetail): ValueReading {
  const text = value.text ?? '';
  const raw = () => listTextLines(text, MOST_LINES);
  const plain: ValueReading = {
    views: ['raw'],
    remark: null,
    contentPointer: '',
    linesOf: raw,
  };
  // Half of a document cannot be laid out honestly; the raw half can.
  if (value.omittedBytes > 0) return plain;
  const isCut =
    value.state === 'elided' || value.elisions.length > 0 || value.encoding === 'cut-json';
  const document = readDocument(text, isCut);
  if (document === null) return plain;
  if (value.encoding === 'text' || value.encoding === 'json-string') {
    if (!isContainer(document.root)) return plain;
    return {
      views: ['content', 'raw'],
      remark: 'text content read as JSON',
      contentPointer: '',
      linesOf: (view) => (view === 'raw' ? raw() : layOut(document)),
    };
  }
  const inner = readTextContent(document);
  return {
    views: inner === null ? ['lines', 'raw'] : ['content', 'lines', 'raw'],
    remark: inner === null ? null : 'text content read as JSON',
    contentPointer: inner?.pointer ?? '',
    linesOf: (view) => {
      if (view === 'raw') return raw();
      return view === 'content' && inner !== null ? layOut(inner.document) : layOut(document);
    },
  };
}

interface CutDocument extends JsonDocument {
  readonly elisions: readonly CutInDocument[];
}

function layOut(document: CutDocument): ValueLines {
  return document.text === '' ? NO_LINES : listValueLines(document, document.elisions, MOST_LINES);
}

function readDocument(text: string, isCut: boolean): CutDocument | null {
  const strict = parseJson(text);
  if (strict.ok && !isCut) return { ...strict.value, elisions: [] };
  if (!isCut) return null;
  const tolerant = readTolerant(text);
  // What follows the value is no part of it, and must not vanish from view.
  if (tolerant === null || text.slice(tolerant.end).trim() !== '') return null;
  return tolerant;
}

function isContainer(node: JsonNode): boolean {
  return node.kind === 'object' || node.kind === 'array';
}

/**
 * A tool result whose one content item is text that holds a JSON container: the MCP result object,
 * or the list of content blocks alone.
 */
function readTextContent(
  document: JsonDocument,
): { document: CutDocument; pointer: string } | null {
  const { root } = document;
  const list = root.kind === 'array' ? root : member(document, root, 'content');
  if (list?.kind !== 'array' || list.items.length !== 1) return null;
  const item = list.items[0];
  const type = member(document, item, 'type');
  const body = member(document, item, 'text');
  if (
    type?.kind !== 'string' ||
    stringValue(document, type) !== 'text' ||
    body?.kind !== 'string'
  ) {
    return null;
  }
  const inner = parseJson(stringValue(document, body));
  if (!inner.ok || !isContainer(inner.value.root)) return null;
  return {
    document: { ...inner.value, elisions: [] },
    pointer: root.kind === 'array' ? '/0/text' : '/content/0/text',
  };
}
