import { fail, ok, type Result } from '@misstep/model';

/** Says of a row's pointer whether a pattern covers it. */
export type PointerPattern = (pointer: string) => boolean;

const MOST_SEGMENTS = 64;

/**
 * A JSON Pointer with wildcards: `*` stands for any characters of one segment, a segment `**` for
 * any number of segments. A pattern covers what it names and everything below. The error is one
 * sentence.
 */
export function readPattern(text: string): Result<PointerPattern, string> {
  if (!text.startsWith('/')) return fail(`The pattern "${text}" does not begin with "/".`);
  const segments = text.slice(1).split('/');
  if (segments.length > MOST_SEGMENTS) return fail(`The pattern "${text}" is too long.`);
  return ok((pointer) => pointer.startsWith('/') && covers(segments, pointer.slice(1).split('/')));
}

/** Each reachable place in the pattern at once, so that no pattern takes long. */
function covers(pattern: readonly string[], segments: readonly string[]): boolean {
  let places = skipDeep(pattern, new Set([0]));
  for (const segment of segments) {
    if (places.has(pattern.length)) return true;
    const next = new Set<number>();
    for (const place of places) {
      const own = pattern[place];
      if (own === undefined) continue;
      if (own === '**') next.add(place);
      else if (matchesSegment(own, segment)) next.add(place + 1);
    }
    places = skipDeep(pattern, next);
    if (places.size === 0) return false;
  }
  return places.has(pattern.length);
}

/** `**` may stand for nothing. */
function skipDeep(pattern: readonly string[], places: Set<number>): Set<number> {
  for (const place of places) if (pattern[place] === '**') places.add(place + 1);
  return places;
}

/** Greedy with one point to come back to: linear in practice, never exponential. */
function matchesSegment(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text;
  let at = 0;
  let own = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    if (own < pattern.length && pattern[own] === '*') {
      star = own;
      own += 1;
      resume = at;
    } else if (own < pattern.length && pattern[own] === text[at]) {
      own += 1;
      at += 1;
    } else if (star >= 0) {
      own = star + 1;
      resume += 1;
      at = resume;
    } else return false;
  }
  while (pattern[own] === '*') own += 1;
  return own === pattern.length;
}
