import type { Step } from '@misstep/model';
import { isEmptyContent, isEmptyResult, isEmptyText } from './empty-result.ts';
import type { JsonView } from './json-view.ts';
import { firstLine } from './one-line.ts';

/** The text of a result: a string, or the texts of its blocks; '' where it has none. */
export function resultText(content: JsonView | undefined): string {
  if (content === undefined) return '';
  if (content.text !== null) return content.text;
  const blocks = content.isArray ? content.items : (content.get('content')?.items ?? []);
  return blocks.flatMap((block) => block.text ?? block.get('text')?.text ?? []).join('\n');
}

/** True where a result holds nothing; null where that can't be told. */
export function isEmptyPlace(content: JsonView | undefined): boolean | null {
  if (content === undefined) return null;
  if (content.text !== null) return isEmptyText(content.text);
  if (content.node.kind === 'array' && content.items.some((item) => item.isObject)) {
    return isEmptyContent(content.document, content.node.items);
  }
  return isEmptyResult(content.document, content.node);
}

/** `isError: true` at the top of a result (an MCP result, also inside a JSON string). */
export function saysIsError(content: JsonView | undefined): boolean {
  if (content === undefined) return false;
  const body = content.unwrapped();
  return body.get('isError')?.isTrue === true || body.get('is_error')?.isTrue === true;
}

/**
 * Status and reason of a call that has an answer. A text that only begins like an error keeps its
 * `ok`: nothing but the words says so, and the reason tells them.
 */
export function verdictOfAnswer(
  content: JsonView | undefined,
  isError: boolean | null,
): Pick<Step, 'status' | 'statusReason'> {
  const text = resultText(content);
  if (isError === true || (isError === null && saysIsError(content))) {
    const said = resultText(content?.unwrapped()) || text;
    return { status: 'error', statusReason: firstLine(said, 200) || null };
  }
  const suspicious =
    isError === null && /^\s*(error|exception|traceback)\b/i.test(text.slice(0, 200));
  return {
    status: 'ok',
    statusReason: suspicious
      ? `No flag says that it failed; its text begins: ${firstLine(text, 120)}`
      : null,
  };
}
