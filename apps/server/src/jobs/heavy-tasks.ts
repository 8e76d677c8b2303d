import {
  type CompareInput,
  compareResults,
  differenceOfLines,
  type LineDifference,
} from '@misstep/compare';
import { decodeUtf8, segmentsHeld } from '@misstep/json';
import { type KnownSecret, maskSecrets } from '@misstep/mcp';
import type { Comparison, Replay, ServerAsk } from '@misstep/model';
import {
  describeResult,
  type ExitSecrets,
  exportReceipt,
  type LoggedResult,
  type LogSecrets,
  maskRecords,
  maskStrings,
  type NotSentAgain,
  notSentAgain,
  type ReceiptExport,
  type ReceiptVerification,
  type ResultCheck,
  type ResultFacts,
  readLoggedCall,
  readLoggedResult,
  readReplayLog,
  remarkOnResult,
  sha256,
  verifyReceipt,
} from '@misstep/replay';
import { readFrameLogFile } from '../services/replay/frame-log-file.ts';
import { checkLoggedResult } from '../services/replay/logged-result-check.ts';
import { shownComparison } from '../services/replay/shown-comparison.ts';
import { shownRecords } from '../services/replay/shown-records.ts';
import { type PackedRows, packRows, type RowWindow } from './packed-rows.ts';

/** What was recorded of a result, as it is compared. */
export type RecordedSide = Omit<CompareInput, 'replayedText' | 'replayedIsError' | 'sha256'>;

/** Recorded and live answer of one replay. */
export interface LoggedComparison {
  readonly recorded: RecordedSide;
  readonly frameLogPath: string;
  /** Masked in what comes of it. */
  readonly secrets: readonly KnownSecret[];
}

export interface ReceiptReading {
  readonly resultCheck: Pick<ResultCheck, 'verdict' | 'sentence'> | null;
  /** Null = the call was not sent. */
  readonly notSentAgain: NotSentAgain[] | null;
  readonly isSent: boolean;
  readonly exportNotes: readonly string[];
}

/**
 * Everything whose time grows with a result: pure work on texts, bytes and frame logs. Each is
 * called with, and gives, what can be handed to another thread and back.
 */
