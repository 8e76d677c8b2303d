import { isDigit } from './scan.ts';

/**
 * What renderers write where they left something out. Every quantifier is bounded or consumes what
 * it matched, so hostile text costs linear time.
 */
type MarkerUnit = 'items' | 'members' | 'characters' | 'lines' | 'unknown';

export interface CutMarker {
  end: number;
  unit: MarkerUnit;
  /** How much is missing, where the marker says so. */
  count: number | null;
  /** A printer's stand-in for one whole value, such as [Object]. */
  standsForOne?: true;
}

const GAP = '[ \\t\\u00a0\\u202f]{0,4}';
export const ELLIPSIS = '(?:\\u2026|\\u22ef|\\.{2,})';
const COUNT = "\\d+(?:[,._'\\u00a0\\u202f ]\\d{3})*";
const QUALIFIER = '(?:more|other|others|additional|remaining|further|nested|array|object|list)';
const CHARACTER_NOUN = 'characters?|chars?|bytes?|tokens?|words?';
const NOUN = `(?:items?|elements?|entries|entry|rows?|records?|objects?|results?|values?|keys?|properties|property|members?|fields?|attributes?|pairs?|lines?|${CHARACTER_NOUN})`;
const VERB =
  '(?:not shown|(?:was |were )?(?:omitted|truncated|hidden|elided|skipped|collapsed|snipped|clipped|removed|cut))';
const LABEL = '(?:(?:output|response|content|result|rest|string|text|value)\\s?)?';
const HINT = '(?:\\((?:ctrl|cmd|click|press|tab)[^()\\n]{0,40}\\))';

/** "+20 more items", "20 items omitted", "and 3 more": a count with at least one word or a plus. */
const COUNTED =
  `(?:and${GAP})?(?:\\+${GAP}(?:${COUNT})(?:${GAP}${QUALIFIER}){0,3}(?:${GAP}${NOUN}\\b)?|` +
  `(?:${COUNT})(?:${GAP}${QUALIFIER}\\b){1,3}(?:${GAP}${NOUN}\\b)?|` +
  `(?:${COUNT})${GAP}${NOUN}\\b|(?:${COUNT})(?=${GAP}${VERB}))(?:${GAP}${VERB}\\b)?`;
/** "truncated", "output truncated: 312 chars", "truncated 312 chars". */
const STATED = `${LABEL}${VERB}\\b(?:${GAP}[:,]?${GAP}(?:${COUNTED}|${COUNT}))?`;
const BODY = `(?:${COUNTED}|${STATED}|more)`;
const DOTS = `(?:${ELLIPSIS}${GAP})?`;
const BRACKETED = (body: string): string =>
  `(?:\\(${GAP}${DOTS}${body}${GAP}${DOTS}\\)|\\[${GAP}${DOTS}${body}${GAP}${DOTS}\\]|<${GAP}${DOTS}${body}${GAP}${DOTS}>)`;

const LEADING = new RegExp(
  `${ELLIPSIS}(?:${GAP}(?:${BRACKETED(BODY)}|${BODY}))?(?:${GAP}${HINT})?(?:${GAP}${ELLIPSIS})?`,
  'iuy',
);
const BARE = new RegExp(`${COUNTED}(?:${GAP}${HINT})?(?:${GAP}${ELLIPSIS})?`, 'iuy');
const PAREN = new RegExp(
  `(?:\\(${GAP}${DOTS}${BODY}${GAP}${DOTS}\\)|<${GAP}${DOTS}${BODY}${GAP}${DOTS}>|[(<]${ELLIPSIS}[)>])(?:${GAP}${HINT})?`,
  'iuy',
);
const PLACEHOLDER =
  /\[(?:Object(?:: null prototype(?!\][ \t]{0,4}\{))?|Array(?:\(\d+\))?|(?:Async|Generator|AsyncGenerator)?Function[^[\]\n]{0,80}|Circular[^[\]\n]{0,20}|[GS]etter(?:\/Setter)?|class [^[\]\n]{0,80})\]/uy;
const STATED_BRACKET = new RegExp(
  `\\[${GAP}(?:${STATED}|${COUNTED}${GAP}${VERB})${GAP}${DOTS}\\]`,
  'iuy',
);
const HAS_MARKER = new RegExp(`${ELLIPSIS}|${COUNTED}|${STATED}`, 'iu');

