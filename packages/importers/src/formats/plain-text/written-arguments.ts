import { encodeString, parseJson } from '@misstep/json';

/**
 * `name: value, name: value` (or with `=`) as a JSON object, every value as it is written; null
 * where a value isn't JSON, because guessing its type would change what was sent.
 */
export function pairsToJson(text: string): string | null {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const key = /^\s*(?:--)?["']?([A-Za-z_$][\w$.-]*)["']?\s*[:=]\s*/.exec(text.slice(at));
    if (key?.[1] === undefined) return null;
    at += key[0].length;
    const end = valueEnd(text, at);
    const value = text.slice(at, end).trim();
    if (!parseJson(value).ok) return null;
    parts.push(`${encodeString(key[1])}: ${value}`);
    at = end;
    const separator = /^\s*,?\s*/.exec(text.slice(at));
    at += separator?.[0].length ?? 0;
  }
  return parts.length === 0 ? null : `{${parts.join(', ')}}`;
}

/** Where a value ends: at a comma (or blank, outside brackets and strings) or the end. */
function valueEnd(text: string, from: number): number {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (depth === 0 && (character === ',' || /\s/.test(character))) return at;
  }
  return text.length;
}
