import { unpackContent } from '../../content-encoding.ts';
import type { JsonView } from '../../json-view.ts';

/** A body as it crossed the wire, as far as the HAR lets one know. */
export interface BodyText {
  readonly text: string;
  /** True where the recorder had decoded UTF-8 as Windows-1252, which is undone here. */
  readonly repaired: boolean;
}

/**
 * The text of `postData` or `content`; null where the body is not recorded. A recorder should have undone
 * `encoding`, the message's Content-Encoding; some leave it.
 */
export async function bodyText(
  content: JsonView | undefined,
  encoding: string | null,
): Promise<BodyText | null> {
  const text = content?.get('text')?.text;
  if (text === undefined || text === null || text === '') return null;
  if (content?.get('encoding')?.text === 'base64') {
    const decoded = await fromBase64(text, encoding);
    return decoded === null ? null : { text: decoded, repaired: false };
  }
  const type = content?.get('mimeType')?.text ?? '';
  // Event streams and JSON are UTF-8 by definition; some recorders read them as Windows-1252.
  const repaired = /event-stream|json/.test(type) ? repairMojibake(text) : null;
  return repaired === null ? { text, repaired: false } : { text: repaired, repaired: true };
}

async function fromBase64(text: string, encoding: string | null): Promise<string | null> {
  const bytes = bytesOf(text);
  if (bytes === null) return null;
  const plain = utf8Of(bytes);
  if (plain !== null || encoding === null) return plain;
  const unpacked = await unpackContent(bytes, encoding);
  return unpacked === null || unpacked.bytes.length === 0 ? null : utf8Of(unpacked.bytes);
}

function bytesOf(base64: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function utf8Of(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Characters that Windows-1252 has for 0x80 to 0x9f. */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const BYTE_OF: ReadonlyMap<string, number> = new Map(
  [...HIGH].map((character, index) => [character, 0x80 + index]),
);

/**
 * The text that UTF-8 bytes held before they were read as Windows-1252; null where it can't be that:
 * a character that Windows-1252 has not, bytes that are no UTF-8, or nothing but ASCII.
 */
export function repairMojibake(text: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII as a whole is what is meant.
  if (/^[\u0000-\u007f]*$/.test(text)) return null;
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const byte =
      code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : BYTE_OF.get(text.charAt(at));
    if (byte === undefined) return null;
    bytes[at] = byte;
  }
  const decoded = utf8Of(bytes);
  return decoded !== null && decoded.length < text.length ? decoded : null;
}
