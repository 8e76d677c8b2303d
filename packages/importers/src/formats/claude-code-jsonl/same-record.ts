import { decodeUtf8, member, parseJson } from '@misstep/json';

/** True where a record's text is that of an earlier line's bytes, apart from the session id. */
export function isSameRecord(text: string, earlier: Uint8Array): boolean {
  const before = decodeUtf8(earlier).text.replace(/^\ufeff/, '');
  return withoutSession(text) === withoutSession(before.replace(/\r{1,2}$/, ''));
}

/** The text with the value of its own `sessionId` (not of one deeper down) left out. */
function withoutSession(text: string): string {
  const parsed = parseJson(text);
  if (!parsed.ok) return text;
  const id = member(parsed.value, parsed.value.root, 'sessionId');
  return id?.kind === 'string' ? text.slice(0, id.start) + text.slice(id.end) : text;
}
