import {
  type ConnectionClock,
  type ConnectionSecrets,
  McpConnection,
  maskSecrets,
  type ProtocolEra,
  type RawAnswer,
  type SentCall,
  startClock,
  type TapRecord,
  TapWriter,
} from '@misstep/mcp';
import { fail, ok, type Result, type Target } from '@misstep/model';
import { AskDesk } from '../asks/ask-desk.ts';
import { CallWatch } from '../call-watch.ts';
import { endingOfAnswer, endingOfStop } from '../ending.ts';
import type { Phase } from '../ending-parts.ts';
import { FrameLogWriter } from '../frame-log-writer.ts';
import { checkListedTool, planReplay } from '../policy.ts';
import { sha256 } from '../receipt.ts';
import { resultBytesOf } from '../receipts/logged-call.ts';
import type { RecordedCall } from '../replay-call.ts';
import { type Settled, settle } from '../settle.ts';
import { watchForStop } from '../stop.ts';
import { readWholeToolList } from '../whole-tool-list.ts';
import type { PlannedCall } from './experiment.ts';
import type { RaceConnections, RacedOutcome } from './race.ts';

export interface AtOnceRequest {
  readonly calls: readonly PlannedCall[];
  readonly connections: RaceConnections;
  readonly recorded: RecordedCall;
  readonly target: Target;
  /** The values of the target's settings, read anew for this experiment. */
  readonly secrets?: ConnectionSecrets;
  readonly defaultCwd: string;
  readonly confirmTool: string | null;
  readonly sendsLeftOut?: boolean;
  /** For each connection, from its start to its last answer. */
  readonly timeoutMs: number;
  readonly maxFrameBytes: number;
  /** The frames of all connections, `c1`, `c2` ... */
  readonly frameLogPath: string;
  readonly misstepVersion: string;
  readonly signal: AbortSignal;
}

/**
 * Opens the connections, waits until each has listed its tools, then sends all calls in one turn of
 * the event loop. The error is one sentence and means that no call was sent. Throws only when the
 * frame log can't be written.
 */
export async function sendAtOnce(
  request: AtOnceRequest,
): Promise<Result<readonly RacedOutcome[], string>> {
  const clock = startClock();
  const { calls } = request;
  const lanes = request.connections === 'one' ? [calls] : calls.map((call) => [call]);
  const open = lanes.map((own, index) => new Lane(request, own, `c${index + 1}`, clock));
  try {
    const ready = await Promise.all(open.map((lane) => lane.prepare()));
    for (const each of ready) if (!each.ok) return each;
    for (const lane of open) lane.send();
    return ok((await Promise.all(open.map((lane) => lane.collect()))).flat());
  } finally {
    await Promise.all(open.map((lane) => lane.close()));
  }
}

/** One connection and the calls that it carries. */
class Lane {
  readonly #request: AtOnceRequest;
  readonly #calls: readonly PlannedCall[];
  readonly #name: string;
  readonly #log: FrameLogWriter;
  readonly #watch: CallWatch;
  /** As in an experiment's single calls: what the server asks is answered by its default at once. */
  readonly #desk = new AskDesk({ waitMs: 0 });
  readonly #connection: McpConnection;
  readonly #stop: ReturnType<typeof watchForStop>;
  #era: ProtocolEra | null = null;
  #told: Pick<RacedOutcome, 'server' | 'toolSha256'> = {};
  #sent: readonly SentCall[] = [];

