/** How some compressed files begin, and what they are called. */
const BEGINNINGS: readonly { readonly bytes: readonly number[]; readonly name: string }[] = [
  { bytes: [0x1f, 0x8b], name: 'gzip' },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], name: 'zstd' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], name: 'zip' },
  { bytes: [0x42, 0x5a, 0x68], name: 'bzip2' },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], name: 'xz' },
];

/** What a file is compressed with, by its first bytes; null = with nothing that is known. */
export function compressionOf(head: Uint8Array): string | null {
  const found = BEGINNINGS.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  return found?.name ?? null;
}
