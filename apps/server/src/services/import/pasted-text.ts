import { MisstepError } from '@misstep/model';

/** The bytes of pasted text; REQUEST_INVALID for what UTF-8 can't hold. */
export function encodePasted(text: string): Uint8Array {
  if (!/\p{Surrogate}/u.test(text)) return new TextEncoder().encode(text);
  throw new MisstepError(
    'REQUEST_INVALID',
    'text: it holds half of a character, which no file can; import the file itself.',
    { field: 'text' },
  );
}

/** Bytes in memory as a stream of one chunk. */
export async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
