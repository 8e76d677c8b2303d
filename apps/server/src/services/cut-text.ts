const encoder = new TextEncoder();

/** A text cut to at most `maxBytes` of UTF-8, never inside a character; what is cut is counted. */
export function cutText(
  text: string,
  maxBytes: number,
): { text: string; sizeBytes: number; omittedBytes: number } {
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes <= maxBytes) return { text, sizeBytes, omittedBytes: 0 };
  const { read, written } = encoder.encodeInto(text, new Uint8Array(maxBytes));
  return { text: text.slice(0, read), sizeBytes, omittedBytes: sizeBytes - written };
}

/** How many of the bytes are whole UTF-8 characters: a cut one at the end is left out. */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < needed ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
