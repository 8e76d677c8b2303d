import { PROTOCOL_REVISIONS } from '@misstep/model';
import { AnswerBook } from './answer-book.ts';
import type {
  ConnectionOptions,
  EraConnection,
  Handshake,
  SentCall,
  ToolPageAnswer,
} from './connection-options.ts';
import { createTransport } from './create-transport.ts';
import {
  describeEnd,
  EndLatch,
  type RawTransport,
  type TransportEnd,
  TransportEndedError,
} from './frame-transport.ts';
import { LegacyConnection } from './legacy-connection.ts';
import { type Discovery, ModernConnection } from './modern-connection.ts';
import { MODERN_REVISION } from './modern-frames.ts';
import { declineServerRequest, ServerRequests } from './server-requests.ts';
import { type ConnectionClock, type FrameTap, startClock, TapWriter } from './tap.ts';

/** What a connection waits for before tools can be listed. */
export type Opening = 'endpoint' | 'initialize' | 'server/discover';

/** A legacy server may leave an unknown request unanswered; longer waits help nobody. */
const STDIO_SILENCE_MS = 2000;
const HTTP_SILENCE_MS = 5000;
/** For a server that has answered before, and may be slow to start. */
const KNOWN_SILENCE_MS = 15_000;

/** The target's settings exclude each other; the message is one sentence. */
export class ImpossibleSettingsError extends Error {}

/** One transport with what hears it. */
interface Link {
  readonly transport: RawTransport;
  readonly book: AnswerBook;
}

/**
 * One connection to one server. Which era of the protocol the server speaks is found out by the
 * specification's rules: server/discover first, initialize where that is not understood.
 */
export class McpConnection implements EraConnection {
  readonly ended: Promise<TransportEnd>;
  /** What the handshake is waiting for. */
  opening: Opening;
  readonly #options: ConnectionOptions & { readonly clock: ConnectionClock };
  readonly #tap: TapWriter;
  readonly #latch = new EndLatch();
  #link: Link;
  #era: EraConnection | null = null;
  /** While another start can follow, the end of a transport is not the end of the connection. */
  #mayStartAgain = false;

  constructor(options: ConnectionOptions) {
    this.#options = { ...options, clock: options.clock ?? startClock() };
    this.#tap = new TapWriter(options.tap, this.#options.clock, options.secrets);
    this.ended = this.#latch.ended;
    this.opening = options.address.transport === 'sse' ? 'endpoint' : 'initialize';
    this.#link = this.#connect();
  }

  async handshake(): Promise<Handshake> {
    const { address, protocolRevision = 'auto', eras } = this.#options;
    if (address.transport === 'sse') {
      if (protocolRevision === MODERN_REVISION) {
        throw new ImpossibleSettingsError(
          `Revision ${MODERN_REVISION} is not spoken over HTTP+SSE: choose another revision, or Streamable HTTP, for this target.`,
        );
      }
      return this.#greet(protocolRevision === 'auto' ? null : protocolRevision);
    }
    if (protocolRevision === MODERN_REVISION) return this.#greetModern();
    if (protocolRevision !== 'auto') return this.#greet(protocolRevision);
    const handshake = await this.#negotiate();
    eras?.remember(address, handshake.protocolEra);
    return handshake;
  }

  listTools(cursor: string | null): Promise<ToolPageAnswer> {
    return this.#opened().listTools(cursor);
  }

  callTool(tool: string, argumentsText: string): SentCall {
    return this.#opened().callTool(tool, argumentsText);
  }

  /** Resolves when the process group, or every HTTP request, is gone. */
  async close(): Promise<void> {
    this.#mayStartAgain = false;
    this.#latch.end({ reason: 'closed' });
    await this.#link.transport.close();
  }

