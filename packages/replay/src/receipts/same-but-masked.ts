import { type FrameLogEntry, type Receipt, ReceiptSchema, readFrameLog } from '@misstep/model';
import { parseOwnJson } from '../own-json.ts';
import { LEFT_OUT } from './address-secrets.ts';
import { readMasked } from './mask-frame-log.ts';

/** What stands in a file where a secret stood. */
const MASK = new RegExp(
  `\\(secret [^\\n]{1,256}?\\)|${LEFT_OUT.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`,
  'g',
);

interface Kept {
  readonly frameLog: Uint8Array;
  readonly receiptText: string;
}

/**
 * Whether a file differs from what is kept of the same replay in nothing but masked places: another
 * version, or one that knew other secrets, masks other places. What stood there is not compared;
 * every other byte of the frames, and every field of the receipt that no mask can stand in, is.
 */
export function isSameButMasked(file: Kept, own: Kept): boolean {
  return isSameReceipt(file.receiptText, own.receiptText) && isSameLog(file.frameLog, own.frameLog);
}

function isSameReceipt(fileText: string, ownText: string): boolean {
  if (fileText === ownText) return true;
  const file = ReceiptSchema.safeParse(parseOwnJson(fileText));
  const own = ReceiptSchema.safeParse(parseOwnJson(ownText));
  if (!file.success || !own.success) return false;
  const [inFile, inOwn] = [wordsOf(file.data), wordsOf(own.data)];
  return (
    JSON.stringify(inFile.rest) === JSON.stringify(inOwn.rest) &&
    isMaskedFrom(inFile.words, inOwn.words)
  );
}

/** The fields in which an export masks, apart from all others. */
function wordsOf({ tool, server, protocolRevision, outcomeDetail, target, ...rest }: Receipt) {
  const { address, ...about } = target;
  const words = JSON.stringify([tool, server, protocolRevision, outcomeDetail, address]);
  return { words, rest: { ...rest, target: about } };
}

function isSameLog(file: Uint8Array, own: Uint8Array): boolean {
  if (Buffer.compare(file, own) === 0) return true;
  const entries = readFrameLog(file).entries;
  const before = readMasked(file, entries).before;
  const [inFile, inOwn] = [
    before === null ? entries : readFrameLog(before).entries,
    readFrameLog(own).entries,
  ];
  if (inFile.length !== inOwn.length) return false;
  const isSame = inFile.every((entry, at) => {
    const other = inOwn[at];
    if (other === undefined || headOf(entry) !== headOf(other)) return false;
    return entry.lane === '!' || isMaskedFrom(textOf([entry]), textOf([other]));
  });
  // A secret that stands across two pieces of stderr has its mask in one of them.
  const connections = new Set(inOwn.map(({ connection }) => connection));
  const stderr = (from: readonly FrameLogEntry[], connection: string) =>
    textOf(from.filter((each) => each.lane === '!' && each.connection === connection));
  return (
    isSame &&
    [...connections].every((each) => isMaskedFrom(stderr(inFile, each), stderr(inOwn, each)))
  );
}

function headOf({ lane, monotonicNs, wallNs, transport, connection }: FrameLogEntry): string {
  return JSON.stringify([lane, String(monotonicNs), String(wallNs), transport, connection]);
}

function textOf(entries: readonly FrameLogEntry[]): string {
  return Buffer.concat(entries.map(({ payload }) => payload)).toString('latin1');
}

/** True where only something else, not nothing, stands in the whole where the other has a mask. */
function isMaskedFrom(masked: string, whole: string): boolean {
  if (masked === whole) return true;
  const [first = '', ...rest] = masked.split(MASK);
  const last = rest.pop();
  if (last === undefined || !whole.startsWith(first) || !whole.endsWith(last)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = whole.indexOf(piece, at + 1);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at + 1 + last.length <= whole.length;
}
