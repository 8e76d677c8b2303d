import { type JsonDocument, type JsonNode, resolvePointer, stringValue } from '@misstep/json';
import type { BinaryFact, ComparisonRow, VersionName } from '@misstep/model';
import { decode } from './open-text-blocks.ts';
import type { Version } from './version.ts';

export type HashBytes = (bytes: Uint8Array) => string;

/** Where MCP puts base64: data of image and audio blocks, blob of resources. */
const BINARY_PLACE = /^(.*)\/(?:data|blob)$/;
/** Beginning of the base64 that a row keeps: enough to see by eye, not a million letters. */
export const KEPT_CHARACTERS = 64;
/** Where nothing says that a text is bytes, a shorter one may be a word. */
export const LEAST_CHARACTERS = 128;

/**
 * Rows of images, audio and other bytes say media type, size and hash of the decoded bytes in place
 * of their base64, of which only a beginning stays; what goes is counted.
 */
export function describeBinaries(
  rows: readonly ComparisonRow[],
  versions: Readonly<Record<VersionName, Version | null>>,
  hash: HashBytes | undefined,
): ComparisonRow[] {
  return rows.map((row) => {
    const parent = BINARY_PLACE.exec(row.pointer)?.[1];
    const texts = { transcript: row.transcript, wire: row.wire ?? null, replayed: row.replayed };
    const longest = Math.max(...Object.values(texts).map((text) => text?.length ?? 0));
    if (parent === undefined) return row;
    const isBlock = Object.values(versions).some((version) => isBinaryBlock(version, parent));
    const least = isBlock ? 0 : LEAST_CHARACTERS;
    if (longest < least) return row;
    const fact = (name: VersionName) =>
      factOf(texts[name], mediaTypeIn(versions[name], parent), hash, least);
    const binary = {
      transcript: fact('transcript'),
      wire: fact('wire'),
      replayed: fact('replayed'),
    };
    if (Object.values(binary).every((each) => each === null || each.sizeBytes === null)) return row;
    const cut = (text: string | null) => (text === null ? null : text.slice(0, KEPT_CHARACTERS));
    const omitted = (text: string | null) => Math.max(0, (text?.length ?? 0) - KEPT_CHARACTERS);
    return {
      ...row,
      binary,
      transcript: cut(texts.transcript),
      ...(row.wire === undefined ? {} : { wire: cut(texts.wire) }),
      replayed: cut(texts.replayed),
      omittedBytes: {
        transcript: omitted(texts.transcript),
        ...(row.wire === undefined ? {} : { wire: omitted(texts.wire) }),
        replayed: omitted(texts.replayed),
      },
    };
  });
}

export function factOf(
  literal: string | null,
  mediaType: string | null,
  hash: HashBytes | undefined,
  least: number,
): BinaryFact | null {
  if (literal === null) return null;
  const bytes = decodeBase64(decode(literal), least);
  if (bytes === null) return { mediaType, sizeBytes: null, sha256: null };
  return { mediaType, sizeBytes: bytes.length, sha256: hash?.(bytes) ?? null };
}

/** Says its media type, or is a resource with a blob: then it is bytes at any length. */
function isBinaryBlock(version: Version | null, parent: string): boolean {
  if (mediaTypeIn(version, parent) !== null) return true;
  const json = version?.json ?? null;
  if (json === null) return false;
  const document: JsonDocument = { text: json.document.text, root: json.root };
  const has = (key: string) => resolvePointer(document, `${parent}/${key}`) !== undefined;
  return has('uri') && has('blob');
}

function mediaTypeIn(version: Version | null, parent: string): string | null {
  const json = version?.json ?? null;
  if (json === null) return null;
  const document: JsonDocument = { text: json.document.text, root: json.root };
  for (const key of ['mimeType', 'media_type']) {
    const node: JsonNode | undefined = resolvePointer(document, `${parent}/${key}`);
    if (node?.kind === 'string') return stringValue(document, node);
  }
  return null;
}

const ALPHABET = /^[A-Za-z0-9+/]*={0,2}$/;

function decodeBase64(text: string | null, least: number): Uint8Array | null {
  if (text === null) return null;
  const bare = text.replace(/[\r\n]+/g, '');
  if (bare.length < least || bare.length % 4 !== 0 || !ALPHABET.test(bare)) return null;
  const binary = atob(bare);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
