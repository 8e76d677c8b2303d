import { readValueTail, type ValueTail } from './cut-mark.ts';
import { bracketExtent } from './json-extent.ts';
import { readLineHead } from './line-head.ts';
import type { TextSpan } from './payload.ts';
import { payloadBelow } from './payload-below.ts';
import type { TextLine } from './text-source.ts';
import { bracketedValue, lineSpan, type PlacedSpan } from './value-place.ts';

/** A call as a line (and those below it) says it. */
export interface WrittenCall {
  /** As written; null where only JSON follows, which may name the tool itself. */
  readonly name: string | null;
  /** The arguments' place; null = the text shows none. */
  readonly payload: TextSpan | null;
  /** `pairs` = `name: value, name: value` between round brackets or behind the name. */
  readonly form: 'json' | 'pairs' | 'none' | 'empty';
  readonly lastLine: number;
  /** Column on the last line where a result follows on the same line; null = none. */
  readonly resultAt: number | null;
  readonly tail: ValueTail;
}

const NO_TAIL: ValueTail = { cutMark: '', note: '', isError: false };

const METHOD = /^tools\/call[ \t]*:?[ \t]*/i;
const NAME = /^(?:\*\*|`|")?([A-Za-z_$][\w$]*(?:[./-][\w$]+)*)(?:\*\*|`|")?/;
const GLUE =
  /^[ \t]*(?:(?:with|using)[ \t]+)?(?:(?:the[ \t]+)?(?:args|arguments|params|parameters|input|payload)\b[ \t]*)?[:=]?[ \t]*`?/i;
const PAIR_START = /^[ \t]+(?:--)?[A-Za-z_][\w.-]*[ \t]*[:=]/;
const INLINE_RESULT = /^[ \t]*(?:→|->|=>|←|<-|<=)[ \t]*/;

/** Reads a call that begins at a column; null where no call can be read. */
export function readCallLine(
  lines: readonly TextLine[],
  number: number,
  column: number,
  { sure, stamped, word }: { sure: boolean; stamped: boolean; word: boolean },
): WrittenCall | null {
  const line = lines[number];
  if (line === undefined) return null;
  const method = METHOD.exec(line.body.slice(column))?.[0].length ?? 0;
  const at = column + method;
  const rest = line.body.slice(at);
  if (/^[[{]/.test(rest)) {
    return sure || method > 0 ? jsonCall(lines, null, valueAfter(lines, number, at)) : null;
  }
  const match = NAME.exec(rest);
  const name = match?.[1];
  if (match === null || name === undefined) {
    if (rest.trim() !== '') return null;
    const below = payloadBelow(lines, number);
    if (below !== null) return sure || method > 0 || word ? jsonCall(lines, null, below) : null;
    return callBelow(lines, number);
  }
  const decorated = /^[`*"]/.test(match[0]);
  const certain = method > 0 || decorated || stamped || /[_./\d-]|[a-z][A-Z]/.test(name);
  const behindName = at + match[0].length;
  const tail = line.body.slice(behindName);
  if (/^[ \t]?\(/.test(tail)) {
    return bracketCall(lines, number, line.body.indexOf('(', behindName), name, certain);
  }
  const glue = behindName + (GLUE.exec(tail)?.[0].length ?? 0);
  const first = line.body.charAt(glue);
  if (first === '{' || first === '[') {
    const placed = valueAfter(lines, number, glue);
    return placed.isJson || certain ? jsonCall(lines, name, placed) : null;
  }
  if (line.body.slice(glue).trim() === '') {
    const below = payloadBelow(lines, number);
    if (below !== null) return jsonCall(lines, name, below);
    if (!certain) return null;
    return { name, payload: null, form: 'none', lastLine: number, resultAt: null, tail: NO_TAIL };
  }
  if (certain && /^["“]/.test(first)) return jsonCall(lines, name, lineSpan(line, number, glue));
  if (!certain || !PAIR_START.test(tail)) return null;
  const { span } = lineSpan(line, number, behindName + (tail.length - tail.trimStart().length));
  return { name, payload: span, form: 'pairs', lastLine: number, resultAt: null, tail: NO_TAIL };
}

/** "Called tool" alone on its line, the call on the next. */
function callBelow(lines: readonly TextLine[], number: number): WrittenCall | null {
  const next = lines[number + 1];
  if (next === undefined || next.blank) return null;
  const { head, time } = readLineHead(next.body);
  if (head.type !== 'text' || time !== null || !/^\s*`?[\w$./-]+`?[ \t]?[({[]/.test(next.body))
    return null;
  return readCallLine(lines, number + 1, next.indent, { sure: false, stamped: false, word: false });
}

function valueAfter(lines: readonly TextLine[], number: number, column: number): PlacedSpan {
  return bracketedValue(lines, number, column, (rest) => INLINE_RESULT.test(rest));
}

function jsonCall(
  lines: readonly TextLine[],
  name: string | null,
  { span, lastLine, tail }: PlacedSpan,
): WrittenCall {
  const resultAt = span.toLine === lastLine ? inlineResult(lines, lastLine, span.toColumn) : null;
  return { name, payload: span, form: 'json', lastLine, resultAt, tail };
}

function bracketCall(
  lines: readonly TextLine[],
  number: number,
  column: number,
  name: string,
  certain: boolean,
): WrittenCall | null {
  const { closed, line: lastLine, column: end } = bracketExtent(lines, { line: number, column });
  const inner: TextSpan = {
    fromLine: number,
    fromColumn: column + 1,
    toLine: lastLine,
    toColumn: closed ? end - 1 : end,
  };
  const text =
    inner.toLine === number
      ? (lines[number]?.body.slice(inner.fromColumn, inner.toColumn) ?? '')
      : (lines[number]?.body.slice(inner.fromColumn) ?? '');
  const resultAt = inlineResult(lines, lastLine, end);
  const rest = resultAt === null ? (lines[lastLine]?.body.slice(end) ?? '') : '';
  const tail = readValueTail(rest) ?? { ...NO_TAIL, note: rest.trim() };
  const common = { name, lastLine, resultAt, tail };
  if (closed && inner.toLine === number && text.trim() === '') {
    return { ...common, payload: inner, form: 'empty' };
  }
  const blank = text.length - text.trimStart().length;
  const trimmed = { ...inner, fromColumn: inner.fromColumn + blank };
  const json = /^\s*[[{]/.test(text) || (text.trim() === '' && closed);
  if (json) return { ...common, payload: trimmed, form: 'json' };
  if (/^\s*[\w$.-]+\s*[:=]/.test(text)) return { ...common, payload: trimmed, form: 'pairs' };
  return certain ? { ...common, payload: trimmed, form: 'pairs' } : null;
}

function inlineResult(lines: readonly TextLine[], number: number, column: number): number | null {
  const rest = lines[number]?.body.slice(column) ?? '';
  const arrow = INLINE_RESULT.exec(rest);
  if (arrow === null || rest.length === arrow[0].length) return null;
  return column + arrow[0].length;
}
