import { type JsonNode, parseJson, type TolerantDocument } from '@misstep/json';

export const TYPOGRAPHIC_QUOTE = /[“”„‟]/;

/**
 * JSON whose quotes a word processor or chat made typographic, with straight quotes; null where
 * more than the quotes keeps it from being JSON.
 */
export function straightenQuotes({ text, root, elisions }: TolerantDocument): string | null {
  if (elisions.length > 0) return null;
  const strings: JsonNode[] = [];
  const open: JsonNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'string') strings.push(node);
    else if (node.kind === 'array') for (const item of node.items) open.push(item);
    else if (node.kind === 'object') {
      for (const { key, value } of node.members) {
        strings.push(key);
        open.push(value);
      }
    }
  }
  strings.sort((a, b) => a.start - b.start);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of strings) {
    if (!TYPOGRAPHIC_QUOTE.test(text.charAt(start))) continue;
    parts.push(text.slice(at, start), `"${straightInside(text.slice(start + 1, end - 1))}"`);
    at = end;
  }
  parts.push(text.slice(at));
  const straight = parts.join('').trim();
  return parseJson(straight).ok ? straight : null;
}

/** The inside of a string: escapes stay as they are, but for those of the quotes themselves. */
function straightInside(inside: string): string {
  return inside.replace(/\\(?:.)|"/gsu, (each) =>
    each === '"' || TYPOGRAPHIC_QUOTE.test(each) ? '\\"' : each,
  );
}
