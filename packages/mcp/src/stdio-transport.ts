import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { onOneLine } from './call-frame.ts';
import { childEnvironment } from './child-environment.ts';
import type { ConnectionSecrets } from './connection-options.ts';
import {
  type BuildRequest,
  deliverFrame,
  EndLatch,
  OutgoingText,
  type RawRequest,
  type RawTransport,
  type TransportEnd,
  TransportEndedError,
} from './frame-transport.ts';
import { LineSplitter } from './line-splitter.ts';
import { endMarkedProcesses, MARK_NAME } from './marked-processes.ts';
import { PacedStream } from './paced-stream.ts';
import { endProcessGroup, STDIN_END_GRACE_MS } from './process-group.ts';
import { StderrKeeper } from './stderr-keeper.ts';
import { type ConnectionClock, type FrameTap, TapWriter } from './tap.ts';
import { frameTooLarge, type TooLarge, TotalCap } from './total-cap.ts';

export interface StdioFrameTransportOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly maxFrameBytes: number;
  readonly tap: FrameTap;
  readonly clock: ConnectionClock;
  /** Their environment goes to the process, over what it inherits. */
  readonly secrets?: ConnectionSecrets;
}

/** How long the output of a server that we ended is still worked on. */
const CLOSED_DRAIN_MS = 250;

/**
 * A server as a child process: no shell, its own process group, an allow-listed environment. Each
 * line of its stdout is one frame (MCP, transports, stdio) and reaches the tap before it is parsed.
 */
