import { AnswerBook } from './answer-book.ts';
import type {
  ConnectionOptions,
  EraConnection,
  Handshake,
  SentCall,
  ToolPageAnswer,
} from './connection-options.ts';
import { createTransport } from './create-transport.ts';
import type { RawTransport, TransportEnd } from './frame-transport.ts';
import { LegacyConnection } from './legacy-connection.ts';
import { type FrameTap, startClock } from './tap.ts';

/** One connection to one server. */
export class McpConnection implements EraConnection {
  readonly ended: Promise<TransportEnd>;
  readonly #transport: RawTransport;
  readonly #era: EraConnection;

  constructor(options: ConnectionOptions) {
    const book = new AnswerBook();
    const tap: FrameTap = (record) => {
      options.tap(record);
      book.see(record);
    };
    const clock = options.clock ?? startClock();
    this.#transport = createTransport({ ...options, tap, clock });
    this.ended = this.#transport.ended;
    this.#era = new LegacyConnection(options, this.#transport, book);
  }

  handshake(): Promise<Handshake> {
    return this.#era.handshake();
  }

  listTools(cursor: string | null): Promise<ToolPageAnswer> {
    return this.#era.listTools(cursor);
  }

  callTool(tool: string, argumentsText: string): SentCall {
    return this.#era.callTool(tool, argumentsText);
  }

  /** Resolves when the process group, or every HTTP request, is gone. */
  async close(): Promise<void> {
    await this.#transport.close();
  }
}
