import type { IncomingMessage } from 'node:http';
import { readFrame } from './describe-frame.ts';
import { mediaTypeOf, statusText } from './http-exchange.ts';
import { shortened } from './shortened.ts';
import { type SseEvent, SseReader } from './sse-reader.ts';
import type { TapWriter } from './tap.ts';
import { frameTooLarge, type TooLarge, type TotalCap } from './total-cap.ts';

export interface HttpBodyOptions {
  readonly tap: TapWriter;
  readonly response: IncomingMessage;
  readonly maxFrameBytes: number;
  /** Of the whole connection. */
  readonly total: TotalCap;
  /** `brokeOff` = the body ended inside the frame. */
  readonly onFrame: (bytes: Uint8Array, brokeOff: boolean) => void;
  readonly onTooLarge: (end: TooLarge) => void;
  /** True where an error answer comes with an HTTP status of its own (MCP 2026-07-28). */
  readonly errorsHaveStatus?: boolean;
  /** Events of a type other than `message`, which bring no frames. */
  readonly onNamedEvent?: (type: string, data: Uint8Array) => void;
}

/** Why clients take no answer from a frame of the body. */
interface BodyFault {
  /** For the event before the frame. */
  readonly text: string;
  /** For the frame. */
  readonly remark: string;
  readonly brokeOff: boolean;
}

/** Comments and ids become events up to here; a server that floods them costs no more. */
const MAX_STREAM_NOTES = 1000;
const LONGEST_NOTE = 4000;
/** Of a named event's data; far longer than a note, so that a secret across its end is whole here. */
const MOST_NAMED_BYTES = 256 * 1024;
const LONGEST_HEADER = 200;

/** Cuts one HTTP body into frames: an event stream into its events' data, any other body is one. */
export class HttpBodyReader {
  readonly isEventStream: boolean;
  /** An event had an id that is too long to be sent back. */
  hasUnusableId = false;
  lastEventId: string | null = null;
  retryMs: number | null = null;
  frameCount = 0;
  /** The body ended inside a frame. */
  brokeOff = false;
  readonly #options: HttpBodyOptions;
  readonly #sse: SseReader;
  #whole: Uint8Array[] = [];
  #wholeBytes = 0;
  #isOver = false;
  #noteCount = 0;

