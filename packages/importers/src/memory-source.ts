import type { SourceHash } from '@misstep/model';
import type { SourceReader } from './importer.ts';

/** A source over bytes in memory. The caller gives their SHA-256; it isn't checked here. */
export function memorySource(name: string, bytes: Uint8Array, sha256: SourceHash): SourceReader {
  return {
    name,
    sha256,
    sizeBytes: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  };
}
