import { type ComparisonRow, VERDICTS, type Verdict } from '@misstep/model';
import type { LeafVerdict } from './leaf.ts';
import type { Triple } from './triple.ts';

export type RowTexts = Readonly<Record<'transcript' | 'wire' | 'replayed', string | null>>;

export interface Found {
  readonly transcript: LeafVerdict | null;
  readonly server: LeafVerdict | null;
}

/**
 * The first of VERDICTS among what was found of each two versions. Null where the triple says
 * nothing that its container's row does not say.
 */
export function verdictOf(triple: Triple, found: Found): Verdict | null {
  const transcript = found.transcript?.verdict;
  const server = found.server?.verdict;
  const verdict = VERDICTS.find((each) => each === transcript || each === server) ?? null;
  return verdict === 'same' && triple.mode === 'differing' ? null : verdict;
}

/** The row of a triple with the verdict that was found. */
export function rowOf(
  triple: Triple,
  texts: RowTexts,
  found: Found,
  verdict: Verdict,
): ComparisonRow {
  const judged = [found.transcript, found.server].filter((each) => each !== null);
  const pointer = pointerOf(triple, 'replayed');
  const pointers = {
    ...inOther(triple, 'transcript', texts.transcript, pointer),
    ...inOther(triple, 'wire', texts.wire, pointer),
  };
  return {
    pointer,
    ...(Object.keys(pointers).length === 0 ? {} : { pointers }),
    verdict,
    pairs: {
      ...verdictIn('transcript', found.transcript),
      ...verdictIn('server', found.server),
    },
    ...texts,
    note: noteOf(judged, verdict),
  };
}

function verdictIn(name: 'transcript' | 'server', found: LeafVerdict | null) {
  return found === null ? {} : { [name]: found.verdict };
}

function inOther(
  triple: Triple,
  name: 'transcript' | 'wire',
  text: string | null,
  pointer: string,
): Partial<Record<'transcript' | 'wire', string>> {
  if (text === null) return {};
  const own = pointerOf(triple, name);
  return own === pointer ? {} : { [name]: own };
}

function pointerOf(triple: Triple, name: 'transcript' | 'wire' | 'replayed'): string {
  const segments: string[] = [];
  for (let at: Triple | null = triple; at !== null; at = at.parent) {
    segments.push(at.segments[name]);
    // The transcript's pointers begin where its own text does.
    if (name === 'transcript' && at.transcript !== null && at.parent?.transcript === null) {
      segments.pop();
      break;
    }
  }
  return segments.reverse().join('');
}

function noteOf(judged: readonly LeafVerdict[], verdict: Verdict): string | null {
  const telling = judged.filter((each) => each.note !== null && each.verdict !== 'same');
  const first = telling.filter((each) => each.verdict === verdict);
  const rest = telling.filter((each) => each.verdict !== verdict);
  const notes = [...first, ...rest].map((each) => each.note);
  return notes.length === 0 ? null : [...new Set(notes)].join('; ');
}
