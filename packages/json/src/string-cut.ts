import { dotsAfterStringEnd, markerAfterString, markerAtStringEnd } from './cut-marker.ts';
import type { StringReach } from './tolerant-string.ts';

export interface StringCut {
  kind: 'characters' | 'lines' | 'tail';
  count: number | null;
  start: number;
  end: number;
}

/** What is missing of a string, and where to read on. */
export function cutsOfString(
  text: string,
  start: number,
  reach: StringReach,
  inContainer: boolean,
): { cuts: StringCut[]; end: number } {
  const { linesCut, contentEnd, closed } = reach;
  if (linesCut !== null) {
    const { count, start: from, end } = linesCut;
    return { cuts: [{ kind: 'lines', count, start: from, end }], end };
  }
  const cuts: StringCut[] = [];
  let end = reach.end;
  // An open string may be followed by the line break that the paste ended with.
  const visibleEnd = closed ? contentEnd : trimmedEnd(text, start + 1, contentEnd);
  const inside = markerAtStringEnd(text, start + 1, visibleEnd);
  const after = closed ? markerAfterString(text, end) : null;
  const dots = closed && after === null ? dotsAfterStringEnd(text, end) : -1;
  if (after !== null) {
    const vague = inside !== null && inside.count === null;
    const from = vague ? inside.start : dotsBefore(text, contentEnd, start);
    cuts.push({ kind: kindOf(after.unit), count: after.count, start: from, end: after.end });
    end = after.end;
  } else if (dots >= 0) {
    cuts.push({ kind: 'characters', count: null, start: end, end: dots });
    // Inside a container the same dots may mean what comes next, so they are read again.
    if (!inContainer) end = dots;
  }
  if (inside !== null && (after === null || inside.count !== null)) {
    const { count, start: from, end: to } = inside;
    cuts.push({ kind: kindOf(inside.unit), count, start: from, end: to });
  }
  if (!closed) cuts.push({ kind: 'tail', count: null, start: contentEnd, end: reach.end });
  return { cuts, end };
}

function kindOf(unit: string): 'characters' | 'lines' {
  return unit === 'lines' ? 'lines' : 'characters';
}

function trimmedEnd(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && ' \n\r\t'.includes(text.charAt(at - 1))) at -= 1;
  return at;
}

/** Where the dots begin that end a string's content, or the end of the content. */
function dotsBefore(text: string, contentEnd: number, start: number): number {
  let at = contentEnd;
  while (at - 1 > start && '.…⋯'.includes(text.charAt(at - 1))) at -= 1;
  return contentEnd - at === 1 && text.charAt(at) === '.' ? contentEnd : at;
}
