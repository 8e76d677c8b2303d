import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw } from 'node:zlib';
import { type CompareInput, walkRows } from '@misstep/compare';
import { decodeUtf8 } from '@misstep/json';
import type { KnownSecret } from '@misstep/mcp';
import type { ComparisonRow, Verdict } from '@misstep/model';
import { maskStrings } from '@misstep/replay';
import { cutRows } from '../services/replay/shown-comparison.ts';

/** Which rows a page is cut from, and where it begins among them. */
export interface RowWindow {
  readonly verdicts?: readonly Verdict[] | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Rows that follow each other, small enough to be kept all together. */
export interface PackedRows {
  /** Of the first one, among the rows with the wanted verdicts. */
  readonly offset: number;
  readonly count: number;
  /** All rows with the wanted verdicts, packed or not. */
  readonly total: number;
  readonly blocks: readonly { readonly count: number; readonly bytes: Uint8Array }[];
}

/** Of one block, which is unpacked as a whole. */
const MOST_ROWS = 500;
const MOST_CHARACTERS = 1_048_576;
/** A character is three bytes of UTF-8 at most, so no text of such a row reaches the cut. */
const NEVER_CUT = 16_384;
/** Of all blocks; so much is kept of two or three comparisons at once. */
const MOST_PACKED_BYTES = 24 * 1_048_576;

/**
 * Rows from an offset on, as many as fit: one walk over two results serves every page of them. Rows
 * are alike, so that a packed one takes a few bytes. Texts are masked, then cut as they are shown.
 */
export function packRows(
  input: CompareInput,
  from: Omit<RowWindow, 'limit'>,
  secrets: readonly KnownSecret[],
): PackedRows {
  const blocks: { count: number; bytes: Uint8Array }[] = [];
  let open: ComparisonRow[] = [];
  let characters = 0;
  let packedBytes = 0;
  let count = 0;
  const close = () => {
    if (open.length === 0) return;
    const shown = maskStrings({ rows: open }, secrets).rows.flatMap((row) =>
      lengthOf(row) < NEVER_CUT ? [row] : cutRows([row]),
    );
    // A copy: a view would take its whole buffer along when it is handed to another thread.
    const bytes = new Uint8Array(deflateRawSync(JSON.stringify(shown), { level: 1 }));
    blocks.push({ count: open.length, bytes });
    packedBytes += bytes.length;
    count += open.length;
    open = [];
    characters = 0;
  };
  const total = walkRows(input, from, (row) => {
    open.push(row);
    characters += lengthOf(row);
    if (open.length >= MOST_ROWS || characters >= MOST_CHARACTERS) close();
    return packedBytes < MOST_PACKED_BYTES;
  });
  close();
  return { offset: from.offset, count, total, blocks };
}

/**
 * One page of rows, from packs that `packFrom` makes or has. A page reads from the pack at the very
 * start where that reaches so far, else from one that begins near: readers of one place ask for the
 * same pack, so that after the first page of it all others come at once.
 */
export async function readPage(
  { offset, limit }: RowWindow,
  packFrom: (offset: number) => Promise<PackedRows>,
): Promise<{ rows: ComparisonRow[]; total: number }> {
  const rows: ComparisonRow[] = [];
  for (;;) {
    const at = offset + rows.length;
    const pack = await packWith(at, packFrom);
    rows.push(...(await unpackRows(pack, at, limit - rows.length)));
    if (rows.length >= limit || offset + rows.length >= pack.total) {
      return { rows, total: pack.total };
    }
  }
}

async function packWith(
  at: number,
  packFrom: (offset: number) => Promise<PackedRows>,
): Promise<PackedRows> {
  for (const start of [0, at - (at % ROWS_BETWEEN_STARTS)]) {
    const pack = await packFrom(start);
    if (at < pack.offset + pack.count || at >= pack.total) return pack;
  }
  return packFrom(at);
}

async function unpackRows(
  { offset: first, blocks }: PackedRows,
  offset: number,
  limit: number,
): Promise<ComparisonRow[]> {
  const rows: ComparisonRow[] = [];
  let at = first;
  for (const { count, bytes } of blocks) {
    if (rows.length >= limit) break;
    if (at + count > offset) {
      const { text } = decodeUtf8(await inflate(bytes));
      // Written by `packRows`, so these are rows.
      const block = JSON.parse(text) as ComparisonRow[];
      const from = Math.max(0, offset - at);
      rows.push(...block.slice(from, from + limit - rows.length));
    }
    at += count;
  }
  return rows;
}

const ROWS_BETWEEN_STARTS = 50_000;

const inflate = promisify(inflateRaw);

function lengthOf({ pointer, transcript, wire, replayed }: ComparisonRow): number {
  const texts = [transcript, wire ?? null, replayed];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), pointer.length);
}
