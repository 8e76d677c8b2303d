import { readUsd } from '@misstep/model';
import type { JsonView } from './json-view.ts';
import { counted, type IssueList } from './record-ledger.ts';

/** An amount of USD as the source writes it, a number or the text of one; null for anything else. */
export function statedUsd(view: JsonView | undefined): string | null {
  if (view === undefined) return null;
  const written = view.node.kind === 'number' ? view.written : view.text;
  return written !== null && readUsd(written) !== null ? written : null;
}

/**
 * The same from programs that write 0 also for models whose price they don't know: a 0 is no cost, and
 * it is told that it stands there.
 */
export function statedUnlessZero(view: JsonView | undefined, issues: IssueList): string | null {
  const usd = statedUsd(view);
  if (usd === null || view === undefined || readUsd(usd) !== 0n) return usd;
  const { sha256, offset } = view.origin;
  issues.count(
    'ZERO_COST',
    (count) =>
      `${counted(count, 'cost')} of 0: the program writes that also for a model whose price it doesn't know, so that it counts as not recorded.`,
    sha256,
    offset,
  );
  return null;
}
