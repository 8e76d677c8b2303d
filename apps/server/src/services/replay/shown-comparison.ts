import type { Comparison, ComparisonRow } from '@misstep/model';
import { cutText } from '../cut-text.ts';

const MAX_TEXT_BYTES = 65_536;
/** Of all rows together; past it a text keeps a beginning, so that its row still says something. */
const MAX_ALL_BYTES = 8_388_608;
const MIN_TEXT_BYTES = 256;

/**
 * A comparison as far as a page can show it: each text cut at 64 KiB, never inside a character,
 * and sooner where the rows would be too much together. What is left out is counted in its row.
 */
export function shownComparison(comparison: Comparison | null): Comparison | null {
  if (comparison === null) return null;
  let bytesLeft = MAX_ALL_BYTES;
  const cut = (text: string | null) => {
    if (text === null) return { text, omittedBytes: 0 };
    const room = Math.min(MAX_TEXT_BYTES, Math.max(MIN_TEXT_BYTES, bytesLeft));
    const { text: shown, sizeBytes, omittedBytes } = cutText(text, room);
    bytesLeft -= sizeBytes - omittedBytes;
    return { text: shown, omittedBytes };
  };
  const rows = comparison.rows.map((row): ComparisonRow => {
    const transcript = cut(row.transcript);
    const wire = cut(row.wire ?? null);
    const replayed = cut(row.replayed);
    if (transcript.omittedBytes + wire.omittedBytes + replayed.omittedBytes === 0) return row;
    const before = row.omittedBytes;
    return {
      ...row,
      transcript: transcript.text,
      ...(row.wire === undefined ? {} : { wire: wire.text }),
      replayed: replayed.text,
      omittedBytes: {
        transcript: transcript.omittedBytes + (before?.transcript ?? 0),
        ...(row.wire === undefined ? {} : { wire: wire.omittedBytes + (before?.wire ?? 0) }),
        replayed: replayed.omittedBytes + (before?.replayed ?? 0),
      },
    };
  });
  return { ...comparison, rows };
}

/** Rows alone, cut in the same way. */
export function cutRows(rows: Comparison['rows']): Comparison['rows'] {
  const bare = { verdict: 'same', sentence: '', counts: {}, rowsOmitted: 0 } as const;
  return shownComparison({ ...bare, readings: [], rows })?.rows ?? [];
}
