import {
  byteSpan,
  type JsonBytesDocument,
  type JsonNode,
  member,
  nodeText,
  stringValue,
} from '@misstep/json';
import type { RawAnswer } from './answer-book.ts';

/** One entry of a tools/list answer. */
export interface ListedTool {
  readonly name: string;
  /** The definition exactly as the server wrote it. */
  readonly definitionText: string;
  readonly definitionBytes: Uint8Array;
  readonly readOnlyHint: boolean | null;
  readonly destructiveHint: boolean | null;
}

export interface ToolPage {
  readonly tools: readonly ListedTool[];
  readonly nextCursor: string | null;
  /** False where the answer holds no list of tools. */
  readonly isToolList: boolean;
}

/** Reads one page of tools/list from its bytes. Entries without a name are left out. */
export function readToolPage(answer: RawAnswer): ToolPage {
  const { document } = answer.frame;
  if (document === null) return { tools: [], nextCursor: null, isToolList: false };
  const result = member(document, document.root, 'result');
  const list = member(document, result, 'tools');
  const cursor = member(document, result, 'nextCursor');
  return {
    tools:
      list?.kind === 'array'
        ? list.items.flatMap((item) => readTool(answer.bytes, document, item))
        : [],
    nextCursor: cursor?.kind === 'string' ? stringValue(document, cursor) : null,
    isToolList: list?.kind === 'array',
  };
}

function readTool(bytes: Uint8Array, document: JsonBytesDocument, item: JsonNode): ListedTool[] {
  const name = member(document, item, 'name');
  if (name?.kind !== 'string') return [];
  const { offset, length } = byteSpan(document, item);
  const annotations = member(document, item, 'annotations');
  return [
    {
      name: stringValue(document, name),
      definitionText: nodeText(document, item),
      definitionBytes: bytes.subarray(offset, offset + length),
      readOnlyHint: booleanOf(member(document, annotations, 'readOnlyHint')),
      destructiveHint: booleanOf(member(document, annotations, 'destructiveHint')),
    },
  ];
}

function booleanOf(node: JsonNode | undefined): boolean | null {
  return node?.kind === 'literal' ? node.value : null;
}
