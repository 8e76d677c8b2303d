import type { JsonDocument } from '@misstep/json';

/** What a tool gives back: JSON text that goes into the result unchanged. */
export interface ToolAnswer {
  /** Text of the one text block. */
  readonly text: string;
  /** JSON text for `structuredContent`, spliced in as it stands; absent = none. */
  readonly structured?: string;
  readonly isError?: boolean;
}

export interface ToolCall {
  /** The arguments object as it came, losslessly read. */
  readonly arguments: JsonDocument;
  /** Sends notifications/progress where the caller asked for them. */
  readonly progress: (done: number, total: number) => void;
  /** Asks the person at the client; absent where the client can't. Null = no answer to speak of. */
  readonly elicit?: (
    message: string,
    requestedSchema: Readonly<Record<string, unknown>>,
  ) => Promise<{ readonly action: string; readonly content: JsonDocument | null } | null>;
  /** How many calls of this tool are being worked on, this one included. */
  readonly atOnce: number;
  /** Aborted by notifications/cancelled or when the connection ends. */
  readonly signal: AbortSignal;
}

export interface Tool {
  readonly definition: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: Readonly<Record<string, unknown>>;
    readonly annotations?: Readonly<Record<string, boolean>>;
  };
  readonly call: (call: ToolCall) => Promise<ToolAnswer>;
}
