/**
 * The same text without the line that it was cut out of: engines keep a cut text as a view into
 * the whole, so that an id that is remembered would keep its whole record in memory.
 */
export function ownText(text: string): string {
  // Putting it together anew and cutting that makes a view into a text of its own length.
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
