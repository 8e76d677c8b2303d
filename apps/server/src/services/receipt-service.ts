import { maskSecrets } from '@misstep/mcp';
import { isMisstepError, MisstepError, type Receipt, type Ulid } from '@misstep/model';
import {
  concludeReceipt,
  describePins,
  isSameButMasked,
  maskStrings,
  meaningOf,
  type NotSentAgain,
  type PinStatement,
  type ReceiptCheck,
  type ReceiptExport,
  type ReceiptVerification,
  type ResultCheck,
  recordedArguments,
  sha256,
  unpackReceipt,
} from '@misstep/replay';
import type { Store } from '@misstep/store';
import type { ReceiptReading } from '../jobs/heavy-tasks.ts';
import { fileSize, type HeavyWork } from '../jobs/heavy-work.ts';
import { findByBeginning } from './find-by-beginning.ts';
import { readFrameLogFile } from './replay/frame-log-file.ts';
import { readRecordedCall } from './replay/recorded-call.ts';
import { readRecordedConversation, readRecordedFrames } from './replay/recorded-conversation.ts';
import type { ExitService } from './secrets/exit-secrets.ts';
import type { ValueReader } from './value-reader.ts';

export interface ShownReceipt {
  readonly receipt: Receipt;
  /** Exactly as it was made, but for what is or was a secret of the target. */
  readonly receiptText: string;
  /** Of the text as it was made. */
  readonly receiptSha256: string;
  readonly pins: PinStatement[];
  /** To what a difference can be laid, in one sentence. */
  readonly meaning: string;
  /** The result held against the tool's outputSchema; null = no definition seen, or no result. */
  readonly resultCheck: Pick<ResultCheck, 'verdict' | 'sentence'> | null;
  /** Null where it can't be told; `notSentAgainWhy` says why. */
  readonly notSentAgain: NotSentAgain[] | null;
  readonly notSentAgainWhy: string | null;
  /** What an export leaves out, or where a secret still stands. */
  readonly exportNotes: string[];
  /** Why it may still show what was a secret; absent = all that was is masked. */
  readonly notChecked?: string;
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
  exits: Pick<ExitService, 'ofReplay'>,
  heavy: HeavyWork,
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
    return { replay, receipt, receiptText, frameLogPath: replay.frameLogPath };
  };
  const makeExport = async (replayId: Ulid) => {
    const { replay, receiptText, frameLogPath } = await load(replayId);
    const secrets = await exits.ofReplay(replay);
    const size = await fileSize(frameLogPath);
    return heavy.run('exportReceipt', { receiptText, frameLogPath, secrets }, { size });
  };
  return {
    async find(given) {
      const { replays } = await store.listReplays({ limit: LIST_AT_MOST });
      const ids = replays.map(({ id }) => id);
      return findByBeginning(given, ids, {
        anyCase: true,
        noun: 'replay',
        code: 'REPLAY_NOT_FOUND',
      });
    },
    async show(replayId) {
      const { replay, receipt, receiptText, frameLogPath } = await load(replayId);
      const secrets = await exits.ofReplay(replay);
      const recorded = await readRecorded(store, values, receipt);
      const pins = describePins(receipt, recorded.conversation);
      const size = await fileSize(frameLogPath);
      const { tool } = receipt;
      const recordedRequest = recorded.request;
      const input = { receiptText, tool, recordedRequest, frameLogPath, secrets };
      const reading = await heavy.run('readReceipt', input, { size });
      const shown = {
        receipt,
        pins,
        meaning: meaningOf(pins),
        resultCheck: reading.resultCheck,
        ...leftOut(recordedRequest !== null, reading),
        exportNotes: [...reading.exportNotes],
      };
      return {
        ...maskStrings(shown, secrets.inTexts),
        receiptText: maskSecrets(receiptText, secrets.inTexts),
        receiptSha256: sha256(receiptText),
        ...(secrets.notChecked === null ? {} : { notChecked: secrets.notChecked }),
      };
    },
    async verify(replayId) {
      const { replay, receiptText, frameLogPath } = await load(replayId);
      const size = await fileSize(frameLogPath);
      const found = await heavy.run('verifyReceipt', { receiptText, frameLogPath }, { size });
      return maskStrings(found, (await exits.ofReplay(replay)).inTexts);
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
      const { receiptText, frameLog } = unpacked;
      const { leftOut, isAsPacked } = unpacked;
      const given = { receiptText, frameLog, leftOut, isAsPacked };
      const found = await heavy.run('verifyGiven', given, { size: frameLog.length });
      if (found.receipt === null) return found;
      const own = await orNull(async (id) => {
        const kept = await load(id);
        return {
          receiptText: kept.receiptText,
          frameLog: await readFrameLogFile(kept.frameLogPath),
          exported: await makeExport(id),
          frameLogPath: kept.frameLogPath,
        };
      }, found.receipt.id);
      if (own === null) return found;
      const file = { bytes, receiptText, frameLog };
      const checks = againstOwn(found.checks, file, own);
      const plain = concludeReceipt(found.receipt, checks, found.maskedCount);
      if (plain.verified || !isAsPacked || !isSameButMasked(file, own)) return plain;
      const { receiptText: ownText, frameLogPath, frameLog: ownLog } = own;
      const input = { receiptText: ownText, frameLogPath };
      const here = await heavy.run('verifyReceipt', input, { size: ownLog.length });
      const masked = concludeReceipt(
        found.receipt,
        butForMasks(found.checks, here.checks),
        found.maskedCount,
      );
      return { ...masked, sentence: `${masked.sentence} ${ONLY_MASKS}` };
    },
  };
}