export const heavyTasks = {
  /** At the end of a replay: its comparison, as it is kept. */
  compareAnswer(input: { recorded: RecordedSide; answer: LoggedResult | null }): Comparison | null {
    return compareWith(input.recorded, input.answer);
  },

  async compareLog({
    recorded,
    frameLogPath,
    secrets,
  }: LoggedComparison): Promise<Comparison | null> {
    const answer = readLoggedResult(await readFrameLogFile(frameLogPath));
    return maskStrings(compareWith(recorded, answer), secrets);
  },

  async packLogRows(
    input: LoggedComparison & { readonly from: Omit<RowWindow, 'limit'> },
  ): Promise<PackedRows> {
    const answer = readLoggedResult(await readFrameLogFile(input.frameLogPath));
    return packRows(inputOf(input.recorded, answer), input.from, input.secrets);
  },

  async linesOfLog(input: {
    readonly recordedText: string;
    readonly recordedIsCut: boolean;
    readonly frameLogPath: string;
    readonly secrets: readonly KnownSecret[];
  }): Promise<LineDifference | null> {
    const answer = readLoggedResult(await readFrameLogFile(input.frameLogPath));
    if (answer === null) return null;
    const recorded = maskSecrets(input.recordedText, input.secrets);
    const live = maskSecrets(decodeUtf8(answer.bytes).text, input.secrets);
    return differenceOfLines(recorded, input.recordedIsCut, live, sha256);
  },

  async readLog({ frameLogPath, secrets }: { frameLogPath: string; secrets: LogSecrets }): Promise<
    Pick<Replay, 'frames' | 'events'> & {
      readonly asks: readonly ServerAsk[];
      readonly asksOmitted: number;
    }
  > {
    const original = await readFrameLogFile(frameLogPath);
    const masked = maskRecords(original, secrets).frameLog;
    const { frames, events, asks, asksOmitted } = readReplayLog(masked, original);
    return { ...shownRecords(frames, events), asks, asksOmitted };
  },

  async resultText({ frameLogPath }: { frameLogPath: string }): Promise<string | null> {
    const { resultBytes } = readLoggedCall(await readFrameLogFile(frameLogPath));
    return resultBytes === null ? null : decodeUtf8(resultBytes).text;
  },

  /** How much of a pointer a recorded text has; null = it is none. */
  segmentsInText({ text, pointer }: { text: string; pointer: string }): number | null {
    return segmentsHeld(text, pointer);
  },

  /** The same of a replay's answer; false = there is no answer. */
  async segmentsInLog(input: {
    readonly frameLogPath: string;
    readonly pointer: string;
  }): Promise<number | null | false> {
    const answer = readLoggedResult(await readFrameLogFile(input.frameLogPath));
    return answer === null ? false : segmentsHeld(decodeUtf8(answer.bytes).text, input.pointer);
  },

  /** At the end of a replay: hashes of the result, and what readers take offence at. */
  describeResult(input: {
    readonly resultBytes: Uint8Array;
    readonly definitionText: string | null;
  }): { readonly facts: ResultFacts; readonly remarks: string[] } {
    return {
      facts: describeResult(input.resultBytes),
      remarks: remarkOnResult(input.resultBytes, input.definitionText),
    };
  },

  async readReceipt(input: {
    readonly receiptText: string;
    readonly tool: string;
    readonly recordedRequest: Uint8Array | null;
    readonly frameLogPath: string;
    readonly secrets: ExitSecrets;
  }): Promise<ReceiptReading> {
    const frameLog = await readFrameLogFile(input.frameLogPath);
    const logged = readLoggedCall(frameLog);
    const check = checkLoggedResult(logged, input.tool);
    const { recordedRequest } = input;
    return {
      resultCheck: check === null ? null : { verdict: check.verdict, sentence: check.sentence },
      isSent: logged.requestBytes !== null,
      notSentAgain:
        logged.requestBytes === null || recordedRequest === null
          ? null
          : notSentAgain(recordedRequest, logged.requestBytes),
      exportNotes: [...exportReceipt(frameLog, input.receiptText, input.secrets).notes],
    };
  },

  async verifyReceipt(input: {
    readonly receiptText: string;
    readonly frameLogPath: string;
  }): Promise<ReceiptVerification> {
    return verifyReceipt(input.receiptText, await readFrameLogFile(input.frameLogPath));
  },

  verifyGiven(input: {
    readonly receiptText: string;
    readonly frameLog: Uint8Array;
    readonly leftOut: readonly string[];
    readonly isAsPacked: boolean;
  }): ReceiptVerification {
    return verifyReceipt(input.receiptText, input.frameLog, input);
  },

  async exportReceipt(input: {
    readonly receiptText: string;
    readonly frameLogPath: string;
    readonly secrets: ExitSecrets;
  }): Promise<ReceiptExport> {
    const frameLog = await readFrameLogFile(input.frameLogPath);
    return exportReceipt(frameLog, input.receiptText, input.secrets);
  },
};

export type HeavyTasks = typeof heavyTasks;
export type HeavyTask = keyof HeavyTasks;

function compareWith(recorded: RecordedSide, answer: LoggedResult | null): Comparison | null {
  if (answer === null) return null;
  // Stored and sent: a text of many megabytes in one row is of use to nobody, and the log has it.
  return shownComparison(compareResults(inputOf(recorded, answer)));
}

function inputOf(recorded: RecordedSide, answer: LoggedResult | null): CompareInput {
  const replayedText = answer === null ? null : decodeUtf8(answer.bytes).text;
  return { ...recorded, replayedText, replayedIsError: answer?.isError ?? false, sha256 };
}
