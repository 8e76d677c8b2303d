import type { VersionSize } from '@misstep/model';

const BYTES_A_TOKEN = 4;

/** How the number of tokens is come by; goes with every such number. */
export const TOKEN_ESTIMATE_RULE =
  'estimate: one token for every 4 bytes of UTF-8, rounded up, base64 of images and other bytes not counted; a model counts its own way';

/** Size of a text in bytes of UTF-8 and, by the rule above, in tokens. */
export function sizeOf(text: string): VersionSize {
  const sizeBytes = utf8Length(text);
  const countedBytes = sizeBytes - base64Length(text);
  return { sizeBytes, estimatedTokens: Math.ceil(countedBytes / BYTES_A_TOKEN) };
}

const BINARY_MEMBER = /"(?:data|blob)"\s*:\s*"/g;
const LEAST_BASE64 = 128;

/** Characters of base64 in members where MCP puts bytes; a shorter word may be text. */
function base64Length(text: string): number {
  let length = 0;
  for (const found of text.matchAll(BINARY_MEMBER)) {
    const from = found.index + found[0].length;
    let at = from;
    while (isBase64(text.charCodeAt(at))) at += 1;
    if (text[at] === '"' && at - from >= LEAST_BASE64) length += at - from;
  }
  return length;
}

function isBase64(code: number): boolean {
  const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  return isLetter || (code >= 0x2f && code <= 0x39) || code === 0x2b || code === 0x3d;
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
