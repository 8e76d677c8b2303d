import { type ConnectionSecrets, maskSecretBytes } from '@misstep/mcp';
import {
  encodeFrameRecord,
  FRAME_LOG_MAGIC,
  type FrameLogEntry,
  readFrameLog,
} from '@misstep/model';
import { z } from 'zod';
import { parseOwnJson } from '../own-json.ts';

/** What lane `#` holds where secrets were masked (docs/formats/frame-log.md). */
const MaskedRecordSchema = z.object({ kind: z.literal('masked'), maskedCount: z.number() });

/**
 * A frame log as it may leave this machine: a server can echo what only it was to know. Each place
 * becomes `(secret NAME)`, and one more record says how many there were. Where there are none the
 * log stays as it is, byte for byte.
 */
export function maskFrameLog(
  frameLog: Uint8Array,
  secrets: ConnectionSecrets | undefined,
): { readonly frameLog: Uint8Array; readonly maskedCount: number } {
  if (secrets === undefined) return { frameLog, maskedCount: 0 };
  const entries = joinSplitStderr(readFrameLog(frameLog).entries, secrets);
  let maskedCount = 0;
  const records = entries.map((entry) => {
    const { bytes, count } = maskSecretBytes(entry.payload, secrets);
    maskedCount += count;
    return encodeFrameRecord({ ...entry, payload: bytes });
  });
  const last = entries.at(-1);
  // Bytes that are no record can hold a secret as well, so a damaged log is written anew too.
  if (last === undefined) {
    const { bytes, count } = maskSecretBytes(frameLog, secrets);
    return { frameLog: bytes, maskedCount: count };
  }
  if (maskedCount === 0 && maskSecretBytes(frameLog, secrets).count === 0) {
    return { frameLog, maskedCount };
  }
  const text = `${maskedCount} places that held secrets of the target were masked.`;
  records.push(
    encodeFrameRecord({
      ...last,
      lane: '#',
      payload: Buffer.from(JSON.stringify({ kind: 'masked', text, maskedCount })),
    }),
  );
  return { frameLog: Buffer.concat([Buffer.from(FRAME_LOG_MAGIC), ...records]), maskedCount };
}

/** Stderr comes in pieces: where a secret stands across two, all of it goes into the first. */
function joinSplitStderr(
  entries: readonly FrameLogEntry[],
  secrets: ConnectionSecrets,
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
      (sum, each) => sum + maskSecretBytes(each.payload, secrets).count,
      0,
    );
    if (maskSecretBytes(payload, secrets).count === inPieces) continue;
    for (const [index, each] of own.entries()) {
      changed.set(each, index === 0 ? payload : new Uint8Array());
    }
  }
  if (changed.size === 0) return entries;
  return entries.map((entry) => ({ ...entry, payload: changed.get(entry) ?? entry.payload }));
}

/** How many places of a log were masked when it was exported. */
export function maskedCountIn(payloads: readonly Uint8Array[]): number {
  return payloads
    .filter((payload) => Buffer.from(payload).includes('"maskedCount":'))
    .reduce((sum, payload) => {
      const read = MaskedRecordSchema.safeParse(parseOwnJson(Buffer.from(payload).toString()));
      return sum + (read.success ? read.data.maskedCount : 0);
    }, 0);
}
