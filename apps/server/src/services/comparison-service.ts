import { applyIgnoreRules, readIgnoreRules } from '@misstep/compare';
import { type Comparison, MisstepError, type Ulid } from '@misstep/model';
import type { Store } from '@misstep/store';

export interface ComparisonService {
  /**
   * The comparison of a replay as it reads under ignore rules (presets or pointer patterns). What
   * is stored stays as it is. Null where the replay has none; REQUEST_INVALID for a rule that is
   * none.
   */
  show(replayId: Ulid, ignore: readonly string[]): Promise<Comparison | null>;
}

export function createComparisonService(store: Store): ComparisonService {
  return {
    async show(replayId, ignore) {
      const { comparison } = await store.getReplay(replayId);
      const rules = readIgnoreRules(ignore);
      if (!rules.ok) throw new MisstepError('REQUEST_INVALID', rules.error, { field: 'ignore' });
      return comparison === null ? null : applyIgnoreRules(comparison, rules.value);
    },
  };
}
