/**
 * Text of others as a terminal may show it: everything that a terminal would obey or hide (C0 and
 * C1 controls, escape sequences, bidirectional and zero-width characters, tags) becomes a visible
 * escape. One line in, one line out.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    switch (character) {
      case '\n':
        return '\\n';
      case '\r':
        return '\\r';
      case '\t':
        return '\\t';
      default: {
        const code = (character.codePointAt(0) ?? 0).toString(16);
        return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
      }
    }
  });
}

// Cc controls, Cf formats (bidi, zero width, tags), Zl and Zp separators, half characters.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;

/** A number of things: "1 step", "2 steps". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Cut at a number of characters, the cut shown. */
export function shorten(text: string, length: number): string {
  const characters = [...text.slice(0, (length + 1) * 2)];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
