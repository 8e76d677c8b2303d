/** Up to here a value is shown whole. */
const WHOLE_LENGTH = 60;
const LEAD_LENGTH = 12;
const PART_LENGTH = 40;

/**
 * What a narrow cell shows of a value: all of it while it is short, else the part where it leaves
 * the other one, with how many characters stand before and behind.
 */
export function shownPart(value: string, other: string | null): string {
  if (value.length <= WHOLE_LENGTH) return value;
  const common = other === null ? 0 : commonLength(value, other);
  const latest = Math.max(0, value.length - PART_LENGTH);
  const from = whole(value, Math.min(Math.max(0, common - LEAD_LENGTH), latest));
  const to = whole(value, Math.min(value.length, from + PART_LENGTH));
  const before = from === 0 ? '' : `(${from} before) `;
  const after = to === value.length ? '' : ` (${value.length - to} more)`;
  return `${before}${value.slice(from, to)}${after}`;
}

function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at += 1;
  return at;
}

/** Never within a surrogate pair. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
