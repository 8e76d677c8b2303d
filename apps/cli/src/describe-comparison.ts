import {
  type BinaryFact,
  type Comparison,
  type ComparisonRow,
  placeOfRow,
  type VersionName,
  type VersionSize,
} from '@misstep/model';
import { formatTable } from './terminal/table.ts';
import { type Terminal, tell, writeWords } from './terminal/terminal.ts';
import { shorten, visible } from './terminal/visible.ts';

const SHOWN_ROWS = 40;

const WORDS: Readonly<Record<VersionName, string>> = {
  transcript: 'transcript',
  wire: 'recorded wire',
  replayed: 'replayed',
};

/** Comparisons made before there were three versions name none. */
function columnsOf({ columns }: Comparison): readonly VersionName[] {
  return columns ?? ['transcript', 'replayed'];
}

/** Verdict, sentence and sizes, a line each. */
export function comparisonLines(comparison: Comparison): string[] {
  const { verdict, sentence, sizes } = comparison;
  const versions = columnsOf(comparison);
  const size = (own: VersionSize | null) =>
    own === null ? 'nothing' : `${own.sizeBytes} bytes, ~${own.estimatedTokens} tokens`;
  return [
    `${verdict}: ${visible(sentence)}`,
    ...(sizes === undefined
      ? []
      : [
          `${versions.map((name) => `${WORDS[name]} ${size(sizes[name] ?? null)}`).join('; ')} (${sizes.tokenRule})`,
        ]),
    ...(comparison.remarks ?? []).map(visible),
  ];
}

/** The first rows as a table; the rest is counted on standard error. */
export function writeComparisonRows(terminal: Terminal, comparison: Comparison): void {
  const rows = comparison.rows.slice(0, SHOWN_ROWS);
  const cell = (text: string | null) => (text === null ? '-' : shorten(text, 40));
  writeWords(
    terminal,
    formatTable(
      rows.map((row) => [
        place(row),
        row.ignoredBy === undefined ? row.verdict : `${row.verdict} (ignored: ${row.ignoredBy})`,
        ...columnsOf(comparison).map((name) =>
          row.binary?.[name]?.sizeBytes == null
            ? cell(row[name] ?? null)
            : bytesWords(row.binary[name]),
        ),
      ]),
    ),
  );
  const total = comparison.rows.length + comparison.rowsOmitted;
  if (rows.length < total) tell(terminal, `${rows.length} of ${total} rows; all with --json.`);
}

function bytesWords({ mediaType, sizeBytes, sha256 }: BinaryFact): string {
  const hash = sha256 === null ? '' : `, SHA-256 ${sha256.slice(0, 12)}`;
  return `${shorten(mediaType ?? 'bytes', 40)}, ${sizeBytes ?? 0} bytes${hash}`;
}

function place(row: ComparisonRow): string {
  const { pointer, side } = placeOfRow(row);
  return side === null ? pointer : `${pointer} (${side})`;
}
