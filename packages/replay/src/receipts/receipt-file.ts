import { encodeFrameRecord, readFrameLog } from '@misstep/model';
import { z } from 'zod';
import { parseOwnJson } from '../own-json.ts';
import { sha256 } from '../receipt.ts';

const NEWLINE = 10;

/** What lane `#` holds of a receipt (docs/formats/frame-log.md). */
const ReceiptRecordSchema = z.object({
  kind: z.literal('receipt'),
  receipt: z.string(),
  receiptSha256: z.string(),
  leftOut: z.array(z.string()).optional(),
  notChecked: z.string().optional(),
});

/** What an export says of itself beside the receipt. */
export interface ReceiptRemarks {
  /** Fields of the receipt of which something was left out. */
  readonly leftOut: readonly string[];
  /** Why it may still hold a secret, in one sentence; null = everything that was secret is masked. */
  readonly notChecked: string | null;
}

const NO_REMARKS: ReceiptRemarks = { leftOut: [], notChecked: null };

/**
 * A frame log with the receipt of its call appended as one more record: an ordinary wire recording
 * to whoever reads frame logs. The log's own bytes stay as they are; the same input gives the same
 * file.
 */
export function packReceipt(
  frameLog: Uint8Array,
  receiptText: string,
  { leftOut, notChecked }: ReceiptRemarks = NO_REMARKS,
): Buffer {
  const last = readFrameLog(frameLog).entries.at(-1);
  const event = {
    kind: 'receipt',
    text: 'The receipt of the call above.',
    receiptSha256: sha256(receiptText),
    receipt: receiptText,
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(notChecked === null ? {} : { notChecked }),
  };
  const record = encodeFrameRecord({
    lane: '#',
    monotonicNs: last?.monotonicNs ?? 0n,
    wallNs: last?.wallNs ?? 0n,
    transport: last?.transport ?? 'unknown',
    connection: last?.connection ?? 'c1',
    payload: new TextEncoder().encode(JSON.stringify(event)),
  });
  // A torn log must not swallow the receipt's record.
  const isClosed = frameLog.length === 0 || frameLog.at(-1) === NEWLINE;
  return Buffer.concat([frameLog, isClosed ? new Uint8Array() : Uint8Array.of(NEWLINE), record]);
}

export type UnpackedReceipt =
  | {
      readonly kind: 'receipt';
      readonly receiptText: string;
      readonly frameLog: Uint8Array;
      /** Fields of the receipt of which something was left out on export. */
      readonly leftOut: readonly string[];
      readonly notChecked: string | null;
      /** False where the receipt's own record, or what follows it, is not as an export writes it. */
      readonly isAsPacked: boolean;
    }
  | { readonly kind: 'none'; readonly sentence: string };

/** The last receipt in a file and the frames before it. Never throws. */
export function unpackReceipt(file: Uint8Array): UnpackedReceipt {
  const { entries } = readFrameLog(file);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (const { lane, payload, offset } of [...entries].reverse()) {
    if (lane !== '#') continue;
    const read = ReceiptRecordSchema.safeParse(parseOwnJson(decoder.decode(payload)));
    if (!read.success) continue;
    const { receipt, receiptSha256, leftOut = [], notChecked = null } = read.data;
    if (sha256(receipt) !== receiptSha256) {
      const sentence = `The receipt's text was changed: its SHA-256 is ${sha256(receipt)}, the file says ${receiptSha256}.`;
      return { kind: 'none', sentence };
    }
    const frameLog = file.subarray(0, offset);
    const isAsPacked = packReceipt(frameLog, receipt, { leftOut, notChecked }).equals(file);
    return { kind: 'receipt', receiptText: receipt, frameLog, leftOut, notChecked, isAsPacked };
  }
  return { kind: 'none', sentence: 'The file holds no receipt.' };
}
