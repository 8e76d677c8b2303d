import { findSecretsInBytes, maskSecretBytes, type SecretSource } from '@misstep/mcp';
import {
  encodeFrameRecord,
  FRAME_LOG_MAGIC,
  type FrameLogEntry,
  readFrameLog,
} from '@misstep/model';
import { z } from 'zod';
import { parseOwnJson } from '../own-json.ts';
import type { LogPlaces } from './log-secrets.ts';
import { applyLogPlaces } from './secret-places.ts';

/** What lane `#` holds where secrets were masked (docs/formats/frame-log.md). */
const MaskedRecordSchema = z.object({
  kind: z.literal('masked'),
  maskedCount: z.number(),
  masks: z.array(z.string()).optional(),
});

/** What is known of a log's secrets when it is to leave this machine. */
export interface LogSecrets {
  /** Values that are known now. */
  readonly values: SecretSource | undefined;
  /** Where they stood when it was captured; null = that was not noted. */
  readonly places: LogPlaces | null;
}

/**
 * A frame log as it may leave this machine: a server can echo what only it was to know. Each place
 * becomes `(secret NAME)`, and one more record says how many there were. Where there are none the
 * log stays as it is, byte for byte.
 */
export function maskFrameLog(
  original: Uint8Array,
  secrets: LogSecrets,
): { readonly frameLog: Uint8Array; readonly maskedCount: number } {
  const { frameLog, last, maskedCount, masks } = maskRecords(original, secrets);
  if (last === null || frameLog === original) return { frameLog, maskedCount };
  const text =
    maskedCount === 1
      ? '1 place that held a secret of the target was masked.'
      : `${maskedCount} places that held secrets of the target were masked.`;
  const payload = Buffer.from(JSON.stringify({ kind: 'masked', text, maskedCount, masks }));
  const record = encodeFrameRecord({ ...last, lane: '#', payload });
  return { frameLog: Buffer.concat([frameLog, record]), maskedCount };
}

/** The same without a record that says so: the records of a whole log stay as many as they were. */
export function maskRecords(
  original: Uint8Array,
  { places, values }: LogSecrets,
): Pick<KnownMasked, 'frameLog' | 'last' | 'masks'> & { readonly maskedCount: number } {
  const frameLog = places === null ? original : applyLogPlaces(original, places);
  const noted = places?.places.filter(([, , mask]) => mask >= 0).length ?? 0;
  const found = maskKnown(frameLog, values ?? []);
  return {
    frameLog: found.frameLog,
    last: found.last,
    maskedCount: noted + found.count,
    masks: [...new Set([...(places?.masks ?? []), ...found.masks])],
  };
}

interface KnownMasked {
  readonly frameLog: Uint8Array;
  readonly count: number;
  readonly masks: readonly string[];
  /** The last record; null = the log holds none. */
  readonly last: FrameLogEntry | null;
}

/** The log without the values that are known now; the very bytes where it holds none. */
function maskKnown(frameLog: Uint8Array, secrets: SecretSource): KnownMasked {
  const before = readFrameLog(frameLog).entries;
  const last = before.at(-1) ?? null;
  // Bytes that are no record can hold a secret as well, so a damaged log is written anew too.
  const everywhere = findSecretsInBytes(frameLog, secrets);
  const entries = joinSplitStderr(before, secrets);
  const isSplit = entries !== before;
  if (everywhere.length === 0 && !isSplit) {
    return { frameLog, count: 0, masks: [], last };
  }
  if (last === null) {
    const { bytes, count } = maskSecretBytes(frameLog, secrets);
    return { frameLog: bytes, count, masks: [], last };
  }
  let count = 0;
  const masks = new Set<string>();
  const records = entries.map((entry) => {
    const masked = maskSecretBytes(entry.payload, secrets);
    count += masked.count;
    for (const { mask } of findSecretsInBytes(entry.payload, secrets)) masks.add(mask);
    return encodeFrameRecord({ ...entry, payload: masked.bytes });
  });
  const written = Buffer.concat([Buffer.from(FRAME_LOG_MAGIC), ...records]);
  return { frameLog: written, count, masks: [...masks], last };
}

/** Stderr comes in pieces: where a secret stands across two, all of it goes into the first. */
function joinSplitStderr(
  entries: readonly FrameLogEntry[],
  secrets: SecretSource,
): readonly FrameLogEntry[] {
  const pieces = new Map<string, FrameLogEntry[]>();
  for (const entry of entries) {
    if (entry.lane !== '!') continue;
    const own = pieces.get(entry.connection) ?? [];
    own.push(entry);
    pieces.set(entry.connection, own);
  }
  const changed = new Map<FrameLogEntry, Uint8Array>();
  for (const own of pieces.values()) {
    const payload = Buffer.concat(own.map((each) => each.payload));
    const inPieces = own.reduce(
      (sum, each) => sum + findSecretsInBytes(each.payload, secrets).length,
      0,
    );
    if (findSecretsInBytes(payload, secrets).length === inPieces) continue;
    for (const [index, each] of own.entries()) {
      changed.set(each, index === 0 ? payload : new Uint8Array());
    }
  }
  if (changed.size === 0) return entries;
  return entries.map((entry) => ({ ...entry, payload: changed.get(entry) ?? entry.payload }));
}

/** The record that says what was masked, where a log has one. */
export interface MaskedRecord {
  readonly maskedCount: number;
  /** What stands in the places; empty in logs of earlier versions, which don't say. */
  readonly masks: readonly string[];
  /** The log before that record, where it is the last one; null where more follows. */
  readonly before: Uint8Array | null;
}

export function readMasked(frameLog: Uint8Array, entries: readonly FrameLogEntry[]): MaskedRecord {
  let maskedCount = 0;
  let before: Uint8Array | null = null;
  const masks: string[] = [];
  for (const { lane, payload, offset, length } of entries) {
    if (lane !== '#' || !Buffer.from(payload).includes('"maskedCount":')) continue;
    const read = MaskedRecordSchema.safeParse(parseOwnJson(Buffer.from(payload).toString()));
    if (!read.success) continue;
    maskedCount += read.data.maskedCount;
    masks.push(...(read.data.masks ?? []));
    before = offset + length === frameLog.length ? frameLog.subarray(0, offset) : null;
  }
  return { maskedCount, masks, before };
}