  constructor(
    request: AtOnceRequest,
    calls: readonly PlannedCall[],
    name: string,
    clock: ConnectionClock,
  ) {
    this.#request = request;
    this.#watch = new CallWatch(request.secrets);
    this.#calls = calls;
    this.#name = name;
    const { address, settings } = request.target;
    let logFailed: () => void = () => undefined;
    const failed = new Promise<void>((resolve) => {
      logFailed = resolve;
    });
    this.#log = new FrameLogWriter(request.frameLogPath, address.transport, name, logFailed);
    const tap = (record: TapRecord) => {
      this.#log.append(record);
      this.#watch.see(record);
    };
    const notes = new TapWriter(tap, clock, request.secrets);
    this.#connection = new McpConnection({
      address,
      defaultCwd: request.defaultCwd,
      maxFrameBytes: request.maxFrameBytes,
      clock,
      clientVersion: request.misstepVersion,
      timeoutMs: request.timeoutMs,
      protocolRevision: settings.protocolRevision,
      ...(request.secrets === undefined ? {} : { secrets: request.secrets }),
      answerServer: this.#desk.answerServer,
      tap,
    });
    this.#stop = watchForStop({
      timeoutMs: request.timeoutMs,
      signal: request.signal,
      ended: this.#connection.ended,
      logFailed: failed,
    });
    this.#desk.open((note) => notes.bytes('#', note), this.#stop.timeout);
  }

  /** Up to where a call may be sent, under the same rules as a single replay. */
  async prepare(): Promise<Result<null, string>> {
    const { recorded, target, confirmTool, sendsLeftOut = false } = this.#request;
    const { stop } = this.#stop;
    const handshake = await settle(this.#connection.handshake(), stop);
    if (handshake.type !== 'done') {
      return fail(this.#unready(handshake, this.#connection.opening));
    }
    this.#era = handshake.value.protocolEra;
    const listed = await settle(readWholeToolList(this.#connection), stop);
    if (listed.type !== 'done') return fail(this.#unready(listed, 'tools/list'));
    if (!listed.value.ok) {
      const sentence = `No call was sent: tools/list, ${listed.value.error}`;
      return fail(maskSecrets(sentence, this.#request.secrets));
    }
    const { serverName, serverVersion } = handshake.value;
    const named = [serverName, serverVersion].filter((word) => word !== null).join(' ');
    const server = named === '' ? null : maskSecrets(named, this.#request.secrets);
    for (const { argumentsText } of this.#calls) {
      const policy = {
        call: recorded,
        target,
        tool: null,
        argumentsText,
        confirmTool,
        sendsLeftOut,
      };
      const plan = planReplay(policy);
      if (!plan.ok) return fail(plan.error.sentence);
      const tool = checkListedTool(policy, plan.value, listed.value.value, this.#era);
      if (!tool.ok) return fail(tool.error.sentence);
      this.#told = { server, toolSha256: sha256(tool.value.definitionBytes) };
    }
    return ok(null);
  }

  send(): void {
    const { tool } = this.#request.recorded;
    this.#sent = this.#calls.map(({ argumentsText }) =>
      this.#connection.callTool(tool, argumentsText),
    );
  }

  async collect(): Promise<RacedOutcome[]> {
    return Promise.all(
      this.#sent.map(async (call) => {
        const answer = await settle(call.answer, this.#stop.stop);
        if (answer.type === 'stopped') call.cancel('the client waits no longer');
        return this.#outcomeOf(answer);
      }),
    );
  }

  async close(): Promise<void> {
    this.#stop.release();
    this.#desk.end();
    await this.#connection.close();
    this.#log.close();
  }

  #outcomeOf(answer: Settled<RawAnswer>): RacedOutcome {
    const none = {
      replayId: null,
      ...this.#told,
      connection: this.#name,
      resultText: null,
      callDurationNs: null,
      answeredAtNs: null,
    };
    if (answer.type === 'failed') return { ...none, outcome: 'connectionLost' };
    if (answer.type === 'stopped') {
      // The log's failure is thrown when it is closed.
      if (answer.stop.reason === 'logFailed') return { ...none, outcome: 'interrupted' };
      const { timeoutMs, target } = this.#request;
      const { outcome } = endingOfStop(answer.stop, 'tools/call', this.#watch, timeoutMs, target);
      return { ...none, outcome };
    }
    const { bytes, frame, atNs, sentAtNs } = answer.value;
    const result = resultBytesOf(bytes);
    return {
      ...none,
      outcome: endingOfAnswer(frame, this.#request.recorded.tool, this.#era).outcome,
      resultText:
        result === null ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(result),
      callDurationNs: Number(atNs - sentAtNs),
      answeredAtNs: Number(atNs),
    };
  }

  #unready(ending: Exclude<Settled<unknown>, { type: 'done' }>, phase: Phase): string {
    if (ending.type === 'stopped' && ending.stop.reason !== 'logFailed') {
      const { target, secrets, timeoutMs } = this.#request;
      const { sentence } = endingOfStop(ending.stop, phase, this.#watch, timeoutMs, target);
      return maskSecrets(sentence, secrets);
    }
    return `No call was sent: the server's answer to ${phase} can't be used.`;
  }
}
