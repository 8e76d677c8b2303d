/** One row of a hex dump. */
export interface HexRow {
  /** Byte offset of the row's first byte in the whole. */
  readonly offset: number;
  readonly cells: readonly HexCell[];
}

export interface HexCell {
  /** Two hexadecimal digits. */
  readonly hex: string;
  /** The byte as ASCII, `.` where it is none. */
  readonly glyph: string;
  /** True inside the lit span. */
  readonly lit: boolean;
}

export interface LitSpan {
  /** Offsets in the whole; the end is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Rows of `bytes`, which begin at `offset` of the whole. */
export function hexRows(
  bytes: Uint8Array,
  offset: number,
  bytesPerRow: number,
  lit: LitSpan | null,
): HexRow[] {
  const rows: HexRow[] = [];
  for (let from = 0; from < bytes.length; from += bytesPerRow) {
    const cells: HexCell[] = [];
    for (let at = from; at < Math.min(bytes.length, from + bytesPerRow); at += 1) {
      const byte = bytes[at] ?? 0;
      const place = offset + at;
      cells.push({
        hex: byte.toString(16).padStart(2, '0'),
        glyph: byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
        lit: lit !== null && place >= lit.start && place < lit.end,
      });
    }
    rows.push({ offset: offset + from, cells });
  }
  return rows;
}

export function bytesOfBase64(base64: string): Uint8Array {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
