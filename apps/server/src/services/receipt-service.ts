import { isMisstepError, MisstepError, type Receipt, type Ulid } from '@misstep/model';
import {
  describePins,
  exportReceipt,
  meaningOf,
  type NotSentAgain,
  notSentAgain,
  type PinStatement,
  type ReceiptExport,
  type ReceiptVerification,
  readLoggedCall,
  recordedArguments,
  sha256,
  unpackReceipt,
  verifyReceipt,
} from '@misstep/replay';
import type { Store } from '@misstep/store';
import { readFrameLogFile } from './replay/frame-log-file.ts';
import { readRecordedCall } from './replay/recorded-call.ts';
import { readRecordedConversation, readRecordedFrames } from './replay/recorded-conversation.ts';
import type { SecretService } from './secret-service.ts';
import type { ValueReader } from './value-reader.ts';

export interface ShownReceipt {
  readonly receipt: Receipt;
  /** Exactly as it was made. */
  readonly receiptText: string;
  readonly receiptSha256: string;
  readonly pins: PinStatement[];
  /** To what a difference can be laid, in one sentence. */
  readonly meaning: string;
  /** Null where it can't be told; `notSentAgainWhy` says why. */
  readonly notSentAgain: NotSentAgain[] | null;
  readonly notSentAgainWhy: string | null;
  /** What an export leaves out, or where a secret still stands. */
  readonly exportNotes: string[];
}

/** Receipts of replays: shown, checked against their frames, packed into one file. */
export interface ReceiptService {
  /** A replay by its whole id or a beginning that no other has; REPLAY_NOT_FOUND. */
  find(given: string): Promise<Ulid>;
  /** RECEIPT_NOT_FOUND where the replay has none, as in the next two. */
  show(replayId: Ulid): Promise<ShownReceipt>;
  verify(replayId: Ulid): Promise<ReceiptVerification>;
  /** Frames and receipt as one frame log, without what looks like a secret in the address. */
  export(replayId: Ulid): Promise<ReceiptExport>;
  /** Of an exported file; where this store has the replay, also against what it would export. */
  verifyFile(bytes: Uint8Array): Promise<ReceiptVerification>;
}

const LIST_AT_MOST = 100_000;

export function createReceiptService(
  store: Store,
  values: ValueReader,
  secrets: Pick<SecretService, 'keptOf'>,
): ReceiptService {
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
  const makeExport = async (replayId: Ulid) => {
    const { receipt, receiptText, frameLogPath } = await load(replayId);
    const kept = await secrets.keptOf(receipt.target.name);
    return exportReceipt(await readFrameLogFile(frameLogPath), receiptText, kept);
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
      const { receipt, receiptText, frameLogPath } = await load(replayId);
      const frameLog = await readFrameLogFile(frameLogPath);
      const recorded = await readRecorded(store, values, receipt);
      const pins = describePins(receipt, recorded.conversation);
      const sent = readLoggedCall(frameLog).requestBytes;
      return {
        receipt,
        receiptText,
        receiptSha256: sha256(receiptText),
        pins,
        meaning: meaningOf(pins),
        ...leftOut(recorded.request, sent),
        exportNotes: [...exportReceipt(frameLog, receiptText).notes],
      };
    },
    async verify(replayId) {
      const { receiptText, frameLogPath } = await load(replayId);
      return verifyReceipt(receiptText, await readFrameLogFile(frameLogPath));
    },
    export: makeExport,
    async verifyFile(bytes) {
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
      const found = verifyReceipt(unpacked.receiptText, unpacked.frameLog);
      const own = found.receipt === null ? null : await ownExport(makeExport, found.receipt.id);
      if (own === null || own.receiptText === unpacked.receiptText) return found;
      const check = {
        field: 'receipt',
        state: 'differs' as const,
        inReceipt: sha256(unpacked.receiptText),
        inFrames: sha256(own.receiptText),
        note: 'this data folder has the same replay with another receipt',
      };
      return {
        ...found,
        verified: false,
        sentence: `${found.sentence} But this data folder has the same replay with another receipt.`,
        checks: [...found.checks, check],
      };
    },
  };
}

/** What was not sent again, or one sentence why that can't be told. */
function leftOut(
  recorded: Uint8Array | null,
  sent: Uint8Array | null,
): Pick<ShownReceipt, 'notSentAgain' | 'notSentAgainWhy'> {
  const unknown = (why: string) => ({ notSentAgain: null, notSentAgainWhy: why });
  if (sent === null) return unknown('The call was not sent, so nothing was left out of it.');
  if (recorded === null) {
    return unknown(
      'Unknown: the recording holds no frame of this call, so only its name and arguments are known.',
    );
  }
  const left = notSentAgain(recorded, sent);
  return left === null
    ? unknown('Unknown: the frame of the recorded or of the sent call can’t be read as JSON.')
    : { notSentAgain: left, notSentAgainWhy: null };
}

/** Null where this store has no such replay or no receipt of it: then the file stands alone. */
async function ownExport(
  makeExport: (replayId: Ulid) => Promise<ReceiptExport>,
  replayId: Ulid,
): Promise<ReceiptExport | null> {
  try {
    return await makeExport(replayId);
  } catch (error) {
    const isUnknown =
      isMisstepError(error) &&
      (error.code === 'REPLAY_NOT_FOUND' || error.code === 'RECEIPT_NOT_FOUND');
    if (isUnknown) return null;
    throw error;
  }
}

async function readRecorded(store: Store, values: ValueReader, { runId, stepId }: Receipt) {
  const step = await store.getStep(runId, stepId);
  const call = await readRecordedCall(store, values, runId, stepId);
  const args = recordedArguments(call);
  const { request } = await readRecordedFrames(store, values, runId, stepId);
  return {
    request,
    conversation: {
      ...(await readRecordedConversation(store, values, runId, step.server)),
      argumentBytes: args === null ? null : Buffer.byteLength(args),
    },
  };
}
