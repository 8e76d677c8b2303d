import { type JsonNode, member } from '@misstep/json';
import { type ReadFrame, resultTypeOf } from '@misstep/mcp';

/**
 * What makes clients refuse a response's result as a tool's (MCP, tools), in a sentence; null =
 * nothing. Since 2026-07-28 (`isModern`) `structuredContent` may be any JSON, and a result says its
 * type.
 */
export function toolResultFault(frame: ReadFrame, isModern: boolean): string | null {
  const { document, head } = frame;
  if (document === null || head.kind !== 'response') return null;
  const result = member(document, document.root, 'result');
  if (result?.kind !== 'object') return null;
  if (isModern) {
    const type = resultTypeOf(frame);
    if (type === 'input_required') return null;
    if (type !== 'complete') return `Its "resultType" is ${type ?? 'no string'}.`;
  }
  const content = member(document, result, 'content');
  const structured = member(document, result, 'structuredContent');
  const isError = member(document, result, 'isError');
  if (content !== undefined && content.kind !== 'array') return 'Its "content" is no list.';
  const isBlock = (item: JsonNode) => member(document, item, 'type')?.kind === 'string';
  const at = content === undefined ? -1 : content.items.findIndex((item) => !isBlock(item));
  if (at >= 0) return `Item ${at} of its "content" is no object with a "type".`;
  if (!isModern && structured !== undefined && structured.kind !== 'object') {
    return 'Its "structuredContent" is no object.';
  }
  if (isError !== undefined && (isError.kind !== 'literal' || isError.value === null)) {
    return 'Its "isError" is neither true nor false.';
  }
  return null;
}
