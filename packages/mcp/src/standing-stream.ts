import type { IncomingMessage } from 'node:http';
import { HttpBodyReader } from './http-body.ts';
import type { HttpChannel } from './http-channel.ts';
import { mediaTypeOf, readPaced } from './http-exchange.ts';
import type { TapWriter } from './tap.ts';
import type { TooLarge, TotalCap } from './total-cap.ts';

export interface StandingStreamOptions {
  readonly channel: HttpChannel;
  readonly tap: TapWriter;
  readonly maxFrameBytes: number;
  readonly total: TotalCap;
  readonly signal: AbortSignal;
  readonly onFrame: (bytes: Uint8Array) => void;
  readonly onTooLarge: (end: TooLarge) => void;
}

const HEADERS_GRACE_MS = 1000;
const DEFAULT_RETRY_MS = 1000;
const MAX_REOPENINGS = 5;

/**
 * The stream that a client may open by GET so that the server can send requests of its own outside
 * of any POST (MCP 2025-03-26 to 2025-11-25, transports, listening for messages). A server that has
 * none answers 405 or the like, which is no fault; that it ended is none either.
 */
export class StandingStream {
  readonly #options: StandingStreamOptions;
  #reading: Promise<void> = Promise.resolve();

  constructor(options: StandingStreamOptions) {
    this.#options = options;
  }

  /** Resolves when the server has answered, or has taken too long to do so; never rejects. */
  async open(): Promise<void> {
    const { channel, signal } = this.#options;
    const answered = channel.listen(null, signal).catch(() => null);
    this.#reading = answered.then((response) => this.#readAll(response));
    await Promise.race([answered, delay(HEADERS_GRACE_MS, signal)]);
  }

  /** Resolves when nothing of it is read any more; abort the signal first. */
  async closed(): Promise<void> {
    await this.#reading;
  }

  async #readAll(first: IncomingMessage | null): Promise<void> {
    const { channel, signal } = this.#options;
    let response = first;
    for (let reopened = 0; response !== null && reopened < MAX_REOPENINGS; reopened += 1) {
      if (response.statusCode !== 200 || mediaTypeOf(response) !== 'text/event-stream') {
        response.destroy();
        return;
      }
      const reader = await this.#read(response);
      if (signal.aborted) return;
      await delay(reader.retryMs ?? DEFAULT_RETRY_MS, signal);
      if (signal.aborted) return;
      response = await channel.listen(reader.lastEventId, signal).catch(() => null);
    }
    response?.destroy();
  }

  async #read(response: IncomingMessage): Promise<HttpBodyReader> {
    const { tap, maxFrameBytes, total, onFrame, onTooLarge, signal } = this.#options;
    const reader = new HttpBodyReader({ tap, response, maxFrameBytes, total, onFrame, onTooLarge });
    const failure = await readPaced(response, (piece) => reader.push(piece), signal);
    reader.finish(failure !== null);
    return reader;
  }
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
