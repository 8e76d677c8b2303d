import { parseJson, stringValue } from '@misstep/json';
import type { ComparisonRow } from '@misstep/model';
import { compareTrees } from './compare-trees.ts';
import type { Ground } from './ground.ts';
import { readStructure } from './version.ts';

/** A text block of an MCP result. */
export const TEXT_BLOCK = /^\/content\/\d+\/text$/;

export interface OpenedRows {
  readonly rows: ComparisonRow[];
  /** Pointers of the text blocks that were read as JSON. */
  readonly opened: readonly string[];
}

/**
 * The text of a content block is often JSON itself. Where both versions hold a structure there,
 * the row for the text is replaced by rows for what is in it, below the same pointer.
 */
export function openTextBlocks(
  rows: readonly ComparisonRow[],
  transcriptIsCut: boolean,
  ground: Ground,
): OpenedRows {
  const opened: string[] = [];
  const all: ComparisonRow[] = [];
  for (const row of rows) {
    const inner = TEXT_BLOCK.test(row.pointer) ? openRow(row, transcriptIsCut, ground) : null;
    if (inner === null) {
      all.push(row);
      continue;
    }
    opened.push(row.pointer);
    for (const innerRow of inner) all.push(innerRow);
  }
  return { rows: all, opened };
}

function openRow(
  row: ComparisonRow,
  transcriptIsCut: boolean,
  ground: Ground,
): ComparisonRow[] | null {
  const shown = decode(row.transcript);
  const live = decode(row.replayed);
  if (shown === null || live === null) return null;
  const transcript = readStructure(shown, true);
  const replayed = readStructure(live, false);
  if (transcript === null || replayed === null) return null;
  return compareTrees({ transcript, replayed, transcriptIsCut, ground }, row.pointer);
}

/** The value of a JSON string literal; null where it is none. */
export function decode(literal: string | null): string | null {
  if (literal === null) return null;
  const parsed = parseJson(literal);
  if (!parsed.ok || parsed.value.root.kind !== 'string') return null;
  return stringValue(parsed.value, parsed.value.root);
}
