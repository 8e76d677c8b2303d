import { parseJson, stringValue } from '@misstep/json';
import type { ComparisonRow } from '@misstep/model';
import { compareTrees } from './compare-trees.ts';
import type { Ground } from './ground.ts';
import type { RowSink } from './row-sink.ts';
import { readStructure } from './version.ts';

/** A text block of an MCP result. */
export const TEXT_BLOCK = /^\/content\/\d+\/text$/;

/**
 * The text of a content block is often JSON itself. Where both versions hold a structure there,
 * rows for what is in it stand below the same pointer in place of the text's own; `opened` gets the
 * pointer then. False where the row has to stand as it is.
 */
export function openTextBlock(
  row: ComparisonRow,
  transcriptIsCut: boolean,
  ground: Ground,
  sink: RowSink,
  opened: string[],
): boolean {
  if (!TEXT_BLOCK.test(row.pointer)) return false;
  const shown = decode(row.transcript);
  const live = decode(row.replayed);
  if (shown === null || live === null) return false;
  const transcript = readStructure(shown, true);
  const replayed = readStructure(live, false);
  if (transcript === null || replayed === null) return false;
  opened.push(row.pointer);
  compareTrees({ transcript, replayed, transcriptIsCut, ground }, row.pointer, sink);
  return true;
}

/** The value of a JSON string literal; null where it is none. */
export function decode(literal: string | null): string | null {
  if (literal === null) return null;
  const parsed = parseJson(literal);
  if (!parsed.ok || parsed.value.root.kind !== 'string') return null;
  return stringValue(parsed.value, parsed.value.root);
}