  constructor(options: HttpBodyOptions) {
    this.#options = options;
    this.isEventStream = mediaTypeOf(options.response) === 'text/event-stream';
    this.#sse = new SseReader(options.maxFrameBytes, {
      event: (event) => this.#event(event),
      tooLarge: (bytes, seen) => this.#overflow(bytes, seen),
    });
  }

  push(chunk: Uint8Array): void {
    if (this.#isOver) return;
    if (this.isEventStream) {
      const end = this.#options.total.addStream(chunk.length);
      if (end === null) this.#sse.push(chunk);
      else this.#endTooLarge(end);
      return;
    }
    this.#whole.push(chunk);
    this.#wholeBytes += chunk.length;
    const cap = this.#options.maxFrameBytes;
    if (this.#wholeBytes > cap) {
      this.#overflow(Buffer.concat(this.#whole).subarray(0, cap), this.#wholeBytes);
    }
  }

  /** `isBroken` = the body ended before the length that its headers or chunks promised. */
  finish(isBroken: boolean): void {
    const rest = this.isEventStream ? this.#restOfStream() : this.#restOfBody();
    if (this.#noteCount > MAX_STREAM_NOTES) {
      const omitted = this.#noteCount - MAX_STREAM_NOTES;
      this.#options.tap.event('http', `${omitted} more comments and ids of the stream not kept`);
    }
    if (rest === null) return;
    if (this.isEventStream) {
      this.#frame(rest, {
        text: 'the event stream ended inside an event',
        remark: 'The stream ended inside this event: clients must drop it.',
        brokeOff: true,
      });
    } else if (isBroken) {
      this.#frame(rest, {
        text: 'the HTTP body broke off',
        remark: 'The HTTP body broke off here, before the length that it was to have.',
        brokeOff: true,
      });
    } else {
      this.#frame(rest, this.#headerFault());
    }
  }

  /** A status by which clients take no answer from the body, whatever it holds. */
  #statusFault(bytes: Uint8Array): BodyFault | null {
    const { statusCode: status = 0 } = this.#options.response;
    if (status >= 200 && status < 300 && status !== 202) return null;
    const isError = status >= 400 && readFrame(bytes).head.kind === 'error';
    if (isError && this.#options.errorsHaveStatus === true) return null;
    const said = statusText(this.#options.response);
    return {
      text: `the body came with ${said}`,
      remark: `It came with ${said}: clients take no result from that.`,
      brokeOff: false,
    };
  }

  #headerFault(): BodyFault | null {
    const { response } = this.#options;
    const type = shortened(mediaTypeOf(response), LONGEST_HEADER);
    const encoding = shortened(response.headers['content-encoding'] ?? 'identity', LONGEST_HEADER);
    if (encoding !== 'identity') {
      const remark = `Compressed (${encoding}) although identity was asked for; shown as it came.`;
      return { text: `the body is compressed: ${encoding}`, remark, brokeOff: false };
    }
    if (type !== 'application/json') {
      const remark = `Its content type is ${type || 'not given'}: strict clients read only JSON and event streams.`;
      return { text: `the content type is ${type || 'not given'}`, remark, brokeOff: false };
    }
    return null;
  }

  #restOfStream(): Uint8Array | null {
    return this.#isOver ? null : this.#sse.rest();
  }

  #restOfBody(): Uint8Array | null {
    if (this.#isOver || this.#wholeBytes === 0) return null;
    const body = Buffer.concat(this.#whole);
    this.#whole = [];
    return body;
  }

  #event(event: SseEvent): void {
    if (event.id !== null) this.lastEventId = event.id;
    this.hasUnusableId ||= event.hasLongId === true;
    if (event.retry !== null && /^\d+$/.test(event.retry)) this.retryMs = Number(event.retry);
    const notes = [
      ...event.comments.map((comment) => `comment: ${comment}`),
      ...(event.id === null ? [] : [`id: ${event.id}`]),
      ...(event.retry === null ? [] : [`retry: ${event.retry}`]),
    ];
    if (notes.length > 0) {
      this.#note(shortened(this.#options.tap.masked(notes.join('\n')), LONGEST_NOTE));
    }
    if (event.data === null || event.data.length === 0) return;
    if (event.type !== '' && event.type !== 'message') {
      const text = new TextDecoder().decode(event.data.subarray(0, MOST_NAMED_BYTES));
      // Masked before it is cut: a cut inside a secret would leave a beginning that nothing knows.
      this.#note(
        `event: ${event.type}\n${shortened(this.#options.tap.masked(text), LONGEST_NOTE)}`,
      );
      this.#options.onNamedEvent?.(event.type, event.data);
      return;
    }
    this.#frame(event.data, null);
  }

  #note(text: string): void {
    this.#noteCount += 1;
    if (this.#noteCount <= MAX_STREAM_NOTES) this.#options.tap.event('http', `stream ${text}`);
  }

  #frame(bytes: Uint8Array, fault: BodyFault | null): void {
    this.frameCount += 1;
    const faults = [fault, this.#statusFault(bytes)].filter((each) => each !== null);
    const brokeOff = fault?.brokeOff ?? false;
    this.brokeOff ||= brokeOff;
    if (faults.length > 0) {
      this.#options.tap.event('error', faults.map(({ text }) => text).join('; '), {
        remark: faults.map(({ remark }) => remark).join(' '),
        isCut: brokeOff,
        refusal: brokeOff ? 'brokeOff' : 'refused',
      });
    }
    this.#options.onFrame(bytes, brokeOff);
  }

  #endTooLarge(end: TooLarge): void {
    this.#isOver = true;
    this.#options.tap.event('error', end.message);
    this.#options.onTooLarge(end);
  }

  #overflow(bytes: Uint8Array, seenBytes: number): void {
    this.#isOver = true;
    this.#whole = [];
    const { end, remark } = frameTooLarge(seenBytes, this.#options.maxFrameBytes);
    this.#options.tap.event('error', end.message, { remark, isCut: true, isCutByUs: true });
    this.#options.tap.bytes('<', bytes);
    this.#options.onTooLarge(end);
  }
}
