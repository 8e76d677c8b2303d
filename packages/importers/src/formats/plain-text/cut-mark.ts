import type { Elision } from '@misstep/model';
import { type Range, textShownIn } from '../../shown-text.ts';

// What renderers and people write where they left something out of a text. Every quantifier is
// bounded, so that hostile text costs linear time.

const GAP = '[ \\t\\u00a0\\u202f]{0,4}';
const DOTS = '(?:\\u2026|\\u22ef|\\.{3,6})';
const NUMBER = "\\d{1,15}(?:[,._'\\u00a0\\u202f]\\d{3}){0,5}";
const NOUN =
  '(?:characters?|chars?|bytes?|[kKmM]i?[bB]|lines?|items?|rows?|records?|entries|entry|elements?|results?|values?|objects?|keys?|members?|fields?|properties|tokens?|words?)\\b';
const MORE = '(?:more|others?|additional|remaining|further)\\b';
const VERB =
  '(?:truncated|omitted|elided|hidden|skipped|clipped|snipped|removed|collapsed|not shown|cut(?: off)?)\\b';
const LABEL = '(?:(?:output|response|content|result|rest|text|value)\\s)?';
/** Words that claim a cut by themselves: "+3 chars", "20 more items", "truncated, 2048 bytes". */
const CLAIM =
  `(?:(?:and )?\\+${GAP}${NUMBER}(?:${GAP}${MORE})?(?:${GAP}${NOUN})?(?:${GAP}${VERB})?|` +
  `(?:and )?${NUMBER}${GAP}${MORE}(?:${GAP}${NOUN})?(?:${GAP}${VERB})?|` +
  `${NUMBER}(?:${GAP}${NOUN})?${GAP}${VERB}|` +
  `${LABEL}${VERB}(?:${GAP}[:,;]?${GAP}(?:(?:at|by|to|after) )?\\+?${NUMBER}(?:${GAP}${MORE})?(?:${GAP}${NOUN})?)?)`;
/** What counts as a claim behind dots. */
const AMOUNT = `(?:${CLAIM}|${NUMBER}${GAP}${NOUN})`;
const bracketed = (body: string): string =>
  `(?:\\(${GAP}${DOTS}?${GAP}${body}${GAP}${DOTS}?${GAP}\\)|\\[${GAP}${DOTS}?${GAP}${body}${GAP}${DOTS}?${GAP}\\]|<${GAP}${DOTS}?${GAP}${body}${GAP}${DOTS}?${GAP}>)`;
const HINT = `(?:${GAP}\\((?:ctrl|cmd|click|press|tab)[^()\\n]{0,40}\\))?`;
const MARK = `(?:${DOTS}${GAP}(?:${bracketed(AMOUNT)}|${AMOUNT})(?:${GAP}${DOTS})?|${bracketed(CLAIM)}|[[(<]${DOTS}[\\])>])${HINT}`;

const AT_LINE_END = new RegExp(`(${MARK})[ \\t.]{0,4}$`, 'iu');
const WHOLE_LINE = new RegExp(`^[ \\t]*(${MARK}|${CLAIM}${HINT}|${DOTS})[ \\t.]{0,4}$`, 'iu');
const DOTS_AT_END = /[\u2026\u22ef]$/u;
/** A mark stands near the end of its line. */
const REACH = 160;
const MOST_CUTS = 1000;

const DURATION = `(?:[([]${GAP})?(?:(?:took|in|after)${GAP})?~?\\d{1,12}(?:\\.\\d{1,9})?${GAP}(?:ms|[µu]s|s|secs?|seconds?|milliseconds?|min|minutes?)\\b(?:${GAP}[)\\]])?`;
const FAILED = `(?:[([]${GAP})?isError${GAP}[:=]${GAP}(?:true|false)\\b(?:${GAP}[)\\]])?`;
const TAIL = new RegExp(
  `^[ \\t]*(?:\`{1,3}|\\*\\*)?[ \\t]*(?:[,;]|\\.(?!\\.))?[ \\t]*(${MARK}|${CLAIM}|${DOTS})?[ \\t]*(${DURATION})?[ \\t]*(${FAILED})?[ \\t]*[,;.]?[ \\t]*(?:\`{1,3})?[ \\t]*$`,
  'iu',
);

