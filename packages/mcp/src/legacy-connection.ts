import { member, stringValue } from '@misstep/json';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { PingRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { AnswerBook, RawAnswer } from './answer-book.ts';
import { wordUnusableInitialize } from './answer-words.ts';
import { callFrameText } from './call-frame.ts';
import type {
  ConnectionOptions,
  EraConnection,
  Handshake,
  SentCall,
  ToolPageAnswer,
} from './connection-options.ts';
import { type RawTransport, UnreadFrameError } from './frame-transport.ts';
import { servedCapabilities } from './server-requests.ts';
import { readToolPage } from './tool-list.ts';

// The largest delay that timers take; how long we wait is the caller's to say.
const NO_TIMEOUT_MS = 2 ** 31 - 1;
const AnyResultSchema = z.looseObject({});

/** The SDK's client ends the transport where it can't use an answer; here others still may. */
class OpenClient extends Client {
  override async close(): Promise<void> {
    // The transport belongs to the connection, which closes it.
  }
}

/**
 * Revisions 2024-11-05 to 2025-11-25. The SDK's client speaks the protocol; every answer is read
 * from the frames themselves, so that what the SDK would drop or round is still there.
 */
export class LegacyConnection implements EraConnection {
  readonly #transport: RawTransport;
  readonly #client: Client;
  readonly #book: AnswerBook;
  readonly #revision: string | null;
  readonly #asksForProgress: boolean;
  /** The SDK's client numbers its requests from 0. */
  #nextId = 0;

  /** `book` sees every record of the transport. */
  constructor(
    options: Pick<ConnectionOptions, 'clientVersion' | 'answerServer' | 'protocolRevision'>,
    transport: RawTransport,
    book: AnswerBook,
    /** The revision to offer; null = the newest that initialize knows. */
    revision: string | null,
  ) {
    this.#revision = revision;
    this.#transport = transport;
    this.#book = book;
    this.#client = new OpenClient(
      { name: 'misstep', version: options.clientVersion },
      {
        capabilities:
          options.answerServer === undefined
            ? {}
            : servedCapabilities(options.protocolRevision ?? 'auto'),
      },
    );
    this.#asksForProgress = options.answerServer !== undefined;
    leaveRequestsAlone(this.#client);
  }

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
    if (this.#revision !== null) this.#offer(this.#revision);
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
    return { answer, rounds: 1, cancel: (reason) => controller.abort(reason) };
  }

  /** The SDK's client offers its newest revision and no other. */
  #offer(protocolVersion: string): void {
    this.#transport.overrideNextRequest('initialize', (_idText, message) => {
      const params = 'params' in message ? message.params : {};
      return JSON.stringify({ ...message, params: { ...params, protocolVersion } });
    });
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

/** What the answer to initialize says of the server; from its exact text, so also from a log. */
export function readHandshake(answer: RawAnswer): Handshake {
  const { document } = answer.frame;
  if (document === null) {
    return { serverName: null, serverVersion: null, protocolRevision: null, protocolEra: 'legacy' };
  }
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
    protocolEra: 'legacy',
  };
}
