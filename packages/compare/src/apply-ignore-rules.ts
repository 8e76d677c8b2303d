import type { Comparison, ComparisonRow, Verdict } from '@misstep/model';
import type { IgnoreRule } from './ignore-rules.ts';
import { summarise, weightiest } from './sentence.ts';

/**
 * The comparison as it reads without the rows that rules cover. Nothing disappears: such a row
 * keeps its verdict and names its rule, and every rule is listed with how many rows it took. Rows
 * that say `same` need no rule. Rows that a cap has left out count as before.
 */
export function applyIgnoreRules(comparison: Comparison, rules: readonly IgnoreRule[]): Comparison {
  if (rules.length === 0) return comparison;
  const taken = new Map(rules.map(({ name }) => [name, 0]));
  const counts: Partial<Record<Verdict, number>> = { ...comparison.counts };
  let total = 0;
  const rows = comparison.rows.map((row): ComparisonRow => {
    const { ignoredBy: _before, ...bare } = row;
    const rule = row.verdict === 'same' ? undefined : rules.find((each) => each.covers(row));
    if (rule === undefined) return bare;
    total += 1;
    taken.set(rule.name, (taken.get(rule.name) ?? 0) + 1);
    counts[row.verdict] = Math.max(0, (counts[row.verdict] ?? 0) - 1);
    return { ...bare, ignoredBy: rule.name };
  });
  for (const verdict of Object.keys(counts) as Verdict[]) {
    if (counts[verdict] === 0) delete counts[verdict];
  }
  const ignored = [...taken].map(([rule, count]) => ({ rule, count }));
  if (total === 0) return { ...comparison, rows, ignored };
  const names = ignored
    .filter(({ count }) => count > 0)
    .map(({ rule, count }) => `${rule} ${count}`);
  const noun = total === 1 ? 'value that differs is' : 'values that differ are';
  const isAll = Object.keys(counts).length === 0;
  const left = isAll
    ? 'Every value that was compared is ignored.'
    : summarise(counts, {
        columns: comparison.columns,
        inputsEdited: comparison.inputsEdited ?? false,
      });
  return {
    ...comparison,
    // To ignore everything is not to find it the same.
    verdict: isAll ? 'cannot tell' : weightiest(counts),
    sentence: `${left} ${total} ${noun} ignored by rule (${names.join(', ')}).`,
    counts,
    rows,
    ignored,
  };
}
