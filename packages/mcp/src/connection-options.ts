import type { TargetAddress, TargetSettings } from '@misstep/model';
import type { RawAnswer } from './answer-book.ts';
import type { EraMemory } from './era-memory.ts';
import type { AnswerServer } from './server-requests.ts';
import type { ConnectionClock, FrameTap } from './tap.ts';
import type { ToolPage } from './tool-list.ts';

export interface ConnectionOptions {
  readonly address: TargetAddress;
  /** Working folder of a stdio target that names none. */
  readonly defaultCwd: string;
  readonly maxFrameBytes: number;
  readonly tap: FrameTap;
  readonly clock?: ConnectionClock;
  readonly clientVersion: string;
  /** Milliseconds that the caller waits for all of it; absent = as long as it takes. */
  readonly timeoutMs?: number;
  /** `auto` (the default) negotiates; a revision is the only one offered. */
  readonly protocolRevision?: TargetSettings['protocolRevision'];
  /** What only this server may know. Bound by the caller to the address; never put on the tap. */
  readonly secrets?: ConnectionSecrets;
  /** Answers what the server asks of us; without it every request but ping is declined. */
  readonly answerServer?: AnswerServer;
  /** Which servers are known to be legacy; shared by the connections of one process. */
  readonly eras?: EraMemory;
}

/** Values that go to the server and nowhere else. */
export interface ConnectionSecrets {
  readonly environment: ReadonlyMap<string, string>;
  readonly headers: ReadonlyMap<string, string>;
}

export interface Handshake {
  /** Null where the server's answer does not hold it. */
  readonly serverName: string | null;
  readonly serverVersion: string | null;
  readonly protocolRevision: string | null;
  /** `legacy` = greeted with initialize; `modern` = MCP 2026-07-28 and later. */
  readonly protocolEra: ProtocolEra | null;
}

export type ProtocolEra = 'legacy' | 'modern';

export type ToolPageAnswer =
  | { readonly kind: 'page'; readonly page: ToolPage; readonly answer: RawAnswer }
  | { readonly kind: 'error'; readonly answer: RawAnswer };

/** The call that was sent; `answer` stays pending where none comes. */
export interface SentCall {
  /**
   * A call that asked for input and went on is one call: its last answer, with the time at which
   * the first request left.
   */
  readonly answer: Promise<RawAnswer>;
  /** How many requests the call took so far; over 1 only where the server asked for input. */
  readonly rounds: number;
  /** Tells the server that we no longer wait, in the way of its transport and revision. */
  cancel(reason: string): void;
}

/** One conversation with one server in the manner of one era of the protocol. */
export interface EraConnection {
  /**
   * Rejects where the connection ends or the server's answer can't be used; the message is then
   * half a sentence that says what the answer is or lacks.
   */
  handshake(): Promise<Handshake>;
  /** One page of tools/list. */
  listTools(cursor: string | null): Promise<ToolPageAnswer>;
  /**
   * Sends tools/call with the argument text as it is; it must be one JSON object. Several may be
   * under way at once: each answer goes to the call whose very id it has.
   */
  callTool(tool: string, argumentsText: string): SentCall;
}