const ONLY_MASKS =
  'The file differs from what this data folder has of the replay only in masked places: it was exported by another version of Misstep, or when other secrets were known.';

/** A file's checks where nothing but masks sets it apart from frames that are here, whole. */
function butForMasks(
  checks: readonly ReceiptCheck[],
  here: readonly ReceiptCheck[],
): ReceiptCheck[] {
  const holds = new Set(here.filter(({ state }) => state === 'matches').map(({ field }) => field));
  const note = 'by the frames in this data folder: masked values stand in those of the file';
  return checks.map((each) =>
    each.state !== 'matches' && holds.has(each.field) ? { ...each, state: 'matches', note } : each,
  );
}

interface OwnReplay {
  readonly receiptText: string;
  readonly frameLog: Uint8Array;
  readonly exported: ReceiptExport;
  readonly frameLogPath: string;
}

/** A file's checks with what this data folder, which has the same replay, says of it. */
function againstOwn(
  checks: readonly ReceiptCheck[],
  file: { bytes: Uint8Array; receiptText: string; frameLog: Uint8Array },
  own: OwnReplay,
): ReceiptCheck[] {
  const { exported } = own;
  const isExported = isSame(file.bytes, exported.bytes);
  const isOwnReceipt =
    isExported || file.receiptText === own.receiptText || file.receiptText === exported.receiptText;
  const isOwnLog = isExported || isSame(file.frameLog, own.frameLog);
  const note = isExported
    ? 'the file is byte for byte what this data folder exports of the replay'
    : isOwnLog
      ? 'the frames are byte for byte those that this data folder has of the replay'
      : 'this data folder has the same replay with other frames, and would export another file now';
  return [
    // What was masked can't be told from the file alone, but from the frames that were masked here.
    ...checks.filter(
      ({ field, state }) =>
        !(field === 'frameLog.sha256' && isOwnLog && state === 'cannot be checked'),
    ),
    {
      field: 'frameLog in this data folder',
      state: isOwnLog ? 'matches' : 'differs',
      inReceipt: sha256(file.frameLog),
      inFrames: sha256(own.frameLog),
      note,
    },
    ...(isOwnReceipt
      ? []
      : [
          {
            field: 'receipt in this data folder',
            state: 'differs' as const,
            inReceipt: sha256(file.receiptText),
            inFrames: sha256(own.receiptText),
            note: 'this data folder has the same replay with another receipt',
          },
        ]),
  ];
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/** What was not sent again, or one sentence why that can't be told. */
function leftOut(
  isRecorded: boolean,
  { isSent, notSentAgain }: ReceiptReading,
): Pick<ShownReceipt, 'notSentAgain' | 'notSentAgainWhy'> {
  const unknown = (why: string) => ({ notSentAgain: null, notSentAgainWhy: why });
  if (!isSent) return unknown('The call was not sent, so nothing was left out of it.');
  if (!isRecorded) {
    return unknown(
      'Unknown: the recording holds no frame of this call, so only its name and arguments are known.',
    );
  }
  return notSentAgain === null
    ? unknown('Unknown: the frame of the recorded or of the sent call can’t be read as JSON.')
    : { notSentAgain, notSentAgainWhy: null };
}

/** Null where this store has no such replay or no receipt of it: then the file stands alone. */
async function orNull<T>(read: (replayId: Ulid) => Promise<T>, replayId: Ulid): Promise<T | null> {
  try {
    return await read(replayId);
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
