import type { RunDetail } from '@misstep/contract';
import { visibleLine } from '../step-panel/visible-text.ts';

export type ExternalMark = RunDetail['externalMarks'][number];

/** One judgement of the file in a line: who says it, of which place and whom, and why. */
export function externalText({ by, placeText, agent, category, reason }: ExternalMark): string {
  return visibleLine(
    [by, placeText, agent, category, reason]
      .filter((part) => part !== null && part !== '')
      .join(': '),
  );
}

/** What the file itself says of a step, by the step's index; several judgements on lines of their own. */
export function externalMarkTexts(
  marks: readonly ExternalMark[],
  indexOf: (stepId: string) => number | undefined,
): ReadonlyMap<number, string> {
  const texts = new Map<number, string>();
  for (const mark of marks) {
    const index = mark.stepId === null ? undefined : indexOf(mark.stepId);
    if (index === undefined) continue;
    const before = texts.get(index);
    const words = externalText(mark);
    texts.set(index, before === undefined ? words : `${before}\n${words}`);
  }
  return texts;
}
