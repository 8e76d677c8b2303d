import type { AttributionCell, AttributionMatrix } from '@misstep/model';

/** A row of the matrix: a combination, read from the side that it was made from. */
export interface TableRow extends Pick<AttributionCell, 'group' | 'flipped' | 'effect'> {
  readonly id: string;
  readonly cell: AttributionCell;
}

/**
 * The rows in their order. Where two arguments differ, A with one of B is B with the other of A:
 * that one call then answers both questions and has a row under each.
 */
export function tableRows(matrix: AttributionMatrix): TableRow[] {
  const rows = matrix.cells.map(
    (cell): TableRow => ({
      id: cell.key,
      cell,
      group: cell.group,
      flipped: cell.flipped,
      effect: cell.effect,
    }),
  );
  if (matrix.arguments.length !== 2) return rows;
  const fromB = matrix.arguments.flatMap(({ name }, index): TableRow[] => {
    const cell = matrix.cells.find(({ key }) => key === (index === 0 ? 'AB' : 'BA'));
    if (cell === undefined) return [];
    const { signature } = cell;
    const effect =
      signature === null || matrix.outcomeB === null
        ? 'not known'
        : signature === matrix.outcomeB
          ? 'no change'
          : 'changes';
    return [{ id: `${cell.key} from B`, cell, group: 'intoB', flipped: name, effect }];
  });
  return [...rows, ...fromB];
}