/** What stands behind a JSON value on its line. */
export interface ValueTail {
  /** It says that something is missing; '' = nothing. */
  readonly cutMark: string;
  /** It is neither the value nor a cut mark: how long it took, or that it failed. '' = nothing. */
  readonly note: string;
  readonly isError: boolean;
}

/** Reads what stands behind a JSON value; null where it is text of which the value is only a part. */
export function readValueTail(text: string): ValueTail | null {
  if (text.trim() === '') return { cutMark: '', note: '', isError: false };
  if (text.length > REACH) return null;
  const match = TAIL.exec(text);
  if (match === null) return null;
  const [, cutMark = '', duration = '', failed = ''] = match;
  const note = [duration, failed].filter((each) => each !== '').join(' ');
  return { cutMark, note, isError: /true/i.test(failed) };
}

/** The mark of a line that holds nothing else; '' = the line is no mark. */
export function markOfLine(body: string): string {
  return body.length > REACH ? '' : (WHOLE_LINE.exec(body)?.[1] ?? '');
}

/** The places where a text that is no JSON says that something is missing. */
export function cutsInText(text: string): Elision[] {
  const cuts: Elision[] = [];
  const lines = text.trimEnd().split('\n');
  let start = 0;
  let shown: readonly Range[] | null = null;
  for (const [number, line] of lines.entries()) {
    if (cuts.length >= MOST_CUTS) break;
    const end = line.trimEnd().slice(-REACH);
    const isLast = number === lines.length - 1;
    const alone = line.length > REACH ? '' : markOfLine(line);
    const isVague = /^[.\u2026\u22ef]+$/u.test(alone);
    const behind = AT_LINE_END.exec(end)?.[1] ?? '';
    const mark =
      alone !== '' && (!isVague || isLast)
        ? alone
        : // A line in the middle that ends with one may as well talk of it, if it says no amount.
          isLast || /\d/.test(behind)
          ? behind || (isLast ? (DOTS_AT_END.exec(end)?.[0] ?? '') : '')
          : '';
    const from = start;
    start += line.length + 1;
    if (mark === '') continue;
    shown ??= textShownIn(text);
    if (!shown.some((range) => from >= range.start && from < range.end)) cuts.push(elisionOf(mark));
  }
  return cuts;
}

/** A mark as an elision of the whole value, as far as the mark says how much is missing. */
export function elisionOf(marker: string): Elision {
  const found = new RegExp(`(${NUMBER})${GAP}(?:${MORE}${GAP})?(${NOUN})`, 'iu').exec(marker);
  const kind = kindOf((found?.[2] ?? '').toLowerCase());
  // "truncated at 2048 bytes" tells what is there, not what is missing.
  const isReach = /\b(?:at|to|after) \d/iu.test(marker) || /^[km]i?b$/iu.test(found?.[2] ?? '');
  const digits = found?.[1]?.replace(/\D/gu, '');
  const count = digits === undefined || isReach || kind === 'tail' ? null : Number(digits);
  return { pointer: '', kind, count: Number.isSafeInteger(count) ? count : null, marker };
}

function kindOf(noun: string): Elision['kind'] {
  if (noun.startsWith('char')) return 'characters';
  if (noun.startsWith('byte') || /^[km]i?b$/.test(noun)) return 'bytes';
  if (noun.startsWith('line')) return 'lines';
  if (/^(?:key|member|field|propert)/.test(noun)) return 'members';
  if (noun.startsWith('token')) return 'tokens';
  return noun === '' || noun.startsWith('word') ? 'tail' : 'items';
}
