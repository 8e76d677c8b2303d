import type { EvidenceGrade, FrameDirection, RunClock } from '@misstep/model';

/** What stands at the beginning of an entry; offsets are UTF-16 offsets into its text. */
export interface LogHead {
  readonly timeText: string;
  readonly server: string | null;
  readonly bodyAt: number;
}

/** What an entry says that is no JSON-RPC message. */
export interface LogNote {
  readonly name: string;
  readonly kind: 'protocol' | 'note';
  /** The connection starts anew. */
  readonly restarts: boolean;
  /** Something on the transport that is no JSON. */
  readonly isNoise?: boolean;
}

/** How one program writes its log of JSON-RPC messages. */
export interface LogDialect {
  readonly client: string;
  readonly clock: RunClock;
  readonly evidence: EvidenceGrade;
  /** One run may stand in several logs, which are found by the messages that they share. */
  readonly hasOtherLogs?: boolean;
  /** The entry that begins at `from`, or null. */
  headAt(text: string, from: number): LogHead | null;
  /** Where in the body a message begins, and who sent it; null where it is none. */
  messageIn(body: string): { direction: FrameDirection; jsonAt: number } | null;
  noteOf(body: string): LogNote;
  /** Lines that say nothing, such as what `tail` prints between files. */
  isNoise(line: string): boolean;
  /** The name of the server, where an entry tells it for all that follow. */
  serverIn?(body: string): string | null;
}
