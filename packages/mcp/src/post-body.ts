import type { IncomingMessage } from 'node:http';
import { readFrame } from './describe-frame.ts';
import { statusText } from './http-exchange.ts';
import type { TapWriter } from './tap.ts';
import { cutRemark } from './total-cap.ts';

export interface PostBodyOptions {
  readonly tap: TapWriter;
  readonly response: IncomingMessage;
  readonly maxFrameBytes: number;
  readonly onFrame: (bytes: Uint8Array) => void;
}

const LONGEST_TEXT = 500;

/**
 * What comes back on a POST of HTTP+SSE. It should be nothing, or a word like `Accepted`, which
 * becomes an event; JSON becomes a frame, with why clients don't read it there.
 */
export class PostBody {
  readonly #options: PostBodyOptions;
  #chunks: Uint8Array[] = [];
  #sizeBytes = 0;

  constructor(options: PostBodyOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array): void {
    const room = this.#options.maxFrameBytes - this.#sizeBytes;
    this.#sizeBytes += chunk.length;
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
  }

  finish(): void {
    const { tap, response, maxFrameBytes, onFrame } = this.#options;
    const bytes = Buffer.concat(this.#chunks);
    if (bytes.length === 0) return;
    const isCut = this.#sizeBytes > maxFrameBytes;
    const { kind } = readFrame(bytes).head;
    if (kind === 'noise') {
      tap.event('http', `body of the POST: ${bytes.toString('utf8', 0, LONGEST_TEXT)}`);
      return;
    }
    const status = response.statusCode ?? 0;
    const place =
      status >= 200 && status < 300
        ? 'It came in the body of the POST; clients of HTTP+SSE read answers from the event stream alone.'
        : `It came with ${statusText(response)} in the body of the POST, where clients of HTTP+SSE read no answer.`;
    tap.event('error', 'a message in the body of the POST', {
      remark: isCut ? `${cutRemark(maxFrameBytes)} ${place}` : place,
      isCut,
      isCutByUs: isCut,
      refusal: 'refused',
    });
    onFrame(bytes);
  }
}
