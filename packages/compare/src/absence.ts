import type { TolerantDocument } from '@misstep/json';
import type { Ground } from './ground.ts';
import type { LeafVerdict } from './leaf.ts';

type JsonElision = TolerantDocument['elisions'][number];

/** What the transcript says of the container in which a value is missing. */
export interface Absence {
  /** Elisions at the container's own pointer. */
  readonly elisions: readonly JsonElision[];
  /** How many of the live container's values the transcript lacks. */
  readonly missing: number;
  readonly transcriptIsCut: boolean;
  readonly ground: Ground;
}

/**
 * Verdict on a value that the live answer has and the transcript does not show. A cut transcript
 * never proves a difference: where it says that it cut here, `elided`; where it is cut without
 * saying what, `cannot tell`. Only a whole structured record can show that a value is new. Against the recorded
 * wire of the same answer nothing is left open: what isn't there was elided or is missing.
 */
export function judgeAbsence(absence: Absence): LeafVerdict {
  const { elisions, missing, ground } = absence;
  const said = elisions.filter((elision) => elision.kind !== 'tail' || elision.marker !== '');
  if (said.length > 0) {
    const count = statedCount(said);
    if (count === null || count === missing)
      return { verdict: 'elided in transcript', note: elidedNote(said) };
    if (ground.isSameAnswer) {
      return {
        verdict: 'elided in transcript',
        note: `the transcript says that it left out ${count}, it left out ${missing}`,
      };
    }
    return {
      verdict: 'cannot tell',
      note: `the transcript says that it left out ${count}, the live answer has ${missing} more`,
    };
  }
  if (ground.isSameAnswer) {
    const ends = elisions.length > 0 || absence.transcriptIsCut;
    return {
      verdict: 'missing in transcript',
      note: ends ? 'the transcript is cut and does not say that this went' : null,
    };
  }
  if (elisions.length > 0)
    return { verdict: 'cannot tell', note: 'the transcript ends before this' };
  if (absence.transcriptIsCut) return { verdict: 'cannot tell', note: 'the transcript is cut' };
  if (ground.evidence === 'rendered') {
    return {
      verdict: 'cannot tell',
      note: 'a transcript made for people may leave values out without saying so',
    };
  }
  return { verdict: 'server differs now', note: `only ${ground.right} has it` };
}

/** The sum of what the markers say, or null where one of them gives no number. */
export function statedCount(elisions: readonly JsonElision[]): number | null {
  let sum = 0;
  for (const { count, kind } of elisions) {
    if (count === null || (kind !== 'items' && kind !== 'members')) return null;
    sum += count;
  }
  return sum;
}

function elidedNote(elisions: readonly JsonElision[]): string {
  return `the transcript says so: ${elisions.map((elision) => elision.marker.trim()).join(' ')}`;
}