function exec(pattern: RegExp, text: string, offset: number): string | null {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0] ?? null;
}

/**
 * The marker at an offset where an item, a member or a value could stand, or null. Only characters
 * that can begin one are looked at.
 */
export function markerAt(text: string, offset: number): CutMarker | null {
  const printed = text.charAt(offset) === '[' ? exec(PLACEHOLDER, text, offset) : null;
  if (printed !== null) {
    const length = /^\[Array\((\d{1,15})\)\]$/u.exec(printed)?.[1];
    const count = length === undefined ? null : Number(length);
    return { end: offset + printed.length, unit: 'unknown', count, standsForOne: true };
  }
  const found = markerTextAt(text, offset);
  return found === null ? null : describeMarker(found, offset + found.length);
}

function markerTextAt(text: string, offset: number): string | null {
  switch (text.charAt(offset)) {
    case '…':
    case '⋯':
    case '.':
      return exec(LEADING, text, offset);
    case '(':
    case '<':
      return exec(PAREN, text, offset);
    case '[':
      return exec(STATED_BRACKET, text, offset);
    case '/':
      return commentAt(text, offset);
    case '+':
    case 'a':
      return exec(BARE, text, offset);
    default:
      return isCountWithWord(text, offset) ? exec(BARE, text, offset) : null;
  }
}

const LONGEST_COUNT = 24;

/** Digits, perhaps in groups, with a letter after them: spares every plain number the pattern. */
function isCountWithWord(text: string, offset: number): boolean {
  if (!isDigit(text.charCodeAt(offset))) return false;
  for (let at = offset + 1; at < offset + LONGEST_COUNT; at += 1) {
    const character = text.charAt(at);
    if (isDigit(text.charCodeAt(at)) || ",._' \t\u00a0\u202f".includes(character)) {
      if (character === '') return false;
      continue;
    }
    return /[a-z]/iu.test(character);
  }
  return false;
}

/** A comment that says something was left out; any other comment is no marker. */
function commentAt(text: string, offset: number): string | null {
  const end = commentEnd(text, offset);
  if (end < 0) return null;
  const comment = text.slice(offset, Math.min(end, offset + 400));
  return HAS_MARKER.test(comment) ? text.slice(offset, end) : null;
}

/** The end of a comment at this offset (for `//` before the line break), or -1. */
export function commentEnd(text: string, offset: number): number {
  if (text.charCodeAt(offset) !== 0x2f) return -1;
  if (text.startsWith('//', offset)) {
    const newline = text.indexOf('\n', offset);
    return newline < 0 ? text.length : newline;
  }
  if (!text.startsWith('/*', offset)) return -1;
  const close = text.indexOf('*/', offset + 2);
  return close < 0 ? -1 : close + 2;
}

const FIRST_COUNT = new RegExp(COUNT, 'u');
const UNITS: readonly [MarkerUnit, RegExp][] = [
  ['characters', new RegExp(`\\b(?:${CHARACTER_NOUN})\\b`, 'iu')],
  ['lines', /\blines?\b/iu],
  ['members', /\b(?:keys?|properties|property|members?|fields?|attributes?|pairs?)\b/iu],
  ['items', /\b(?:items?|elements?|entries|entry|rows?|records?|objects?|results?|values?)\b/iu],
];

/** Reads count and unit out of a marker's text. */
export function describeMarker(marker: string, end: number): CutMarker {
  const digits = FIRST_COUNT.exec(marker.slice(0, 400))?.[0].replace(/\D/gu, '');
  const count = digits === undefined ? null : Number(digits);
  const unit = UNITS.find(([, pattern]) => pattern.test(marker))?.[0] ?? 'unknown';
  return { end, unit, count: count !== null && Number.isSafeInteger(count) ? count : null };
}

