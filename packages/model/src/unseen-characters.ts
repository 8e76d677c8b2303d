/**
 * Characters that hide, reorder or pass for another: controls, formats (bidirectional, zero width,
 * tags), every space but the plain one, fillers and selectors that draw nothing, half characters.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Surrogate}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}/gu;

/** Text with every such character as its escape (`\u202e`, `\u{e0041}`), so that it is seen. */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** True where all of the text can be seen. */
export function isSeen(text: string): boolean {
  return text.search(UNSEEN) < 0;
}
