import type { Step, Usage } from '@misstep/model';

/**
 * Output tokens of answers that are told as they began: the record of a message is written while the
 * answer runs, with the count of that moment, and without a reason for its end. How many they were
 * in the end is told by an event of the stream, if it is there, or by the last record, for all of
 * them together.
 */
export class OutputTokens {
  /** Model calls since the last result, none of a sub-agent. */
  #calls: { readonly step: Step; isWhole: boolean }[] = [];

  add(step: Step, isWhole: boolean): void {
    const known = this.#calls.find((call) => call.step === step);
    if (known === undefined) this.#calls.push({ step, isWhole });
    else known.isWhole ||= isWhole;
  }

  /**
   * The counts of what began are taken back. Gives what the sum holds beyond the others, where it is
   * the sum of these very calls: their input adds up to it.
   */
  finish(sum: Usage | null): Usage | null {
    const calls = this.#calls;
    this.#calls = [];
    const begun = calls.filter(({ isWhole }) => !isWhole);
    if (begun.length === 0) return null;
    const isOfThese =
      sum !== null &&
      (['inputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const).every(
        (count) => (sum[count] ?? 0) === sumOf(calls, count),
      );
    for (const { step } of begun) {
      if (step.usage !== null) step.usage = { ...step.usage, outputTokens: null };
    }
    const rest = isOfThese ? (sum.outputTokens ?? 0) - sumOf(calls, 'outputTokens') : 0;
    if (rest <= 0) return null;
    return {
      inputTokens: null,
      outputTokens: rest,
      cacheReadTokens: null,
      cacheWriteTokens: null,
      inputExcludesCache: true,
    };
  }
}

function sumOf(
  calls: readonly { readonly step: Step }[],
  count: 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens',
): number {
  return calls.reduce((sum, { step }) => sum + (step.usage?.[count] ?? 0), 0);
}
