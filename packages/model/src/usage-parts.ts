import type { Usage } from './step.ts';

/** Tokens of one model call by what they are charged as: no token is in two of the parts. */
export interface UsageParts {
  /** Input that was neither read from a cache nor written to one. */
  readonly freshTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

/**
 * The parts by what the format says of cached input; counts that aren't recorded are 0. Input that
 * is said to hold cached tokens and is smaller than they are can't hold them: it is taken as apart.
 */
export function usagePartsOf(usage: Usage): UsageParts {
  const cacheReadTokens = usage.cacheReadTokens ?? 0;
  const cacheWriteTokens = usage.cacheWriteTokens ?? 0;
  const input = usage.inputTokens ?? 0;
  const cached = cacheReadTokens + cacheWriteTokens;
  const isApart = usage.inputExcludesCache || usage.inputTokens === null || cached > input;
  return {
    freshTokens: isApart ? input : input - cached,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: usage.outputTokens ?? 0,
  };
}

/** All that the model read, cached or not; null = not recorded. */
export function wholeInputOf(usage: Usage): number | null {
  if (usage.inputTokens === null) return null;
  const { freshTokens, cacheReadTokens, cacheWriteTokens } = usagePartsOf(usage);
  return freshTokens + cacheReadTokens + cacheWriteTokens;
}
