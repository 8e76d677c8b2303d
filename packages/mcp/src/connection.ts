import { member, stringValue } from '@misstep/json';
import type { TargetAddress, TargetSettings } from '@misstep/model';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { PingRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { AnswerBook, type RawAnswer } from './answer-book.ts';
import { wordUnusableInitialize } from './answer-words.ts';
import { callFrameText } from './call-frame.ts';
import { type RawTransport, type TransportEnd, UnreadFrameError } from './frame-transport.ts';
import { HttpFrameTransport } from './http-transport.ts';
import {
  type AnswerServer,
  declineServerRequest,
  ServerRequests,
  servedCapabilities,
} from './server-requests.ts';
import { StdioFrameTransport } from './stdio-transport.ts';
import { type ConnectionClock, type FrameTap, startClock } from './tap.ts';
import { readToolPage, type ToolPage } from './tool-list.ts';

export interface ConnectionOptions {
  readonly address: TargetAddress;
  /** Working folder of a stdio target that names none. */
  readonly defaultCwd: string;
  readonly maxFrameBytes: number;
  readonly tap: FrameTap;
  readonly clock?: ConnectionClock;
  readonly clientVersion: string;
  /** `auto` (the default) negotiates; a revision is the only one offered. */
  readonly protocolRevision?: TargetSettings['protocolRevision'];
  /** What only this server may know. Bound by the caller to the address; never put on the tap. */
  readonly secrets?: ConnectionSecrets;
  /** Answers what the server asks of us; without it every request but ping is declined. */
  readonly answerServer?: AnswerServer;
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
}

export type ToolPageAnswer =
  | { readonly kind: 'page'; readonly page: ToolPage; readonly answer: RawAnswer }
  | { readonly kind: 'error'; readonly answer: RawAnswer };

/** The call that was sent; `answer` stays pending where none comes. */
export interface SentCall {
  readonly answer: Promise<RawAnswer>;
  /** Tells the server that we no longer wait (notifications/cancelled). */
  cancel(reason: string): void;
}

// The largest delay that timers take; how long we wait is the caller's to say.
const NO_TIMEOUT_MS = 2 ** 31 - 1;
const AnyResultSchema = z.looseObject({});

/**
 * One connection to one server. The SDK's client speaks the protocol; every answer is read from
 * the frames themselves, so that what the SDK would drop or round is still there.
 */
export class McpConnection {
  readonly ended: Promise<TransportEnd>;
  readonly #transport: RawTransport;
  readonly #client: Client;
  readonly #book: AnswerBook;
  readonly #asksForProgress: boolean;
  /** The SDK's client numbers its requests from 0. */
  #nextId = 0;

  constructor(options: ConnectionOptions) {
    const book = new AnswerBook();
    const tap: FrameTap = (record) => {
      options.tap(record);
      book.see(record);
      serverRequests.see(record);
    };
    this.#book = book;
    const transport = createTransport({ ...options, tap });
    this.#transport = transport;
    this.ended = transport.ended;
    const { answerServer } = options;
    const serverRequests = new ServerRequests(answerServer ?? declineServerRequest, (message) =>
      transport.send(message),
    );
    void this.ended.then(() => serverRequests.close());
    this.#asksForProgress = answerServer !== undefined;
    this.#client = new Client(
      { name: 'misstep', version: options.clientVersion },
      {
        capabilities:
          answerServer === undefined ? {} : servedCapabilities(options.protocolRevision ?? 'auto'),
      },
    );
    leaveRequestsAlone(this.#client);
  }

  /**
   * Rejects where the connection ends or the server's answer can't be used; the message is then
   * half a sentence that says what the answer is or lacks.
   */
  async handshake(): Promise<Handshake> {
    const answer = this.#expect('loosely');
    const came: { raw: RawAnswer | null } = { raw: null };
    const seen = answer.then((raw) => {
      came.raw = raw;
      return raw.bytes;
    });
    const refused = new Promise<never>((_, reject) => {
      this.#client.onerror = (error) => {
        // A strict reader's refusal of the very answer we wait for is the end of the handshake.
        if (error instanceof UnreadFrameError) {
          void seen.then((bytes) => {
            if (bytes === error.bytes) reject(new Error('no message that a strict client reads'));
          });
        }
      };
    });
    const connected = this.#client.connect(this.#transport, { timeout: NO_TIMEOUT_MS });
    try {
      await Promise.race([connected, refused]);
    } catch (error) {
      // The SDK's own words are for programmers: a dump of its schema's findings.
      throw came.raw === null ? error : new Error(wordUnusableInitialize(came.raw.frame));
    }
    this.#client.onerror = () => undefined;
    return readHandshake(await answer);
  }

  /** One page of tools/list. */
  async listTools(cursor: string | null): Promise<ToolPageAnswer> {
    const expected = this.#expect('loosely');
    const params = cursor === null ? {} : { params: { cursor } };
    this.#client
      .request({ method: 'tools/list', ...params }, AnyResultSchema, { timeout: NO_TIMEOUT_MS })
      .catch(() => undefined);
    const answer = await expected;
    if (answer.frame.head.kind === 'error') return { kind: 'error', answer };
    return { kind: 'page', page: readToolPage(answer), answer };
  }

  /**
   * Sends tools/call with the argument text as it is; it must be one JSON object. Several may be
   * under way at once: each answer goes to the call whose very id it has.
   */
  callTool(tool: string, argumentsText: string): SentCall {
    const controller = new AbortController();
    const answer = this.#expect('exactly');
    this.#transport.overrideNextRequest('tools/call', (idText) =>
      callFrameText(idText, tool, argumentsText, this.#asksForProgress ? idText : null),
    );
    this.#client
      .request({ method: 'tools/call', params: { name: tool } }, AnyResultSchema, {
        timeout: NO_TIMEOUT_MS,
        signal: controller.signal,
      })
      .catch(() => undefined);
    return { answer, cancel: (reason) => controller.abort(reason) };
  }

  /** Resolves when the process group, or every HTTP request, is gone. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  #expect(match: 'exactly' | 'loosely'): Promise<RawAnswer> {
    const idText = String(this.#nextId);
    this.#nextId += 1;
    return this.#book.answerTo(idText, match === 'loosely');
  }
}

/** The server's requests are answered from their frames, so the SDK's client must not answer too. */
function leaveRequestsAlone(client: Client): void {
  client.fallbackRequestHandler = () => new Promise(() => undefined);
  client.setRequestHandler(PingRequestSchema, () => new Promise<never>(() => undefined));
}

function createTransport(options: ConnectionOptions): RawTransport {
  const { address, maxFrameBytes, tap } = options;
  const clock = options.clock ?? startClock();
  if (address.transport === 'sse') {
    throw new Error('HTTP+SSE is not spoken yet.');
  }
  if (address.transport === 'streamable-http') {
    return new HttpFrameTransport({
      url: address.url,
      maxFrameBytes,
      tap,
      clock,
      listens: options.answerServer !== undefined,
    });
  }
  return new StdioFrameTransport({
    command: address.command,
    args: address.args,
    cwd: address.cwd ?? options.defaultCwd,
    maxFrameBytes,
    tap,
    clock,
  });
}

/** What the answer to initialize says of the server; from its exact text, so also from a log. */
export function readHandshake(answer: RawAnswer): Handshake {
  const { document } = answer.frame;
  if (document === null) return { serverName: null, serverVersion: null, protocolRevision: null };
  const result = member(document, document.root, 'result');
  const serverInfo = member(document, result, 'serverInfo');
  const textAt = (parent: typeof result, key: string) => {
    const node = member(document, parent, key);
    return node?.kind === 'string' ? stringValue(document, node) : null;
  };
  return {
    serverName: textAt(serverInfo, 'name'),
    serverVersion: textAt(serverInfo, 'version'),
    protocolRevision: textAt(result, 'protocolVersion'),
  };
}