const CHARACTERS = `(?:\\+${GAP})?${COUNT}${GAP}(?:${QUALIFIER}${GAP}){0,3}(?:${CHARACTER_NOUN})\\b(?:${GAP}${VERB}\\b)?`;
const AFTER_STRING = new RegExp(
  `${GAP}(?:${BRACKETED(`(?:${CHARACTERS}|\\+?${GAP}${COUNT}${GAP}(?:${QUALIFIER}${GAP})?lines?|${STATED})`)}|(?:${ELLIPSIS}${GAP})?${CHARACTERS}|${ELLIPSIS}${GAP}${BRACKETED(CHARACTERS)})`,
  'iuy',
);
const DOTS_AFTER_STRING = new RegExp(`${ELLIPSIS}(?=\\s*(?:[,}\\]]|$))`, 'uy');

/** Dots right after a closing quote, which may speak of the string or of what follows it; or -1. */
export function dotsAfterStringEnd(text: string, offset: number): number {
  const dots = exec(DOTS_AFTER_STRING, text, offset);
  return dots === null ? -1 : offset + dots.length;
}

/** A marker that follows a string's closing quote and speaks of that string. */
export function markerAfterString(text: string, offset: number): CutMarker | null {
  const found = exec(AFTER_STRING, text, offset);
  if (found === null) return null;
  const marker = describeMarker(found, offset + found.length);
  return marker.unit === 'lines' ? marker : { ...marker, unit: 'characters' };
}

const LINES_CUT = new RegExp(
  `\\n\\s{0,40}?${ELLIPSIS}${GAP}\\+${GAP}${COUNT}${GAP}lines?\\b(?:${GAP}${HINT})?`,
  'iuy',
);

/** At a line break inside a string: "… +31 lines", where a terminal cut whatever stood there. */
export function linesCutAt(text: string, offset: number): (CutMarker & { start: number }) | null {
  const found = exec(LINES_CUT, text, offset);
  if (found === null) return null;
  const end = offset + found.length;
  return { start: end - found.trimStart().length, ...describeMarker(found, end) };
}

const LITERAL_ELLIPSIS = '(?:\\u2026|\\u22ef|\\.{2,}|\\\\u2026)';
const IN_STRING = `(?:\\+${GAP})?${COUNT}${GAP}(?:${QUALIFIER}${GAP}){0,3}(?:${CHARACTER_NOUN}|lines?)\\b(?:${GAP}${VERB}\\b)?`;
const STRING_BRACKET = (body: string): string =>
  `(?:\\(${GAP}${body}${GAP}\\)|\\[${GAP}${body}${GAP}\\]|<${GAP}${body}${GAP}>)`;
const INNER_STATED = `(?:${LITERAL_ELLIPSIS}${GAP})?(?:${IN_STRING}|${STATED})(?:${GAP}${LITERAL_ELLIPSIS})?`;
const STRING_END = new RegExp(
  `(?:${LITERAL_ELLIPSIS}${GAP}(?:${STRING_BRACKET(INNER_STATED)}|${IN_STRING})(?:${GAP}${HINT})?(?:${GAP}${LITERAL_ELLIPSIS})?|` +
    `${STRING_BRACKET(`(?:${LITERAL_ELLIPSIS}${GAP})?(?:${STATED}|${COUNT}${GAP}(?:${QUALIFIER}${GAP}){0,3}(?:${CHARACTER_NOUN}|lines?)${GAP}${VERB})(?:${GAP}${LITERAL_ELLIPSIS})?`)}|` +
    `(?:\\u2026|\\\\u2026))$`,
  'iu',
);
const MARKER_REACH = 160;
const DOTS_SOMEWHERE = /[…⋯]|\.\.|\\u2026/u;

/** A marker that ends a string's content; `from` and `to` bound the content without its quotes. */
export function markerAtStringEnd(
  text: string,
  from: number,
  to: number,
): (CutMarker & { start: number }) | null {
  if (text.slice(from, to) === '...') {
    return { start: from, end: to, unit: 'characters', count: null };
  }
  const reachFrom = Math.max(from, to - MARKER_REACH);
  const last = text.charAt(to - 1);
  if (!')]>'.includes(last) && !DOTS_SOMEWHERE.test(text.slice(reachFrom, to))) return null;
  const match = STRING_END.exec(text.slice(reachFrom, to));
  if (match === null) return null;
  const marker = match[0];
  const said = describeMarker(marker.replace(/\\u2026/giu, '…'), to);
  return {
    start: reachFrom + match.index,
    end: to,
    unit: said.unit === 'lines' ? 'lines' : 'characters',
    count: said.count,
  };
}
