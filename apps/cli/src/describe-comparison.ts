import {
  type BinaryFact,
  type Comparison,
  type ComparisonRow,
  placeOfRow,
  type VersionName,
  type VersionSize,
  verdictWords,
} from '@misstep/model';
import { formatTable } from './terminal/table.ts';
import { type Terminal, tell, writeWords } from './terminal/terminal.ts';
import { counted, shorten, visible } from './terminal/visible.ts';

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
    own === null
      ? 'nothing'
      : `${counted(own.sizeBytes, 'byte')}, ~${counted(own.estimatedTokens, 'token')}`;
  return [
    `${verdictWords(verdict, comparison.inputsEdited === true)}: ${visible(sentence)}`,
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
  writeRows(terminal, comparison, rows);
  const total = comparison.rows.length + comparison.rowsOmitted;
  if (rows.length === total) return;
  const rest =
    comparison.rowsOmitted === 0 ? 'all with --json' : 'all with --rows all, a page at a time';
  tell(terminal, `${rows.length} of ${counted(total, 'row')}; ${rest}.`);
}

/** A page of rows, and which of how many they are on standard error. */
export function writePageOfRows(
  terminal: Terminal,
  comparison: Comparison,
  { rows, offset, total }: { rows: readonly ComparisonRow[]; offset: number; total: number },
): void {
  writeRows(terminal, comparison, rows);
  const words = rows.length === 0 ? 'No rows here' : `${offset + 1} to ${offset + rows.length}`;
  tell(terminal, `${words} of ${counted(total, 'row')}.`);
}

function writeRows(
  terminal: Terminal,
  comparison: Comparison,
  rows: readonly ComparisonRow[],
): void {
  const words = ({ verdict }: ComparisonRow) =>
    verdictWords(verdict, comparison.inputsEdited === true);
  const cell = (text: string | null) => (text === null ? '-' : shorten(text, 40));
  writeWords(
    terminal,
    formatTable(
      rows.map((row) => [
        place(row),
        row.ignoredBy === undefined ? words(row) : `${words(row)} (ignored: ${row.ignoredBy})`,
        ...columnsOf(comparison).map((name) =>
          row.binary?.[name]?.sizeBytes == null
            ? cell(row[name] ?? null)
            : bytesWords(row.binary[name]),
        ),
      ]),
    ),
  );
}

function bytesWords({ mediaType, sizeBytes, sha256 }: BinaryFact): string {
  const hash = sha256 === null ? '' : `, SHA-256 ${sha256.slice(0, 12)}`;
  return `${shorten(mediaType ?? 'bytes', 40)}, ${sizeBytes ?? 0} bytes${hash}`;
}

function place(row: ComparisonRow): string {
  const { pointer, side } = placeOfRow(row);
  return side === null ? pointer : `${pointer} (${side})`;
}
