import { findSecretsInText, type KnownSecret, type SecretSource } from '@misstep/mcp';
import {
  encodeFrameRecord,
  FRAME_LOG_MAGIC,
  readFrameLog,
  type SecretPlaces,
} from '@misstep/model';
import type { LogPlaces } from './log-secrets.ts';

/** Where a text holds secrets that are known now. */
export function findTextSecrets(text: string, secrets: SecretSource): SecretPlaces {
  const found = findSecretsInText(text, secrets);
  const masks = [...new Set(found.map(({ mask }) => mask))];
  return {
    masks,
    places: found.map(({ offset, length, mask }) => [offset, length, masks.indexOf(mask)]),
  };
}

/**
 * The log as it may leave this machine: each place replaced by its mask, every record written anew
 * with the sum of what it holds then. The very bytes where there is no place.
 */
export function applyLogPlaces(frameLog: Uint8Array, { masks, places }: LogPlaces): Uint8Array {
  if (places.length === 0) return frameLog;
  const records: Uint8Array[] = [Buffer.from(FRAME_LOG_MAGIC)];
  let at = 0;
  for (const entry of readFrameLog(frameLog).entries) {
    const start = entry.payloadOffset;
    const end = start + entry.payload.length;
    const parts: Uint8Array[] = [];
    let from = start;
    for (; at < places.length; at += 1) {
      const [offset, length, mask] = places[at] ?? [end, 0, -1];
      if (offset >= end) break;
      // In a stretch that is damaged: its record is not here any more.
      if (offset < from || offset + length > end) continue;
      parts.push(frameLog.subarray(from, offset), Buffer.from(masks[mask] ?? ''));
      from = offset + length;
    }
    parts.push(frameLog.subarray(from, end));
    const payload = from === start ? entry.payload : Buffer.concat(parts);
    records.push(encodeFrameRecord({ ...entry, payload }));
  }
  return Buffer.concat(records);
}

/**
 * The values at these places, read from the very bytes that hold them, for texts that were made of
 * them: as they stand there, and as JSON and URLs write them. Nothing that is not kept anyway.
 */
export function valuesAtPlaces(
  { masks, places }: SecretPlaces,
  read: (offset: number, length: number) => string,
): KnownSecret[] {
  const found = new Map<string, string>();
  const add = (text: string, mask: string) => {
    for (const value of readingsOf(text)) if (!found.has(value)) found.set(value, mask);
  };
  let pieces: string[] = [];
  for (const [at, [offset, length, mask]] of places.entries()) {
    const own = masks[mask] ?? masks[maskBefore(places, at)] ?? '';
    if (mask >= 0) pieces = [];
    pieces.push(read(offset, length));
    add(pieces.at(-1) ?? '', own);
    if (pieces.length > 1) for (const between of ['', '\n']) add(pieces.join(between), own);
  }
  return [...found].map(([value, mask]) => ({ value, mask }));
}

function maskBefore(places: SecretPlaces['places'], at: number): number {
  return places.slice(0, at).findLast(([, , mask]) => mask >= 0)?.[2] ?? -1;
}

/** As it stands, and what it means where it is escaped, up to JSON within JSON. */
function readingsOf(text: string): string[] {
  const once = unescaped(text);
  const twice = once === null ? null : unescaped(once);
  return [text, once, twice, fromUrl(text)].filter((each) => each !== null);
}

function unescaped(text: string): string | null {
  if (!text.includes('\\')) return null;
  try {
    const read: unknown = JSON.parse(`"${text}"`);
    return typeof read === 'string' ? read : null;
  } catch {
    return null;
  }
}

function fromUrl(text: string): string | null {
  if (!text.includes('%') && !text.includes('+')) return null;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
