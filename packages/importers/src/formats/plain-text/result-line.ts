import { readLineHead } from './line-head.ts';
import type { TextSpan } from './payload.ts';
import {
  bracketSpan,
  fenceSpan,
  lineSpan,
  type PlacedSpan,
  payloadBelow,
} from './payload-below.ts';
import type { TextLine } from './text-source.ts';

export interface WrittenResult {
  /** A call's name where the result gives one; null = none. */
  readonly name: string | null;
  readonly error: boolean;
  /** Null = the line announces a result and shows nothing. */
  readonly payload: TextSpan | null;
  readonly lastLine: number;
  /** What stands behind the payload on its line and says that something is missing; '' = nothing. */
  readonly cutMark: string;
}

const HINT =
  /^(?:(?:from|for|of)[ \t]+)?(?:tools\/call[ \t]+)?[`("[]?([A-Za-z_$][\w$]*(?:[./-][\w$]+)*)[`)"\]]?[ \t]*(?:(?::|->|→|=>|=)[ \t]*)?/;
const VERDICT = /^(?:(result|response|output|error|failed|ok|success)\b[ \t]*:?[ \t]*)/i;
/** "(243 ms)", "200 OK". */
const TIMING =
  /^(?:\(?\d+(?:\.\d+)?[ \t]?m?s\)?|\d{3}(?:[ \t]+[A-Z][A-Za-z]{1,15})?)[ \t]*:?[ \t]*/;
const CUT_MARK = /^[ \t]*((?:…|\.\.\.|\[\.\.\.|\(\+|\(truncated|\[truncated).*)$/i;

/** Reads a result whose body begins at a column. `isOpenName` says whether a call waits by that name. */
export function readResultLine(
  lines: readonly TextLine[],
  number: number,
  column: number,
  error: boolean,
  isOpenName: (name: string) => boolean,
): WrittenResult {
  const line = lines[number];
  const body = line?.body ?? '';
  let at = column;
  let name: string | null = null;
  let failed = error;
  const skip = (pattern: RegExp, needsJson: boolean): RegExpExecArray | null => {
    const match = pattern.exec(body.slice(at));
    if (match === null) return null;
    if (needsJson && !/^[[{"“(]/.test(body.slice(at + match[0].length))) return null;
    at += match[0].length;
    return match;
  };
  const hint = HINT.exec(body.slice(at));
  if (hint?.[1] !== undefined && isOpenName(hint[1])) {
    name = hint[1];
    at += hint[0].length;
  }
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
  const after = placed === null ? '' : (lines[placed.span.toLine]?.body ?? '');
  const cutMark =
    placed === null ? '' : (CUT_MARK.exec(after.slice(placed.span.toColumn))?.[1] ?? '');
  return {
    name,
    error: failed,
    payload: placed?.span ?? null,
    lastLine: placed?.lastLine ?? number,
    cutMark: cutMark.trim(),
  };
}

function placeBody(
  lines: readonly TextLine[],
  number: number,
  line: TextLine,
  at: number,
): PlacedSpan | null {
  const rest = line.body.slice(at);
  if (/^\s*[[{]/.test(rest)) return bracketSpan(lines, number, at + rest.search(/\S/));
  if (/^\s*```/.test(rest)) return fenceSpan(lines, number);
  if (rest.trim() === '') return payloadBelow(lines, number) ?? textBelow(lines, number);
  return withIndented(lines, lineSpan(line, number, at + rest.search(/\S/)), line.indent);
}

/** Text right under the line, up to a blank line or one that begins something else. */
function textBelow(lines: readonly TextLine[], number: number): PlacedSpan | null {
  const first = lines[number + 1];
  if (first === undefined || !goesOn(first)) return null;
  let placed = lineSpan(first, number + 1, first.indent);
  for (let next = number + 2; next < lines.length; next += 1) {
    const line = lines[next];
    if (line === undefined || !goesOn(line)) break;
    placed = extend(placed, line, next);
  }
  return placed;
}

function withIndented(
  lines: readonly TextLine[],
  first: PlacedSpan,
  baseIndent: number,
): PlacedSpan {
  let placed = first;
  for (let next = first.lastLine + 1; next < lines.length; next += 1) {
    const line = lines[next];
    if (line === undefined || line.indent <= baseIndent || !goesOn(line)) break;
    placed = extend(placed, line, next);
  }
  return placed;
}

function extend(placed: PlacedSpan, line: TextLine, number: number): PlacedSpan {
  const toColumn = line.body.trimEnd().length;
  return { span: { ...placed.span, toLine: number, toColumn }, lastLine: number };
}

function goesOn(line: TextLine): boolean {
  if (line.blank) return false;
  const { head, time } = readLineHead(line.body);
  return time === null && head.type === 'text';
}
