import { type CutMarker, linesCutAt } from './cut-marker.ts';
import { scanString } from './scan.ts';
import { closingQuote } from './text.ts';

export interface StringReach {
  end: number;
  /** False where the text ended before the closing quote. */
  closed: boolean;
  /** Where an escape begins that the end of the text cut off, else `end`. */
  contentEnd: number;
  /** The first deviation from RFC 8259 inside the string. */
  problem: { offset: number; message: string } | null;
  /** Where a terminal cut whole lines: the string is open and ends before that line. */
  linesCut: (CutMarker & { start: number }) | null;
}

/** Reads a string with any of the quotes that people and printers use, escapes or not. */
export function reachOfString(text: string, start: number): StringReach {
  if (text.charCodeAt(start) === 0x22) {
    const end = scanString(text, start);
    if (end >= 0) return { end, closed: true, contentEnd: end - 1, problem: null, linesCut: null };
  }
  const closer = closingQuote(text.charCodeAt(start));
  const closerCode = closer === 0 ? 0x22 : closer.charCodeAt(0);
  let problem: StringReach['problem'] = null;
  if (text.charCodeAt(start) !== 0x22) {
    problem = { offset: start, message: 'A string without straight double quotes.' };
  }
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === closerCode)
      return { end: at + 1, closed: true, contentEnd: at, problem, linesCut: null };
    if (code === 0x5c) {
      const width = tolerantEscapeWidth(text, at);
      if (at + width > text.length || (width === 1 && at + 6 > text.length)) {
        return { end: text.length, closed: false, contentEnd: at, problem, linesCut: null };
      }
      if (width === 1 || !'"\\/bfnrtu'.includes(text.charAt(at + 1))) {
        problem ??= { offset: at, message: 'A backslash that begins no JSON escape.' };
      }
      at += width === 1 ? 1 : width - 1;
    } else if (code < 0x20) {
      const linesCut = code === 0x0a ? linesCutAt(text, at) : null;
      if (linesCut !== null) return { end: at, closed: false, contentEnd: at, problem, linesCut };
      problem ??= { offset: at, message: 'A control character in a string.' };
    }
  }
  return { end: text.length, closed: false, contentEnd: text.length, problem, linesCut: null };
}

/** 2 or 6; 1 for `\u` without its four digits. May reach beyond the end of the text. */
function tolerantEscapeWidth(text: string, offset: number): number {
  if (text.charAt(offset + 1) !== 'u') return 2;
  return /^[0-9a-fA-F]{4}$/u.test(text.slice(offset + 2, offset + 6)) ? 6 : 1;
}
