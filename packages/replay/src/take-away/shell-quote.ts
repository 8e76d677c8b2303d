/**
 * A word for a POSIX shell that reaches the program byte for byte (POSIX.1-2017, 2.2.2): between
 * single quotes nothing means anything but the single quote. A text with U+0000 has no such word,
 * and no JSON text holds one.
 */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A comment line of a shell, JavaScript or Python file; nothing in it can end it. */
export function commentLines(marker: '#' | '//', lines: readonly string[]): string {
  return lines.map((line) => `${marker} ${line.replace(UNSEEN, escapeOne)}\n`).join('');
}

/**
 * A string literal of JavaScript and Python with the same meaning in both; characters that can't
 * be seen or turn the reading direction are escapes.
 */
export function sourceLiteral(text: string, language: 'javascript' | 'python'): string {
  const literal = JSON.stringify(text);
  return literal.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code <= 0xffff) return escapeOne(character);
    const hex = code.toString(16);
    return language === 'python' ? `\\U${hex.padStart(8, '0')}` : `\\u{${hex}}`;
  });
}

/** Controls, format characters (bidirectional ones among them), line and paragraph separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function escapeOne(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