  async #negotiate(): Promise<Handshake> {
    const { address, eras } = this.#options;
    const known = eras?.recall(address) ?? null;
    if (known === 'legacy') {
      this.#tap.event('note', 'this server answered initialize before, so it is not asked again');
      this.#mayStartAgain = true;
      try {
        return this.#settled(await this.#unlessEnded(this.#greet(null)));
      } catch (error) {
        eras?.remember(address, null);
        await this.#startAgain(error, 'asked with server/discover');
        return this.#probe(false, this.#silenceMs());
      }
    }
    return this.#probe(true, known === 'modern' ? KNOWN_SILENCE_MS : this.#silenceMs());
  }

  /** MCP 2026-07-28: anything but an answer that only a modern server gives means a legacy one. */
  async #probe(mayStartAgain: boolean, silenceMs: number): Promise<Handshake> {
    this.#mayStartAgain = mayStartAgain;
    const modern = this.#modern();
    const controller = new AbortController();
    let late: Promise<Discovery>;
    let discovery: Discovery | 'silence';
    try {
      await this.#link.transport.start();
      this.opening = 'server/discover';
      late = modern.discover(true, controller.signal);
      discovery = await this.#unlessEnded(Promise.race([late, silence(silenceMs)]));
    } catch (error) {
      if (!mayStartAgain) throw error;
      await this.#startAgain(error, 'greeted with initialize');
      return this.#greet(null);
    }
    this.#mayStartAgain = false;
    if (discovery !== 'silence') return this.#follow(discovery, modern);
    this.#tap.event(
      'note',
      'no answer to server/discover, so the server is greeted with initialize',
    );
    if (this.#options.address.transport !== 'stdio') controller.abort();
    return this.#firstOf(late);
  }

  /**
   * A server that was only slow to start answers both. It may then hold the connection for legacy,
   * because initialize came, so it gets a new start without one.
   */
  async #firstOf(late: Promise<Discovery>): Promise<Handshake> {
    const isModern = late.then(
      (discovery) =>
        discovery.kind === 'legacy' ? new Promise<never>(() => undefined) : discovery,
      () => new Promise<never>(() => undefined),
    );
    const legacy = this.#greet(null);
    legacy.catch(() => undefined);
    const first = await Promise.race([isModern, legacy]);
    if (!('kind' in first)) return first;
    this.#tap.event(
      'note',
      'the answer to server/discover came late; the server is started again, without initialize',
    );
    const old = this.#link.transport;
    this.#link = this.#connect();
    await old.close();
    await this.#link.transport.start();
    this.opening = 'server/discover';
    const modern = this.#modern();
    return this.#follow(await modern.discover(false, new AbortController().signal), modern);
  }

  async #follow(discovery: Discovery, modern: ModernConnection): Promise<Handshake> {
    if (discovery.kind === 'modern') {
      this.#era = modern;
      return discovery.handshake;
    }
    if (discovery.kind === 'legacy') {
      this.#tap.event(
        'note',
        `the server does not know server/discover, so it is greeted with initialize: ${discovery.why}`,
      );
      return this.#greet(null);
    }
    const known = discovery.kind === 'otherRevisions' ? newestKnown(discovery.supported) : null;
    if (known === null) throw new Error(discovery.why);
    this.#tap.event('note', `${discovery.why} So it is greeted with initialize for ${known}.`);
    return this.#greet(known);
  }

  /** `revision` null = the newest that initialize knows. */
  async #greet(revision: string | null): Promise<Handshake> {
    const { transport, book } = this.#link;
    await transport.start();
    this.opening = 'initialize';
    const legacy = new LegacyConnection(this.#options, transport, book, revision);
    const handshake = await legacy.handshake();
    this.#era = legacy;
    if (revision !== null && handshake.protocolRevision !== revision) {
      this.#tap.event(
        'note',
        `${revision} was offered, the server chose ${handshake.protocolRevision}; by the specification the client goes on with that`,
      );
    }
    return handshake;
  }

  async #greetModern(): Promise<Handshake> {
    await this.#link.transport.start();
    this.opening = 'server/discover';
    const modern = this.#modern();
    const handshake = await modern.handshake();
    this.#era = modern;
    return handshake;
  }

  #modern(): ModernConnection {
    return new ModernConnection(this.#options, this.#link.transport, this.#link.book, this.#tap);
  }

  #settled(handshake: Handshake): Handshake {
    this.#mayStartAgain = false;
    return handshake;
  }

  /**
   * Some servers end at a request that they don't know. They get a second start, and no third.
   * Rethrows what another start can't mend.
   */
  async #startAgain(error: unknown, then: string): Promise<void> {
    this.#mayStartAgain = false;
    const old = this.#link.transport;
    const end = error instanceof TransportEndedError ? error.end : null;
    if (this.#latch.value !== null || (end !== null && !isMendable(end))) {
      if (end !== null) this.#latch.end(end);
      throw error;
    }
    const why = end === null ? wordsOf(error) : describeEnd(end);
    this.#tap.event('note', `${why}; it is started again and ${then}`);
    this.#link = this.#connect();
    await old.close();
    if (this.#latch.value !== null) throw new TransportEndedError(this.#latch.value);
  }

  #connect(): Link {
    const book = new AnswerBook();
    const tap: FrameTap = (record) => {
      this.#options.tap(record);
      book.see(record);
      // A modern server has no requests of its own, and no answer to one may be sent.
      if (!(this.#era instanceof ModernConnection)) requests.see(record);
    };
    const transport = createTransport({ ...this.#options, tap });
    const requests = new ServerRequests(
      this.#options.answerServer ?? declineServerRequest,
      (message) => transport.send(message),
    );
    void transport.ended.then((end) => {
      requests.close();
      if (this.#link.transport === transport && !this.#mayStartAgain) this.#latch.end(end);
    });
    return { transport, book };
  }

  async #unlessEnded<T>(work: Promise<T>): Promise<T> {
    const ended = this.#link.transport.ended.then((end) => {
      throw new TransportEndedError(end);
    });
    return Promise.race([work, ended]);
  }

  #silenceMs(): number {
    const { address, timeoutMs } = this.#options;
    const usual = address.transport === 'stdio' ? STDIO_SILENCE_MS : HTTP_SILENCE_MS;
    // The probe must not use up what the caller has for the handshake and the call behind it.
    return timeoutMs === undefined ? usual : Math.min(usual, timeoutMs / 3);
  }

  #opened(): EraConnection {
    if (this.#era === null) throw new Error('The connection has no handshake yet.');
    return this.#era;
  }
}

/** An end that may be due to the greeting, and not to the address or the server's absence. */
function isMendable(end: TransportEnd): boolean {
  return ['exited', 'connectionLost', 'httpStatus', 'sessionLost'].includes(end.reason);
}

async function silence(ms: number): Promise<'silence'> {
  await new Promise((resolve) => setTimeout(resolve, ms).unref());
  return 'silence';
}

function newestKnown(supported: readonly string[]): string | null {
  const known = PROTOCOL_REVISIONS.filter(
    (revision) => revision !== MODERN_REVISION && supported.includes(revision),
  );
  return known.at(-1) ?? null;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
