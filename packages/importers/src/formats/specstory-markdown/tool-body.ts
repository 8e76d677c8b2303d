import type { DocumentLine } from '../../text-document.ts';
import type { TextSpan, ToolBlock } from './tool-block.ts';

/** Lines from one to before another. */
interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** What a block shows of a call, apart. */
export interface ToolBody {
  readonly given: LineRange | null;
  /** Null: the block shows none. An empty one has equal ends. */
  readonly result: TextSpan | null;
}

type Lines = readonly DocumentLine[];

const RESULT_LABEL =
  /^(?:#{1,4} )?(?:\*\*)?(?:Output|Results?|Answer|Response):(?:\*\*)?[ \t]*|^#{1,4} (?:Output|Results?)$/;

/**
 * Where in a block the arguments end and the result begins: at the first fence of text, at a label, or
 * at the first fence without a language. Where the head says what was asked, the rest is what came.
 */
export function splitBody(lines: Lines, { from, to, about, isFramed }: ToolBlock): ToolBody {
  const body = (at: number): string => lines[at]?.body ?? '';
  let text = from;
  while (text < to && !/^`{3,}text$/.test(body(text))) text += 1;
  if (text < to) return { given: rangeOf(from, text), result: fenced(lines, text, to) };
  const { label, bare } = marksIn(lines, from, to);
  if (label !== null) {
    const line = lines[label];
    const said = RESULT_LABEL.exec(body(label))?.[0].length ?? 0;
    const given = rangeOf(from, label);
    if (said < body(label).length && line !== undefined) {
      return { given, result: textOf(lines, line.start + said, to) };
    }
    let fence = label + 1;
    while (fence < to && body(fence).trim() === '') fence += 1;
    const isFence = /^`{3,}\w*$/.test(body(fence)) && fence < to;
    const result = isFence ? fenced(lines, fence, to) : textOf(lines, lines[fence]?.start, to);
    return { given, result };
  }
  if (bare !== null) return { given: rangeOf(from, bare), result: fenced(lines, bare, to) };
  const isShown = lines.slice(from, to).some((line) => line.body.trim() !== '');
  const isFenced = lines.slice(from, to).some((line) => /^[ \t]*`{3,}/.test(line.body));
  // A table or a list below a head that tells the call.
  const isTold =
    isFramed &&
    about !== null &&
    isShown &&
    !isFenced &&
    /^[ \t]*\|/m.test(
      lines
        .slice(from, to)
        .map((line) => line.body)
        .join('\n'),
    );
  if (isTold) return { given: null, result: textOf(lines, firstShown(lines, from, to), to) };
  return { given: rangeOf(from, to), result: null };
}

const rangeOf = (from: number, to: number): LineRange | null => (from < to ? { from, to } : null);

/** The first label and the first fence without a language, outside of fences. */
function marksIn(
  lines: Lines,
  from: number,
  to: number,
): { label: number | null; bare: number | null } {
  let fence = '';
  let bare: number | null = null;
  for (let at = from; at < to; at += 1) {
    const body = lines[at]?.body ?? '';
    const marks = /^(`{3,})/.exec(body)?.[1] ?? '';
    if (fence !== '') {
      if (body === fence) fence = '';
    } else if (marks !== '') {
      if (body === marks) bare ??= at;
      fence = marks;
    } else if (RESULT_LABEL.test(body)) return { label: at, bare };
  }
  return { label: null, bare };
}

/** What stands between a fence and the last one that could close it; null where none does. */
function fenced(lines: Lines, open: number, to: number): TextSpan | null {
  let close = to - 1;
  while (close > open && !/^`{3,}$/.test(lines[close]?.body ?? '')) close -= 1;
  if (close <= open) return null;
  const start = lines[open + 1]?.start ?? 0;
  return { start, end: close > open + 1 ? (lines[close - 1]?.end ?? start) : start };
}

function firstShown(lines: Lines, from: number, to: number): number | undefined {
  return lines.slice(from, to).find((line) => line.body.trim() !== '')?.start;
}

function textOf(lines: Lines, start: number | undefined, to: number): TextSpan | null {
  let last = to - 1;
  while (last >= 0 && (lines[last]?.body ?? '').trim() === '') last -= 1;
  const end = lines[last]?.end;
  return start === undefined || end === undefined || end < start ? null : { start, end };
}
