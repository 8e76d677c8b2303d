const OPENS: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSES: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * JSON up to where it nests deeper than `deepest`, all of it where it doesn't. To tell what a text is,
 * nothing that lies deeper matters, and a tree of millions of levels is slow and large.
 */
export function upToDepth(text: string, deepest: number): string {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (OPENS.has(code)) {
      depth += 1;
      if (depth > deepest) return text.slice(0, at);
    } else if (CLOSES.has(code)) depth -= 1;
  }
  return text;
}
