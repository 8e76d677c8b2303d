import type { ConnectionSecrets } from '@misstep/mcp';
import type {
  Comparison,
  EvidenceGrade,
  Receipt,
  Refusal,
  ReplayEvent,
  ReplayFrame,
  ReplayOutcome,
  Result,
  RunId,
  ServerAsk,
  SourceHash,
  StepId,
  Target,
  Ulid,
} from '@misstep/model';
import type { AskDesk } from './asks/ask-desk.ts';
import type { LogPlaces } from './receipts/log-secrets.ts';

/** The reason to abort a replay with where Misstep itself stops; any other is the person's doing. */
export class MisstepStopped extends Error {
  constructor() {
    super('Misstep was stopped.');
    this.name = 'MisstepStopped';
  }
}

/** What is known of the recorded call; null where the recording does not hold it. */
export interface RecordedCall {
  readonly runId: RunId;
  readonly stepId: StepId;
  readonly stepSeq: number;
  readonly tool: string;
  readonly argumentsState: 'captured' | 'elided' | 'notCaptured' | 'redacted';
  readonly argumentsText: string | null;
  readonly resultText: string | null;
  readonly resultEvidence: EvidenceGrade;
  /** The recorded wire's `result`, where the run has it beside a transcript; null or absent = not. */
  readonly wireResultText?: string | null;
  /** True where what was recorded is the `error` of a JSON-RPC answer, in place of a result. */
  readonly resultIsProtocolError?: boolean;
  /** True where the transcript's result is known to be cut or was read from cut JSON. */
  readonly resultIsCut: boolean;
  /** SHA-256 of the recorded tool definition's exact bytes. */
  readonly toolDefinitionSha256: SourceHash | null;
}

export interface ReplayRequest {
  readonly replayId: Ulid;
  readonly call: RecordedCall;
  readonly target: Target;
  /** The values of the target's settings, where it names any; read anew for each replay. */
  readonly secrets?: ConnectionSecrets;
  /** Where what the server asks is answered; without it every request but ping is declined. */
  readonly askDesk?: AskDesk;
  /** Working folder for a stdio target that names none. */
  readonly defaultCwd: string;
  /** Null = as recorded. */
  readonly tool: string | null;
  readonly argumentsText: string | null;
  readonly confirmTool: string | null;
  /** Sends also to a tool that a conforming client leaves out; absent = no. */
  readonly sendsLeftOut?: boolean;
  readonly timeoutMs: number;
  /** Frames over this many bytes end the replay as `tooLarge`, with what came so far. */
  readonly maxFrameBytes: number;
  /** Every record is appended here as it happens, before anything parses it. */
  readonly frameLogPath: string;
  readonly misstepVersion: string;
  /** Aborted by the person, or with `MisstepStopped` as its reason. */
  readonly signal: AbortSignal;
  /** Called for each frame and event as it happens, for the live view. */
  readonly onFrame?: (frame: ReplayFrame) => void;
  readonly onEvent?: (event: ReplayEvent) => void;
  /** Called when an ask has come or its state has changed, with all of them. */
  readonly onAsks?: (asks: readonly ServerAsk[], omittedCount: number) => void;
  readonly onState?: (state: 'connecting' | 'waiting') => void;
}

export interface ReplayEnding {
  readonly outcome: ReplayOutcome;
  /** One sentence: how it ended and what to do. */
  readonly sentence: string;
  readonly receipt: Receipt;
  readonly receiptText: string;
  readonly comparison: Comparison | null;
  /** Where in the frame log what the connection was given stands. */
  readonly secretPlaces: LogPlaces;
}

export interface ReplayRefusal {
  readonly reason: Refusal;
  /** One sentence: what is missing and what to do. */
  readonly sentence: string;
}

/**
 * Sends one call once, on a fresh connection. Refusals that need no connection come before
 * anything is started; `notConfirmed` may also come after tools/list, still before the call.
 * Never throws for what a server does; throws only when the frame log can't be written.
 */
export type ReplayCall = (request: ReplayRequest) => Promise<Result<ReplayEnding, ReplayRefusal>>;
