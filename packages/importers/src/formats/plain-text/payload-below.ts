import { bracketExtent } from './json-extent.ts';
import { readLineHead } from './line-head.ts';
import type { TextSpan } from './payload.ts';
import type { TextLine } from './text-source.ts';

/** A payload's place, and the last line that its record takes. */
export interface PlacedSpan {
  readonly span: TextSpan;
  readonly lastLine: number;
}

const LABEL =
  /^[ \t]*(?:\*\*|_)?(?:arguments|args|input|params|parameters|action input|payload|with arguments|body)(?:\*\*|_)?[ \t]*:(?:\*\*|_)?[ \t]*/i;

/** JSON or a code fence under a line that ends before its payload; a label may stand before it. */
export function payloadBelow(lines: readonly TextLine[], number: number): PlacedSpan | null {
  let next = number + 1;
  const gap = lines[next]?.blank === true;
  if (gap) next += 1;
  let line = lines[next];
  if (line === undefined) return null;
  const label = LABEL.exec(line.body);
  if (label !== null) {
    const at = label[0].length;
    if (/[[{]/.test(line.body.charAt(at))) return bracketSpan(lines, next, at);
    if (line.body.slice(at).trim() !== '') return lineSpan(line, next, at);
    next += 1;
    line = lines[next];
    if (line === undefined) return null;
  }
  const fenced = fenceSpan(lines, next);
  if (fenced !== null) return fenced;
  if (gap && label === null) return null;
  // "[10:00:01] ..." is no list.
  if (readLineHead(line.body).time !== null) return null;
  const at = line.indent;
  return /[[{]/.test(line.body.charAt(at)) ? bracketSpan(lines, next, at) : null;
}

/** The lines inside a code fence that opens on line `number`. */
export function fenceSpan(lines: readonly TextLine[], number: number): PlacedSpan | null {
  const open = lines[number];
  const marker = /^\s*(```+|~~~+)/.exec(open?.body ?? '')?.[1];
  if (open === undefined || marker === undefined) return null;
  let last = number;
  for (let at = number + 1; at < lines.length; at += 1) {
    const line = lines[at];
    if (line === undefined) break;
    if (line.body.trim().startsWith(marker)) {
      return { span: wholeLines(lines, number + 1, last), lastLine: at };
    }
    // A fence that never closes ends where the transcript goes on.
    if (readLineHead(line.body).time !== null) break;
    if (!line.blank) last = at;
  }
  // Even an empty fence is the payload's: the lines to come may fill it.
  return { span: wholeLines(lines, number + 1, last), lastLine: last };
}

function wholeLines(lines: readonly TextLine[], from: number, to: number): TextSpan {
  const fromColumn = lines[from]?.indent ?? 0;
  if (to < from) return { fromLine: to, fromColumn: 0, toLine: to, toColumn: 0 };
  const toColumn = lines[to]?.body.trimEnd().length ?? 0;
  return { fromLine: from, fromColumn, toLine: to, toColumn };
}

export function bracketSpan(
  lines: readonly TextLine[],
  number: number,
  column: number,
): PlacedSpan & { closed: boolean } {
  const extent = bracketExtent(lines, { line: number, column });
  return {
    span: {
      fromLine: number,
      fromColumn: column,
      toLine: extent.line,
      toColumn: extent.column,
    },
    lastLine: extent.line,
    closed: extent.closed,
  };
}

export function lineSpan(line: TextLine, number: number, column: number): PlacedSpan {
  const toColumn = Math.max(column, line.body.trimEnd().length);
  return {
    span: { fromLine: number, fromColumn: column, toLine: number, toColumn },
    lastLine: number,
  };
}
