import type { ValueTail } from './cut-mark.ts';
import type { TextSpan } from './payload.ts';
import { fenceSpan, payloadBelow } from './payload-below.ts';
import { type CallNames, readResultHead } from './result-head.ts';
import type { TextLine } from './text-source.ts';
import {
  bracketedValue,
  extendTo,
  goesOn,
  lineSpan,
  type PlacedSpan,
  withIndented,
} from './value-place.ts';

export interface WrittenResult {
  /** A call's name where the result gives one; null = none. */
  readonly name: string | null;
  /** Which call of the transcript it says it answers, counted from 1. */
  readonly ordinal: number | null;
  /** The name it gives where no call waits by it. */
  readonly stranger: string | null;
  readonly error: boolean;
  /** Null = the line announces a result and shows nothing. */
  readonly payload: TextSpan | null;
  readonly lastLine: number;
  readonly tail: ValueTail;
}

const IS_ERROR = /^[ \t]*[([]?isError[ \t]*[:=][ \t]*(true|false)\b[)\]]?[ \t]*(?:[,;:–-][ \t]*)?/i;
const VERDICT = /^(?:(result|response|output|error|failed|ok|success)\b[ \t]*:?[ \t]*)/i;
/** "(243 ms)", "200 OK". */
const TIMING =
  /^(?:\(?\d+(?:\.\d+)?[ \t]?m?s\)?|\d{3}(?:[ \t]+[A-Z][A-Za-z]{1,15})?)[ \t]*:?[ \t]*/;

/** Reads a result whose body begins at a column. */
export function readResultLine(
  lines: readonly TextLine[],
  number: number,
  column: number,
  error: boolean,
  names: CallNames,
): WrittenResult {
  const line = lines[number];
  const body = line?.body ?? '';
  let at = column;
  let failed = error;
  const skip = (pattern: RegExp, needsJson: boolean): RegExpExecArray | null => {
    const match = pattern.exec(body.slice(at));
    if (match === null) return null;
    if (needsJson && !/^[[{"“(]/.test(body.slice(at + match[0].length))) return null;
    at += match[0].length;
    return match;
  };
  const { name, ordinal, stranger, length } = readResultHead(body.slice(at), names);
  at += length;
  const flag = IS_ERROR.exec(body.slice(at));
  if (flag !== null) at += flag[0].length;
  if (/^true$/i.test(flag?.[1] ?? '')) failed = true;
  const verdict = VERDICT.exec(body.slice(at));
  if (verdict !== null && /^(error|failed)$/i.test(verdict[1] ?? '')) {
    failed = true;
    at += verdict[0].length;
  } else if (verdict !== null) {
    const isLabel = !/^(ok|success)$/i.test(verdict[1] ?? '');
    if (isLabel && body.slice(at + verdict[0].length).trim() === '') at = body.length;
    else skip(VERDICT, true);
  }
  skip(TIMING, true);
  const placed = line === undefined ? null : placeBody(lines, number, line, at);
  const tail = placed?.tail ?? { cutMark: '', note: '', isError: false };
  return {
    name,
    ordinal,
    stranger,
    error: failed || tail.isError,
    payload: placed?.span ?? null,
    lastLine: placed?.lastLine ?? number,
    tail,
  };
}

function placeBody(
  lines: readonly TextLine[],
  number: number,
  line: TextLine,
  at: number,
): PlacedSpan | null {
  const rest = line.body.slice(at);
  const from = at + rest.search(/\S/);
  if (/^\s*[[{]/.test(rest)) return bracketedValue(lines, number, from);
  if (/^\s*```/.test(rest)) return fenceSpan(lines, number);
  if (rest.trim() === '') return payloadBelow(lines, number) ?? textBelow(lines, number);
  return withIndented(lines, lineSpan(line, number, from), line.indent);
}

/** Text right under the line, up to a blank line or one that begins something else. */
function textBelow(lines: readonly TextLine[], number: number): PlacedSpan | null {
  const first = lines[number + 1];
  if (first === undefined || !goesOn(first)) return null;
  let placed = lineSpan(first, number + 1, first.indent);
  for (let next = number + 2; next < lines.length; next += 1) {
    const line = lines[next];
    if (line === undefined || !goesOn(line)) break;
    placed = extendTo(placed, line, next);
  }
  return placed;
}
