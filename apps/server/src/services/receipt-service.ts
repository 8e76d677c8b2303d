import { MisstepError, type Receipt, type Ulid } from '@misstep/model';
import {
  describePins,
  type PinStatement,
  packReceipt,
  type ReceiptVerification,
  unpackReceipt,
  verifyReceipt,
} from '@misstep/replay';
import type { Store } from '@misstep/store';
import { readFrameLogFile } from './replay/frame-log-file.ts';

export interface ShownReceipt {
  readonly receipt: Receipt;
  /** Exactly as it was made. */
  readonly receiptText: string;
  readonly pins: readonly PinStatement[];
}

/** Receipts of replays: shown, checked against their frames, packed into one file. */
export interface ReceiptService {
  /** A replay by its whole id or a beginning that no other has; REPLAY_NOT_FOUND. */
  find(given: string): Promise<Ulid>;
  /** RECEIPT_NOT_FOUND where the replay has none, as in the next two. */
  show(replayId: Ulid): Promise<ShownReceipt>;
  verify(replayId: Ulid): Promise<ReceiptVerification>;
  /** Frames and receipt as one frame log. */
  pack(replayId: Ulid): Promise<Uint8Array>;
  /** Of a packed file. */
  verifyFile(bytes: Uint8Array): ReceiptVerification;
}

const LIST_AT_MOST = 100_000;

export function createReceiptService(store: Store): ReceiptService {
  const load = async (replayId: Ulid) => {
    const replay = await store.getReplay(replayId);
    const { receipt, receiptText } = replay;
    if (receipt === null || receiptText === null) {
      throw new MisstepError(
        'RECEIPT_NOT_FOUND',
        replay.outcome === null
          ? `The replay ${replayId} has not ended.`
          : `The replay ${replayId} has no receipt: ${replay.outcomeSentence ?? replay.outcome}`,
      );
    }
    return { receipt, receiptText, frameLogPath: replay.frameLogPath };
  };
  return {
    async find(given) {
      const { replays } = await store.listReplays({ limit: LIST_AT_MOST });
      const found = replays.filter(({ id }) => id.startsWith(given.toUpperCase()));
      const [only] = found;
      if (only !== undefined && found.length === 1 && given !== '') return only.id;
      throw new MisstepError(
        'REPLAY_NOT_FOUND',
        only === undefined
          ? `There is no replay ${given}.`
          : `${found.length} replays begin with "${given}".`,
      );
    },
    async show(replayId) {
      const { receipt, receiptText } = await load(replayId);
      return { receipt, receiptText, pins: describePins(receipt) };
    },
    async verify(replayId) {
      const { receiptText, frameLogPath } = await load(replayId);
      return verifyReceipt(receiptText, await readFrameLogFile(frameLogPath));
    },
    async pack(replayId) {
      const { receiptText, frameLogPath } = await load(replayId);
      return packReceipt(await readFrameLogFile(frameLogPath), receiptText);
    },
    verifyFile(bytes) {
      const unpacked = unpackReceipt(bytes);
      if (unpacked.kind === 'none') {
        return {
          receipt: null,
          verified: false,
          sentence: unpacked.sentence,
          checks: [],
          maskedCount: 0,
        };
      }
      return verifyReceipt(unpacked.receiptText, unpacked.frameLog);
    },
  };
}