export class StdioFrameTransport implements RawTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly ended: Promise<TransportEnd>;

  readonly #options: StdioFrameTransportOptions;
  readonly #tap: TapWriter;
  readonly #latch = new EndLatch();
  readonly #outgoing = new OutgoingText();
  readonly #stderr: StderrKeeper;
  readonly #total: TotalCap;
  readonly #splitter: LineSplitter;
  readonly #mark = randomUUID();
  #child: ChildProcessWithoutNullStreams | null = null;
  #stdout: PacedStream | null = null;
  #started: Promise<void> | null = null;
  #exitNoted: Promise<void> = Promise.resolve();
  #closing: Promise<void> | null = null;

  constructor(options: StdioFrameTransportOptions) {
    this.#options = options;
    this.#tap = new TapWriter(options.tap, options.clock, options.secrets);
    this.#stderr = new StderrKeeper(this.#tap);
    this.#total = new TotalCap(options.maxFrameBytes);
    this.ended = this.#latch.ended;
    this.#splitter = new LineSplitter(options.maxFrameBytes, {
      line: (bytes) => this.#receive(bytes),
      tooLarge: (bytes, seen) => this.#overflow(bytes, seen, options.maxFrameBytes),
    });
  }

  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  async #start(): Promise<void> {
    const { command, args, cwd, secrets } = this.#options;
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawn(command, [...args], {
        cwd,
        env: {
          ...childEnvironment(),
          ...Object.fromEntries(secrets?.environment ?? []),
          [MARK_NAME]: this.#mark,
        },
        detached: process.platform !== 'win32',
        windowsHide: true,
        stdio: 'pipe',
      });
    } catch (error) {
      throw this.#spawnFailed(error);
    }
    this.#child = child;
    this.#listen(child);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => reject(this.#spawnFailed(error)));
    });
    this.#tap.event('started', `process ${child.pid} in ${cwd}`);
  }

  overrideNextRequest(method: string, build: BuildRequest): void {
    this.#outgoing.set(method, build);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(this.#outgoing.make(message), 'method' in message && 'id' in message);
  }

  async sendRequest({ text }: RawRequest): Promise<void> {
    await this.#write(text, true);
  }

  async sendNotification(text: string): Promise<void> {
    await this.#write(text, false);
  }

  async #write(text: string, isRequest: boolean): Promise<void> {
    const child = this.#child;
    const over = this.#latch.value;
    if (over !== null) throw new TransportEndedError(over);
    if (child === null) throw new Error('The transport is not started.');
    const line = onOneLine(text);
    if (line !== text) {
      this.#tap.event(
        'note',
        'line breaks between tokens became spaces: a stdio frame is one line',
      );
    }
    const bytes = Buffer.from(`${line}\n`, 'utf8');
    this.#tap.bytes('>', bytes.subarray(0, -1));
    const failure = await new Promise<Error | null>((resolve) => {
      child.stdin.write(bytes, (error) => resolve(error ?? null));
    });
    if (failure !== null) await this.#unwritten(failure, isRequest);
  }

  /** Resolves when the process, its group and (on Linux) all that left the group are gone. */
  close(): Promise<void> {
    this.#latch.end({ reason: 'closed' });
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  /** A broken pipe is most often the first sign of an exit, which says more. */
  async #unwritten(failure: Error, isRequest: boolean): Promise<void> {
    await Promise.race([this.#exitNoted, delay(2 * STDIN_END_GRACE_MS)]);
    const message = `the server no longer reads its stdin: ${failure.message}`;
    if (this.#latch.value === null) {
      this.#tap.event('error', message);
      if (isRequest && this.#latch.end({ reason: 'connectionLost', message })) {
        this.#closing ??= this.#shutDown();
      }
    }
    throw this.#latch.value === null ? failure : new TransportEndedError(this.#latch.value);
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    this.#stdout = new PacedStream(child.stdout, (piece) => this.#splitter.push(piece));
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    // A server that is gone shows by its exit; the broken pipe says nothing more.
    child.stdin.on('error', () => undefined);
    child.stdout.once('end', () => void this.#afterStdoutEnd());
    child.stdout.on('error', (error) => this.onerror?.(error));
    child.stderr.on('error', (error) => this.onerror?.(error));
    child.on('error', () => undefined);
    const drained = new Promise<void>((resolve) => child.once('close', () => resolve()));
    this.#exitNoted = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        void this.#afterExit(drained, code, signal).then(resolve);
      });
    });
  }

  /** Where no exit follows, the process lives on, but can answer nothing any more. */
  async #afterStdoutEnd(): Promise<void> {
    await Promise.race([this.#exitNoted, delay(STDIN_END_GRACE_MS)]);
    if (this.#latch.value !== null) return;
    this.#flushStdout();
    const message = 'the server closed its stdout but runs on';
    this.#tap.event('error', message);
    if (this.#latch.end({ reason: 'connectionLost', message })) {
      this.#closing ??= this.#shutDown();
    }
  }

  /** What the process wrote before it exited still counts, so the pipes are read to their end. */
  async #afterExit(
    drained: Promise<void>,
    code: number | null,
    signal: NodeJS.Signals | null,
  ): Promise<void> {
    await Promise.race([drained, this.#quiet()]);
    this.#flush();
    this.#tap.event('exit', signal === null ? `exit code ${code}` : `ended by ${signal}`);
    this.#latch.end({ reason: 'exited', code, signal });
    this.#closing ??= this.#shutDown();
  }

  /** A grandchild can hold the pipes open for ever, but says nothing. */
  async #quiet(): Promise<void> {
    let waitMs = STDIN_END_GRACE_MS;
    do {
      await delay(waitMs);
      waitMs = (this.#stdout?.lastChunkAtMs ?? 0) + STDIN_END_GRACE_MS - performance.now();
    } while (waitMs > 0 && this.#latch.value === null);
  }

  async #shutDown(): Promise<void> {
    const child = this.#child;
    if (child !== null) {
      await endProcessGroup(child);
      await endMarkedProcesses(this.#mark);
      await Promise.race([this.#exitNoted, delay(2 * STDIN_END_GRACE_MS)]);
      this.#flush();
      const leftOut = this.#stdout?.leftOutBytes ?? 0;
      if (leftOut > 0 && this.#latch.value?.reason === 'closed') {
        this.#tap.event('note', `${leftOut} more bytes of stdout, after the end, are not kept`);
      }
      child.stdin.destroy();
      child.stdout.destroy();
      child.stderr.destroy();
    }
    this.onclose?.();
  }

  #flush(): void {
    this.#flushStdout();
    this.#stderr.finish();
  }

  #flushStdout(): void {
    // Where it was us who ended it, a flood must not keep the person waiting.
    const isOurs = this.#latch.value?.reason === 'closed';
    this.#stdout?.drain(isOurs ? CLOSED_DRAIN_MS : Number.POSITIVE_INFINITY);
    if (isOurs) this.#stdout?.discard();
    if ((this.#stdout?.leftOutBytes ?? 0) > 0) return;
    const rest = this.#splitter.rest();
    if (rest !== null) {
      const remark =
        'The output ended without a line feed after this line: strict clients drop it.';
      this.#tap.event('error', 'the last line of stdout has no line feed', {
        remark,
        isCut: true,
        refusal: 'refused',
      });
      this.#receive(rest);
    }
  }

  #receive(bytes: Uint8Array): void {
    if (this.#latch.value?.reason === 'tooLarge') return;
    this.#tap.bytes('<', bytes);
    const end = this.#total.add(bytes.length);
    if (end !== null) this.#endTooLarge(end);
    deliverFrame(this, bytes, false);
  }

  #overflow(bytes: Uint8Array, seenBytes: number, capBytes: number): void {
    const { end, remark } = frameTooLarge(seenBytes, capBytes);
    this.#tap.event('error', end.message, { remark, isCut: true, isCutByUs: true });
    this.#tap.bytes('<', bytes);
    this.#endTooLarge(end);
  }

  #endTooLarge(end: TooLarge): void {
    this.#stdout?.discard();
    if (this.#latch.end(end)) {
      this.#closing ??= this.#shutDown();
    }
  }

  #spawnFailed(error: unknown): TransportEndedError {
    const { cwd, command } = this.#options;
    const code = error instanceof Error && 'code' in error ? String(error.code) : null;
    const text = error instanceof Error ? error.message : String(error);
    const message =
      code === 'ENOENT' && !existsSync(cwd)
        ? `the working folder ${cwd} does not exist`
        : `${command} could not be started: ${text}`;
    this.#tap.event('error', message);
    const end: TransportEnd = { reason: 'spawnFailed', message, code };
    this.#latch.end(end);
    this.#child = null;
    return new TransportEndedError(end);
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
