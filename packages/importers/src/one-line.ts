/** The longest summary of a step, in UTF-16 units. */
export const SUMMARY_LENGTH = 240;

/** Text on one line: white space and control characters become one blank, cut at `limit` with "…". */
export function oneLine(text: string, limit = SUMMARY_LENGTH): string {
  // Only as much as can be shown is looked at: results may be many megabytes.
  const flat = text
    .slice(0, limit * 4)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go.
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim();
  return clip(flat, limit);
}

/** The first line that isn't blank, as one line. */
export function firstLine(text: string, limit = SUMMARY_LENGTH): string {
  const match = /[^\r\n]*\S[^\r\n]*/.exec(text.slice(0, 20_000));
  return oneLine(match?.[0] ?? '', limit);
}

function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = limit - 1;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}
