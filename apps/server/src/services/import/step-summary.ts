import { type Step, totalsOf } from '@misstep/model';

/** What is told of a run without its steps. */
export interface StepSummary {
  readonly totals: ReturnType<typeof totalsOf>;
  /** As the source writes the start; null where no step that starts then has a text. */
  readonly startedAtText: string | null;
  readonly endText: EndTexts;
}

/** First and last time as the source writes them, be it the start or the end of a step. */
export interface EndTexts {
  readonly first: string | null;
  readonly last: string | null;
}

export function summarizeSteps(steps: readonly Step[]): StepSummary {
  const totals = totalsOf(steps);
  const started = steps.find(
    ({ time }) => time.startedAtNs === totals.startedAtNs && time.startedAtText !== null,
  );
  return {
    totals,
    // A text without nanoseconds is that of a time that couldn't be read: not the run's start.
    startedAtText: started?.time.startedAtText ?? null,
    endText: endTextsOf(totals, steps),
  };
}

export function endTextsOf(
  { startedAtNs, endedAtNs }: { startedAtNs: bigint | null; endedAtNs: bigint | null },
  steps: readonly Step[],
): EndTexts {
  const textAt = (atNs: bigint | null) => {
    for (const { time } of steps) {
      if (time.startedAtNs === atNs && time.startedAtText !== null) return time.startedAtText;
      if (time.endedAtNs === atNs && time.endedAtText !== null) return time.endedAtText;
    }
    return null;
  };
  return { first: textAt(startedAtNs), last: textAt(endedAtNs) };
}
