/**
 * JSON with comments and trailing commas, as editors keep it, to JSON: each becomes blanks, so that
 * places stay. Strings are left alone. What is wrong otherwise stays wrong.
 */
export function stripJsonc(text: string): string {
  const parts: string[] = [];
  let from = 0;
  let at = text.startsWith('\ufeff') ? 1 : 0;
  if (at === 1) {
    parts.push(' ');
    from = 1;
  }
  /** Of a comma after which nothing but blanks and comments has come. */
  let comma = -1;
  const blank = (start: number, end: number) => {
    parts.push(text.slice(from, start), text.slice(start, end).replace(/[^\r\n]/g, ' '));
    from = end;
  };
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') {
      at = endOfString(text, at);
      comma = -1;
    } else if (char === '/' && (text.charAt(at + 1) === '/' || text.charAt(at + 1) === '*')) {
      const end = endOfComment(text, at);
      blank(at, end);
      at = end;
    } else if ((char === '}' || char === ']') && comma >= 0) {
      dropComma(parts, comma, from, text);
      from = Math.max(from, comma + 1);
      comma = -1;
      at += 1;
    } else {
      if (char === ',') comma = at;
      else if (!/\s/.test(char)) comma = -1;
      at += 1;
    }
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** The comma may be in a part that was handed on already: parts keep the text's length. */
function dropComma(parts: string[], comma: number, from: number, text: string): void {
  if (comma >= from) {
    parts.push(text.slice(from, comma), ' ');
    return;
  }
  let end = from;
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts[index] ?? '';
    const start = end - part.length;
    if (comma >= start) {
      const place = comma - start;
      parts[index] = `${part.slice(0, place)} ${part.slice(place + 1)}`;
      return;
    }
    end = start;
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '"') return at + 1;
    // A string that is not closed ends with its line: the parser will say so there.
    else if (char === '\n') return at;
  }
  return text.length;
}

function endOfComment(text: string, start: number): number {
  if (text.charAt(start + 1) === '/') {
    const end = text.indexOf('\n', start);
    return end < 0 ? text.length : end;
  }
  const end = text.indexOf('*/', start + 2);
  return end < 0 ? text.length : end + 2;
}
