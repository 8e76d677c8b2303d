/** What `visibleLine` writes in the place of a character that can't be seen. */
const MARKER = /\[U\+[0-9A-F]+\]/g;
const RTL = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const STRONG = /[\p{L}]/u;

/**
 * The direction of a line by its first letter, as `dir="auto"` finds it but for our own markers of unseen
 * characters: a line that is cut is cut at its end, whichever side that is. Undefined = that of the page.
 */
export function directionOf(line: string): 'rtl' | undefined {
  const first = STRONG.exec(line.replace(MARKER, ''))?.[0];
  return first !== undefined && RTL.test(first) ? 'rtl' : undefined;
}
