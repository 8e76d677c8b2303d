import type { VersionSize } from '@misstep/model';

const BYTES_A_TOKEN = 4;

/** How the number of tokens is come by; goes with every such number. */
export const TOKEN_ESTIMATE_RULE =
  'estimate: one token for every 4 bytes of UTF-8, rounded up; a model counts its own way';

/** Size of a text in bytes of UTF-8 and, by the rule above, in tokens. */
export function sizeOf(text: string): VersionSize {
  const sizeBytes = utf8Length(text);
  return { sizeBytes, estimatedTokens: Math.ceil(sizeBytes / BYTES_A_TOKEN) };
}

/** Counted, not encoded: a result may be 100 MB. A lone surrogate counts as U+FFFD, 3 bytes. */
function utf8Length(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) length += 1;
    else if (code < 0x800) length += 2;
    else if (code >= 0xd800 && code < 0xdc00 && isLow(text.charCodeAt(at + 1))) {
      length += 4;
      at += 1;
    } else length += 3;
  }
  return length;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
