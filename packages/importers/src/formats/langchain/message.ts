import type { JsonView } from '../../json-view.ts';

const TYPE =
  /^(human|ai|system|tool|function|remove|(Human|AI|System|Tool|Function|Remove)Message(Chunk)?)$/;

/** Whether a value is a message in any of the three ways in which LangChain writes one. */
export function isMessage(item: JsonView): boolean {
  const isConstructor = item.get('lc') !== undefined && /Message(Chunk)?$/.test(classOf(item));
  if (isConstructor) return true;
  if (!TYPE.test(item.get('type')?.text ?? '') || item.get('role') !== undefined) return false;
  // A record of a coding agent's session.
  if (item.firstOf('sessionId', 'session_id') !== undefined) return false;
  return item.get('data')?.isObject === true || item.get('content') !== undefined;
}

export const classOf = (item: JsonView): string => item.get('id')?.items.at(-1)?.text ?? '';

/** A piece of a streamed message, or the message that a client added up from pieces. */
export function isChunk(item: JsonView): boolean {
  return /Chunk$/.test(classOf(item) || (item.get('type')?.text ?? ''));
}
