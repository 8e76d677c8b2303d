import type { Citation, Mark, MarkDraft, StepId } from '@misstep/model';

/** The form as it is being filled in. */
export interface MarkForm {
  readonly stepId: string;
  /** On the step, or on the gap before it. */
  readonly place: 'step' | 'gap';
  readonly category: string;
  readonly reason: string;
  readonly citations: readonly Citation[];
}

/** A form for a step: what the mark says already where the mark is on it, else empty. */
export function openMarkForm(
  stepId: string,
  previousStepId: string | null,
  mark: Mark | null,
): MarkForm {
  const onStep = mark?.place.kind === 'step' && mark.place.stepId === stepId;
  const onGap = mark?.place.kind === 'gap' && mark.place.afterStepId === previousStepId;
  if (mark !== null && (onStep || onGap)) {
    return {
      stepId,
      place: onGap ? 'gap' : 'step',
      category: mark.category ?? '',
      reason: mark.reason,
      citations: mark.citations,
    };
  }
  return { stepId, place: 'step', category: '', reason: '', citations: [] };
}

/** What is sent. Without a cited value the whole step is cited. `previousStepId` null = first step. */
export function draftOf(form: MarkForm, previousStepId: string | null): MarkDraft {
  // Ids come from the skeleton, which the contract has checked.
  const stepId = form.stepId as StepId;
  const wholeStep: Citation = { stepId, part: 'step', pointer: '' };
  return {
    place:
      form.place === 'step'
        ? { kind: 'step', stepId }
        : { kind: 'gap', afterStepId: previousStepId === null ? null : (previousStepId as StepId) },
    category: form.category.trim() === '' ? null : form.category.trim(),
    reason: form.reason.trim(),
    citations: form.citations.length === 0 ? [wholeStep] : [...form.citations],
  };
}

/** Someone looked and found no wrong step. */
export function noDeviationDraft(reason: string): MarkDraft {
  return { place: { kind: 'noDeviation' }, category: null, reason: reason.trim(), citations: [] };
}

/** What a link to the form cites: a verdict, a place in a replay's answer, or one in the result. */
export function citationAskedFor(
  stepId: StepId,
  pointer: string,
  replayId: Citation['replayId'],
  experimentId: Citation['experimentId'],
): Citation {
  if (experimentId !== undefined) return { stepId, part: 'verdict', pointer: '', experimentId };
  return replayId === undefined
    ? { stepId, part: 'result', pointer }
    : { stepId, part: 'replay', pointer, replayId };
}

export function sameCitation(a: Citation, b: Citation): boolean {
  return (
    a.stepId === b.stepId &&
    a.part === b.part &&
    a.pointer === b.pointer &&
    a.experimentId === b.experimentId &&
    a.replayId === b.replayId
  );
}

/** Adds a citation, or takes it away where it is there already. */
export function toggleCitation(form: MarkForm, citation: Citation): MarkForm {
  const known = form.citations.some((each) => sameCitation(each, citation));
  return {
    ...form,
    citations: known
      ? form.citations.filter((each) => !sameCitation(each, citation))
      : [...form.citations, citation],
  };
}
