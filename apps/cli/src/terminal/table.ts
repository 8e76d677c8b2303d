import { visible } from './visible.ts';

/** Rows as aligned columns; the last is not padded. Cells are made visible here. */
export function formatTable(
  rows: readonly (readonly string[])[],
  rightAligned: ReadonlySet<number> = new Set(),
): string {
  const cells = rows.map((row) => row.map(visible));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, [...cell].length);
    }
  }
  return cells
    .map((row) =>
      row
        .map((cell, column) => {
          const gap = ' '.repeat((widths[column] ?? 0) - [...cell].length);
          if (rightAligned.has(column)) return gap + cell;
          return column === row.length - 1 ? cell : cell + gap;
        })
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
