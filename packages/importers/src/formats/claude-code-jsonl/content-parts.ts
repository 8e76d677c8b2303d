import { type JsonNode, member, stringValue } from '@misstep/json';
import type { ContentPart } from '@misstep/model';
import type { SessionRecord } from './record.ts';

export interface PartWithText {
  readonly part: ContentPart;
  /** Text for the summary; null where the part has none to show. */
  readonly text: string | null;
}

/** Parts of a message's content: a string, or blocks. */
export function partsOf(record: SessionRecord, content: JsonNode, pointer: string): PartWithText[] {
  if (content.kind !== 'array') return partOf(record, content, pointer);
  return content.items.flatMap((block, index) => partOf(record, block, `${pointer}/${index}`));
}

export function partOf(record: SessionRecord, block: JsonNode, pointer: string): PartWithText[] {
  const { document } = record;
  if (block.kind === 'string') {
    const part: ContentPart = { kind: 'text', value: record.value(block, pointer) };
    return [{ part, text: stringValue(document, block) }];
  }
  const typeNode = member(document, block, 'type');
  const type = typeNode?.kind === 'string' ? stringValue(document, typeNode) : '';
  const textKey = type === 'text' || type === 'thinking' ? type : null;
  const node = textKey === null ? undefined : member(document, block, textKey);
  if (textKey !== null && node?.kind === 'string') {
    const part: ContentPart = { kind: textKey, value: record.value(node, `${pointer}/${textKey}`) };
    return [{ part, text: textKey === 'text' ? stringValue(document, node) : null }];
  }
  const value = record.value(block, pointer);
  if (type === 'redacted_thinking') {
    return [{ part: { kind: 'thinking', value: { ...value, state: 'redacted' } }, text: null }];
  }
  const kind = type === 'image' || type === 'document' ? type : 'other';
  return [{ part: { kind, value }, text: null }];
}
