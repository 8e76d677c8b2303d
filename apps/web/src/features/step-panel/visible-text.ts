/** A stretch of text as it may be shown, or a character that would not be seen or would mislead. */
export type TextPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mark'; readonly code: string; readonly name: string };

/**
 * Characters that hide, reorder or break what is shown: C0 and C1 controls (line feed and tab are
 * layout), soft hyphen, zero-width and bidirectional controls, line separators, interlinear and tag
 * characters, byte-order mark, lone surrogates.
 */
const UNSEEN_RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe007f],
];
const UNSEEN = new RegExp(
  `[${UNSEEN_RANGES.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join('')}]|\\p{Surrogate}`,
  'gu',
);

const NAMES: ReadonlyMap<number, string> = new Map([
  [0x00, 'null'],
  [0x07, 'bell'],
  [0x08, 'backspace'],
  [0x0d, 'carriage return'],
  [0x1b, 'escape'],
  [0x7f, 'delete'],
  [0xad, 'soft hyphen'],
  [0x200b, 'zero width space'],
  [0x200c, 'zero width non-joiner'],
  [0x200d, 'zero width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x2028, 'line separator'],
  [0x2029, 'paragraph separator'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'pop directional formatting'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2060, 'word joiner'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'pop directional isolate'],
  [0xfeff, 'byte-order mark'],
]);

const ZERO_WIDTH_JOINER = 0x200d;

/** Splits text at its unseen characters. Joiners inside an emoji are left where they belong. */
export function visiblePieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(UNSEEN)) {
    const at = match.index;
    const code = match[0].codePointAt(0) ?? 0;
    if (code === ZERO_WIDTH_JOINER && joinsEmoji(text, at)) continue;
    if (at > from) pieces.push({ kind: 'text', text: text.slice(from, at) });
    pieces.push({ kind: 'mark', code: codeText(code), name: nameOf(code) });
    from = at + match[0].length;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
}

/** A browser lays out a line at a time, and begins anew with all the rest of a word that has no end. */
const LONGEST_WORD = 500;

/**
 * Text between which a line may break, wherever a word (a base64 blob, a minified line) is longer than can
 * be laid out at once. Put together it is the text.
 */
export function breakable(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let wordFrom = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (isSpace(text.charCodeAt(at))) wordFrom = at + 1;
    else if (at - wordFrom >= LONGEST_WORD && !isTrail(text.charCodeAt(at))) {
      parts.push(text.slice(from, at));
      from = at;
      wordFrom = at;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

/** The second half of a character beyond U+FFFF. */
const isTrail = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Text on one line for places that take plain strings only (titles, names). */
export function visibleLine(text: string): string {
  return visiblePieces(text)
    .map((piece) =>
      piece.kind === 'text' ? piece.text.replace(/[\n\t]+/g, ' ') : `[${piece.code}]`,
    )
    .join('');
}

function codeText(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

function nameOf(code: number): string {
  const known = NAMES.get(code);
  if (known !== undefined) return known;
  if (code >= 0xd800 && code <= 0xdfff) return 'lone surrogate';
  if (code >= 0xe0000) return 'tag character';
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 'control character';
  return 'invisible character';
}

function joinsEmoji(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 3), at);
  const after = String.fromCodePoint(text.codePointAt(at + 1) ?? 0x20);
  return (
    /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?$/u.test(before) &&
    /^\p{Extended_Pictographic}|[\u2640\u2642]/u.test(after)
  );
}
