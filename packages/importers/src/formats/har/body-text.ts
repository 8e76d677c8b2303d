import { unpackContent } from '../../content-encoding.ts';
import type { JsonView } from '../../json-view.ts';

/** A body as it crossed the wire, as far as the HAR lets one know. */
export interface BodyText {
  /** Null where there is a body, and it can't be decoded (`fault`). */
  readonly text: string | null;
  /** Why it is not read, or not whole. */
  readonly fault: string | null;
  /** How much more there is, where the packed body says so. */
  readonly missingBytes?: number;
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
    return { ...(await fromBase64(text, encoding)), repaired: false };
  }
  const type = content?.get('mimeType')?.text ?? '';
  // Event streams and JSON are UTF-8 by definition; some recorders read them as Windows-1252.
  const repaired = /event-stream|json/.test(type) ? repairMojibake(text) : null;
  const fault = null;
  return repaired === null
    ? { text, fault, repaired: false }
    : { text: repaired, fault, repaired: true };
}

async function fromBase64(
  text: string,
  encoding: string | null,
): Promise<Omit<BodyText, 'repaired'>> {
  const bytes = bytesOf(text);
  if (bytes === null) return { text: null, fault: 'it is marked as base64 and is none' };
  const plain = utf8Of(bytes);
  if (plain !== null) return { text: plain, fault: null };
  const noText = { text: null, fault: 'its bytes are no UTF-8' };
  if (encoding === null) return noText;
  const unpacked = await unpackContent(bytes, encoding);
  if (unpacked === null) {
    return { text: null, fault: `it is packed as ${encoding.slice(0, 40)}, which is not read` };
  }
  const { fault, missingBytes } = unpacked;
  if (fault === null) {
    const whole = utf8Of(unpacked.bytes);
    return whole === null ? noText : { text: whole, fault };
  }
  // What is cut may end inside a character.
  const begun = { text: new TextDecoder().decode(unpacked.bytes), fault };
  return missingBytes === undefined ? begun : { ...begun, missingBytes };
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
