import { readUsd } from '@misstep/model';
import type { JsonView } from './json-view.ts';

/** An amount of USD as the source writes it, a number or the text of one; null for anything else. */
export function statedUsd(view: JsonView | undefined): string | null {
  if (view === undefined) return null;
  const written = view.node.kind === 'number' ? view.written : view.text;
  return written !== null && readUsd(written) !== null ? written : null;
}

/** The same from programs that write 0 also for models whose price they don't know. */
export function statedUnlessZero(view: JsonView | undefined): string | null {
  const usd = statedUsd(view);
  return usd === null || readUsd(usd) === 0n ? null : usd;
}
