/**
 * The same text without the line that it was cut out of: engines keep a cut text as a view into
 * the whole, so that an id that is remembered would keep its whole record in memory.
 */
export function ownText(text: string): string {
  if (text.length < 13) return text;
  // Made of its characters it stands by itself; for longer ones that would take too long.
  if (text.length <= MOST_BY_CHARACTER) {
    const codes: number[] = [];
    for (let at = 0; at < text.length; at += 1) codes.push(text.charCodeAt(at));
    return String.fromCharCode(...codes);
  }
  // Putting it together anew and cutting that makes a view into a text of its own length.
  return ` ${text}`.slice(1);
}

/** Ids are that short. */
const MOST_BY_CHARACTER = 64;
