import type { JsonView } from '../../json-view.ts';

/** A body as it crossed the wire, as far as the HAR lets one know. */
export interface BodyText {
  readonly text: string;
  /** True where the recorder had decoded UTF-8 as Windows-1252, which is undone here. */
  readonly repaired: boolean;
}

/** The text of `postData` or `content`; null where the body is not recorded. */
export function bodyText(content: JsonView | undefined): BodyText | null {
  const text = content?.get('text')?.text;
  if (text === undefined || text === null || text === '') return null;
  if (content?.get('encoding')?.text === 'base64') {
    const decoded = fromBase64(text);
    return decoded === null ? null : { text: decoded, repaired: false };
  }
  const type = content?.get('mimeType')?.text ?? '';
  // Event streams and JSON are UTF-8 by definition; some recorders read them as Windows-1252.
  const repaired = /event-stream|json/.test(type) ? repairMojibake(text) : null;
  return repaired === null ? { text, repaired: false } : { text: repaired, repaired: true };
}

function fromBase64(text: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
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
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return decoded.length < text.length ? decoded : null;
  } catch {
    return null;
  }
}
