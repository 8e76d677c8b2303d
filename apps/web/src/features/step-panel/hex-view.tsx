import { classNames } from '../../ui/class-names.ts';
import styles from './bytes.module.css';
import { type HexCell, hexRows, type LitSpan } from './hex-rows.ts';

/** Bytes as hex and ASCII, a lit span among them. */
export function HexView(props: {
  bytes: Uint8Array;
  /** Offset of the first byte in the whole. */
  offset: number;
  bytesPerRow: number;
  lit: LitSpan | null;
  /** Lights in the colour of the wire; else neutral, for bytes of any grade. */
  isWire?: boolean;
}) {
  const lit = props.isWire === true ? styles.litWire : styles.lit;
  const rows = hexRows(props.bytes, props.offset, props.bytesPerRow, props.lit);
  return (
    <div className={styles.hex} tabIndex={0} role="region" aria-label="Bytes in hexadecimal">
      {rows.map((row) => (
        <div key={row.offset}>
          <span className={styles.offset}>{row.offset}</span>
          <span>{runsOf(row.cells, (cell) => `${cell.hex} `, lit)}</span>
          <span className={styles.glyphs}>{runsOf(row.cells, (cell) => cell.glyph, lit)}</span>
        </div>
      ))}
    </div>
  );
}

/** Neighbouring cells of one state as one element: a row is a handful of them, not thirty. */
function runsOf(
  cells: readonly HexCell[],
  textOf: (cell: HexCell) => string,
  litClass: string | undefined,
) {
  const runs: { text: string; lit: boolean }[] = [];
  for (const cell of cells) {
    const last = runs.at(-1);
    if (last !== undefined && last.lit === cell.lit) last.text += textOf(cell);
    else runs.push({ text: textOf(cell), lit: cell.lit });
  }
  return runs.map((run, order) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: runs of a row have no identity beyond their order.
      key={order}
      className={classNames(run.lit && litClass)}
      {...(run.lit ? { 'data-lit': '' } : {})}
    >
      {run.text}
    </span>
  ));
}
