import type { Citation, Mark, MarkDraft } from '@misstep/model';
import { momentText } from '../run/amounts.ts';

/** Where a mark stands in a run's tree, by step index. */
export type MarkSpot =
  | { readonly kind: 'step'; readonly index: number }
  /** A call should have been after this step; -1 = before the first. */
  | { readonly kind: 'gap'; readonly afterIndex: number }
  | { readonly kind: 'noDeviation' }
  /** The step that was marked is not in this recording (it was read anew from another source). */
  | { readonly kind: 'lost' };

export function spotOf(
  mark: Pick<Mark, 'place'>,
  indexOfStep: (id: string) => number | undefined,
): MarkSpot {
  const { place } = mark;
  if (place.kind === 'noDeviation') return { kind: 'noDeviation' };
  if (place.kind === 'step') {
    const index = indexOfStep(place.stepId);
    return index === undefined ? { kind: 'lost' } : { kind: 'step', index };
  }
  if (place.afterStepId === null) return { kind: 'gap', afterIndex: -1 };
  const afterIndex = indexOfStep(place.afterStepId);
  return afterIndex === undefined ? { kind: 'lost' } : { kind: 'gap', afterIndex };
}

/** The first step that is not before the mark: the marked one, or the one after the gap. */
export function firstIndexAtMark(spot: MarkSpot): number | null {
  if (spot.kind === 'step') return spot.index;
  return spot.kind === 'gap' ? spot.afterIndex + 1 : null;
}

/** `step 7`, `after step 6`, `before step 1`, `no deviation`. */
export function spotText(spot: MarkSpot): string {
  switch (spot.kind) {
    case 'step':
      return `step ${spot.index + 1}`;
    case 'gap':
      return spot.afterIndex < 0 ? 'before step 1' : `after step ${spot.afterIndex + 1}`;
    case 'noDeviation':
      return 'no deviation';
    case 'lost':
      return 'a step that this recording no longer holds';
  }
}

/** What a mark still lacks, in words: a kind, a cited value, a reason. Nothing = it is complete. */
export function whatMarkLacks(
  mark: Pick<MarkDraft, 'place' | 'category' | 'reason' | 'citations'>,
): string[] {
  if (mark.place.kind === 'noDeviation') return [];
  const lacking: string[] = [];
  if (mark.category === null || mark.category.trim() === '') lacking.push('a kind');
  if (!mark.citations.some((citation) => citation.part !== 'step')) lacking.push('a cited value');
  if (mark.reason.trim() === '') lacking.push('a reason');
  return lacking;
}

/** `a kind, a cited value and a reason`. */
export function listInWords(words: readonly string[]): string {
  if (words.length <= 1) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** `arguments /since`, `the whole result`, `the step`, `the verdict of a comparison`. */
export function citationText(citation: Citation): string {
  if (citation.part === 'step') return 'the step';
  if (citation.part === 'verdict') return 'the verdict of a comparison';
  if (citation.part === 'replay') return `the live answer ${citation.pointer}`.trimEnd();
  return citation.pointer === ''
    ? `the whole ${citation.part}`
    : `${citation.part} ${citation.pointer}`;
}

/** `was step 9, 29 Nov 09:08`: the judgement before the present one; null = there was none. */
export function previousMarkText(
  marks: readonly Mark[],
  currentId: string | null,
  indexOfStep: (id: string) => number | undefined,
): string | null {
  const previous = marks
    .filter((mark) => mark.id !== currentId && mark.supersededAt !== null)
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0];
  if (previous === undefined) return null;
  return `was ${spotText(spotOf(previous, indexOfStep))}, ${momentText(previous.createdAt)}`;
}

/** True where the panel of this step has to show the mark: it is marked, or a gap beside it is. */
export function isMarkOn(spot: MarkSpot | null, index: number): boolean {
  if (spot === null) return false;
  if (spot.kind === 'step') return spot.index === index;
  return spot.kind === 'gap' && (spot.afterIndex === index || spot.afterIndex === index - 1);
}
