import { parseJson, readTolerant } from '@misstep/json';
import { valueText } from '@misstep/model';
import { markOfLine, readValueTail, type ValueTail } from './cut-mark.ts';
import { looksLikeExchange } from './exchange-look.ts';
import { bracketExtent } from './json-extent.ts';
import { readLineHead } from './line-head.ts';
import { decodeEntities, joinBodies, type TextSpan } from './payload.ts';
import { readNamedLine } from './result-head.ts';
import type { TextLine } from './text-source.ts';

/** A payload's place, and the last line that its record takes. */
export interface PlacedSpan {
  readonly span: TextSpan;
  readonly lastLine: number;
  /** False where brackets stand at its beginning and it is text all the same. */
  readonly isJson: boolean;
  readonly tail: ValueTail;
}

const NO_TAIL: ValueTail = { cutMark: '', note: '', isError: false };
/** Beyond this nobody wrote it by hand, and reading it as cut JSON costs too much. */
const LONGEST_READ = 4 * 1024 * 1024;

/**
 * The value that begins at a bracket. JSON ends where its brackets end, if nothing follows on that
 * line but what is known to follow values; whatever else stands in brackets is text, with its whole
 * line. `mayFollow` says of the rest of a line that it is something of its own.
 */
export function bracketedValue(
  lines: readonly TextLine[],
  number: number,
  column: number,
  mayFollow: (rest: string) => boolean = () => false,
): PlacedSpan {
  const extent = bracketExtent(lines, { line: number, column });
  const from = { fromLine: number, fromColumn: column };
  const span = { ...from, toLine: extent.line, toColumn: extent.column };
  const stop = foreignLine(lines, span);
  if (stop === null) {
    const rest = lines[extent.line]?.body.slice(extent.column) ?? '';
    const tail = mayFollow(rest) ? NO_TAIL : readValueTail(rest);
    if (tail !== null)
      return withMarkBelow(lines, { span, lastLine: extent.line, isJson: true, tail });
    return wholeLines(lines, number, column, extent.line);
  }
  if (stop > number && !extent.closed) {
    const toColumn = lines[stop - 1]?.body.length ?? 0;
    const before = { ...from, toLine: stop - 1, toColumn };
    if (foreignLine(lines, before) === null) {
      return { span: before, lastLine: stop - 1, isJson: true, tail: NO_TAIL };
    }
  }
  return wholeLines(lines, number, column, extent.closed ? extent.line : number);
}

/** A text from a column to the end of a line and the indented lines below it. */
function wholeLines(
  lines: readonly TextLine[],
  number: number,
  column: number,
  last: number,
): PlacedSpan {
  const toColumn = Math.max(lines[last]?.body.trimEnd().length ?? 0, last === number ? column : 0);
  const span = { fromLine: number, fromColumn: column, toLine: last, toColumn };
  const placed = { span, lastLine: last, isJson: false, tail: NO_TAIL };
  return withIndented(lines, placed, lines[number]?.indent ?? 0);
}

/** The line where a span's text stops being JSON, whole or cut; null where it is JSON to its end. */
function foreignLine(lines: readonly TextLine[], span: TextSpan): number | null {
  const written = decodeEntities(joinBodies(lines, span));
  if (parseJson(written).ok) return null;
  if (written.includes('\n') && parseJson(valueText('unwrapped', written)).ok) return null;
  if (written.length > LONGEST_READ) return null;
  const read = readTolerant(written);
  if (read !== null && written.slice(read.end).trim() === '') return null;
  return span.fromLine + (written.slice(0, read?.end ?? 0).match(/\n/g)?.length ?? 0);
}

/** Words that aren't JSON, to the end of their line. */
export function lineSpan(line: TextLine, number: number, column: number): PlacedSpan {
  const toColumn = Math.max(column, line.body.trimEnd().length);
  return {
    span: { fromLine: number, fromColumn: column, toLine: number, toColumn },
    lastLine: number,
    isJson: false,
    tail: NO_TAIL,
  };
}

/** Takes in the lines below that are indented deeper, and a mark of lines left out. */
export function withIndented(
  lines: readonly TextLine[],
  first: PlacedSpan,
  baseIndent: number,
): PlacedSpan {
  let placed = first;
  for (let next = first.lastLine + 1; next < lines.length; next += 1) {
    const line = lines[next];
    if (line === undefined || !goesOn(line)) break;
    if (line.indent <= baseIndent && markOfLine(line.body) === '') break;
    placed = extendTo(placed, line, next);
  }
  return placed;
}

export function extendTo(placed: PlacedSpan, line: TextLine, number: number): PlacedSpan {
  const toColumn = line.body.trimEnd().length;
  return { ...placed, span: { ...placed.span, toLine: number, toColumn }, lastLine: number };
}

/** Is the line part of a text that began above it? */
export function goesOn(line: TextLine): boolean {
  if (line.blank) return false;
  const { head, time } = readLineHead(line.body);
  if (time !== null || head.type !== 'text') return false;
  const named = readNamedLine(line.body.trimStart());
  return (named === null || !/[./_]/.test(named.name)) && !looksLikeExchange(line.body);
}

/** "... [3 more lines]" under a JSON value belongs to its record. */
function withMarkBelow(lines: readonly TextLine[], placed: PlacedSpan): PlacedSpan {
  const next = lines[placed.lastLine + 1];
  const mark = next === undefined || placed.tail.cutMark !== '' ? '' : markOfLine(next.body);
  if (mark === '') return placed;
  const tail = { ...placed.tail, cutMark: mark };
  return { ...placed, lastLine: placed.lastLine + 1, tail };
}
