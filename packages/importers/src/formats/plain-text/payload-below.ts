import { readLineHead } from './line-head.ts';
import type { TextLine } from './text-source.ts';
import { bracketedValue, lineSpan, type PlacedSpan } from './value-place.ts';

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
    if (/[[{]/.test(line.body.charAt(at))) return bracketedValue(lines, next, at);
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
  return /[[{]/.test(line.body.charAt(at)) ? bracketedValue(lines, next, at) : null;
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
    if (line.body.trim().startsWith(marker)) return wholeLines(lines, number + 1, last, at);
    // A fence that never closes ends where the transcript goes on.
    if (readLineHead(line.body).time !== null) break;
    if (!line.blank) last = at;
  }
  // Even an empty fence is the payload's: the lines to come may fill it.
  return wholeLines(lines, number + 1, last, last);
}

function wholeLines(
  lines: readonly TextLine[],
  from: number,
  to: number,
  lastLine: number,
): PlacedSpan {
  const tail = { cutMark: '', note: '', isError: false };
  const span =
    to < from
      ? { fromLine: to, fromColumn: 0, toLine: to, toColumn: 0 }
      : {
          fromLine: from,
          fromColumn: lines[from]?.indent ?? 0,
          toLine: to,
          toColumn: lines[to]?.body.trimEnd().length ?? 0,
        };
  return { span, lastLine, isJson: true, tail };
}
