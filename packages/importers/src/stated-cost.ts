import { readUsd } from '@misstep/model';
import type { JsonView } from './json-view.ts';

/** An amount of USD as the source writes it, a number or the text of one; null for anything else. */
export function statedUsd(view: JsonView | undefined): string | null {
  if (view === undefined) return null;
  const written = view.node.kind === 'number' ? view.written : view.text;
  return written !== null && readUsd(written) !== null ? written : null;
}
