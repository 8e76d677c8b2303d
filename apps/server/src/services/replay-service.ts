import type { ReplaySummary } from '@misstep/contract';
import {
  isMisstepError,
  MisstepError,
  type Replay,
  type RunId,
  type ServerAsk,
  type StepId,
  type TargetName,
  type Ulid,
} from '@misstep/model';
import {
  AskDesk,
  checkAnswerText,
  createUlid,
  findTextSecrets,
  MisstepStopped,
  maskStrings,
  planReplay,
  type RecordedCall,
  type ReplayCall,
  type ReplayRequest,
} from '@misstep/replay';
import type { Store } from '@misstep/store';
import { reportFault } from '../errors/report-fault.ts';
import type { HeavyWork } from '../jobs/heavy-work.ts';
import { MAX_FRAME_BYTES } from './replay/frame-cap.ts';
import { LiveReplay } from './replay/live-replay.ts';
import { readRecordedCall } from './replay/recorded-call.ts';
import { elsewhere, refused, unanswerable } from './replay/refusals.ts';
import { checkSameReplay } from './replay/same-request.ts';
import { StartGate } from './replay/start-gate.ts';
import { summaryOf, viewStored } from './replay/stored-view.ts';
import type { SecretService } from './secret-service.ts';
import type { ExitService } from './secrets/exit-secrets.ts';
import type { ValueReader } from './value-reader.ts';

const STARTS_A_SECOND = 5;
/** How long a start waits to learn of a refusal that only the server's tool list can bring. */
const REFUSAL_WAIT_MS = 2000;

export interface ReplayStart {
  readonly runId: RunId;
  readonly stepId: StepId;
  readonly targetName: TargetName;
  /** Null = as recorded. */
  readonly argumentsText: string | null;
  readonly tool: string | null;
  readonly confirmTool: string | null;
  /** Sends also to a tool that a conforming client leaves out; absent = no. */
  readonly sendsLeftOut?: boolean;
  readonly timeoutMs: number;
  /** Milliseconds that the person has for what the server asks; 0, as when absent: nobody is asked. */
  readonly askWaitMs?: number;
  /** The experiment that it is a call of; null = sent by itself. */
  readonly experimentId: Ulid | null;
  /** How long the person prepared it, as the page measured; null = not measured. */
  readonly prepared: { readonly ms: number; readonly from: 'edit' | 'open' } | null;
  readonly idempotencyKey: string;
}

export interface AskAnswer {
  readonly kind: 'result' | 'error';
  /** JSON text, sent as it is. */
  readonly text: string;
}

/** Told of each ask when it comes or changes; `answerAsk` may be called from within. */
export type AsksListener = (replayId: Ulid, asks: readonly ServerAsk[]) => void;

export interface ReplayService {
  /** Sends once. The same key never sends twice, also across restarts: it gives the first replay. REPLAY_REFUSED for another request. */
  start(request: ReplayStart, onAsks?: AsksListener): Promise<Replay>;
  get(replayId: Ulid): Promise<Replay>;
  /** Resolves when it has ended; at once where it has, or runs in another process. */
  whenDone(replayId: Ulid): Promise<Replay>;
  /** REPLAY_REFUSED where another process runs it: only that one can stop it. */
  cancel(replayId: Ulid): Promise<Replay>;
  /** REQUEST_INVALID where the text is no JSON; ASK_NOT_FOUND, ASK_CLOSED; see also `cancel`. */
  answerAsk(replayId: Ulid, ordinal: number, answer: AskAnswer): Promise<Replay>;
  list(filter: {
    runId?: RunId | undefined;
    stepId?: StepId | undefined;
    limit: number;
  }): Promise<{ total: number; replays: ReplaySummary[] }>;
  /** True while this process sends a replay to that target. */
  isBusy(targetName: TargetName): boolean;
  /** Stops what runs, saying that Misstep was stopped, and waits for its end. */
  close(): Promise<void>;
}

export interface ReplayServiceOptions {
  readonly store: Store;
  readonly values: ValueReader;
  readonly secrets: SecretService;
  readonly exits: Pick<ExitService, 'ofReplay'>;
  readonly replayCall: ReplayCall;
  readonly heavy: HeavyWork;
  readonly version: string;
}

export function createReplayService(options: ReplayServiceOptions): ReplayService {
  return new Replays(options);
}

class Replays implements ReplayService {
  readonly #options: ReplayServiceOptions;
  readonly #live = new Map<Ulid, LiveReplay>();
  readonly #byKey = new Map<string, Promise<Ulid>>();
  /** One at a time for a target: two at once would tell nothing of either. */
  readonly #running = new Map<TargetName, Ulid>();
  readonly #gate = new StartGate(STARTS_A_SECOND, 1000);
  #closed = false;

  constructor(options: ReplayServiceOptions) {
    this.#options = options;
  }

  async start(request: ReplayStart, onAsks?: AsksListener): Promise<Replay> {
    const { idempotencyKey } = request;
    const joined = this.#byKey.get(idempotencyKey);
    const started = joined ?? this.#begin(request, onAsks);
    this.#byKey.set(idempotencyKey, started);
    try {
      const id = await started;
      if (joined !== undefined) {
        const { store, values } = this.#options;
        await checkSameReplay(store, values, await store.getReplay(id), request);
      }
      return await this.get(id);
    } finally {
      // From here on the store knows the key, or nothing was sent and it may be tried again.
      if (this.#byKey.get(idempotencyKey) === started) this.#byKey.delete(idempotencyKey);
    }
  }

  async get(replayId: Ulid): Promise<Replay> {
    const live = this.#live.get(replayId);
    if (live !== undefined) return live.view();
    const { store, exits, heavy } = this.#options;
    const stored = await store.getReplay(replayId);
    return viewStored(stored, await exits.ofReplay(stored), heavy);
  }

  async whenDone(replayId: Ulid): Promise<Replay> {
    await this.#live.get(replayId)?.settled;
    return this.get(replayId);
  }

  async cancel(replayId: Ulid): Promise<Replay> {
    const live = this.#live.get(replayId);
    live?.controller.abort();
    await live?.settled.catch(() => undefined);
    const replay = await this.get(replayId);
    if (replay.state === 'done') return replay;
    throw elsewhere(replayId, 'Cancel it there.');
  }

  async answerAsk(replayId: Ulid, ordinal: number, answer: AskAnswer): Promise<Replay> {
    const checked = checkAnswerText(answer.text);
    if (!checked.ok) throw new MisstepError('REQUEST_INVALID', checked.error, { field: 'text' });
    const live = this.#live.get(replayId);
    if (live === undefined) {
      const { state, asks } = await this.get(replayId);
      if (state !== 'done') throw elsewhere(replayId, 'Answer it there.');
      throw unanswerable(
        asks.some((ask) => ask.ordinal === ordinal) ? 'closed' : 'unknown',
        ordinal,
      );
    }
    const state = live.desk.answer(ordinal, answer);
    if (state !== 'sent') throw unanswerable(state, ordinal);
    return live.view();
  }

  async list(
    filter: Parameters<ReplayService['list']>[0],
  ): Promise<{ total: number; replays: ReplaySummary[] }> {
    const { runId, stepId, limit } = filter;
    const { total, replays } = await this.#options.store.listReplays({
      limit,
      ...(runId === undefined ? {} : { runId }),
      ...(stepId === undefined ? {} : { stepId }),
    });
    const titles = new Map<RunId, string>();
    for (const replay of replays) {
      if (titles.has(replay.runId)) continue;
      titles.set(replay.runId, (await this.#options.store.getRun(replay.runId)).run.title);
    }
    return {
      total,
      replays: replays.map((replay) =>
        summaryOf(replay, titles.get(replay.runId) ?? '', this.#live.get(replay.id)),
      ),
    };
  }

  isBusy(targetName: TargetName): boolean {
    return this.#running.has(targetName);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const live = [...this.#live.values()];
    for (const { controller } of live) controller.abort(new MisstepStopped());
    await Promise.allSettled(live.map(({ settled }) => settled));
  }

  async #begin(request: ReplayStart, onAsks: AsksListener | undefined): Promise<Ulid> {
    const { store, values, secrets } = this.#options;
    const before = await store.findReplayByKey(request.idempotencyKey);
    if (before !== null) {
      await checkSameReplay(store, values, before, request);
      return before.id;
    }
    const target = await store.getTarget(request.targetName);
    const call = await readRecordedCall(store, values, request.runId, request.stepId);
    const plan = planReplay({ ...request, call, target });
    if (!plan.ok) throw refused(plan.error);
    const id = createUlid(Date.now());
    this.#takeTarget(target.name, id);
    try {
      await this.#gate.pass();
      const given = await secrets.forConnection(target);
      if (!given.ok) throw refused(given.error);
      const desk = new AskDesk({ waitMs: request.askWaitMs ?? 0 });
      const record = {
        id,
        runId: request.runId,
        stepId: request.stepId,
        stepSeq: call.stepSeq,
        targetName: target.name,
        tool: plan.value.tool,
        argumentsText: plan.value.argumentsText,
        idempotencyKey: request.idempotencyKey,
        transport: target.address.transport,
        startedAt: new Date().toISOString(),
        experimentId: request.experimentId,
        prepared: request.prepared,
        secretPlaces: {
          version: 1 as const,
          log: null,
          texts: { argumentsText: findTextSecrets(plan.value.argumentsText, given.value) },
        },
      };
      const live = new LiveReplay(record, desk);
      live.onAsks = (asks) => onAsks?.(id, asks);
      if (this.#closed) throw new MisstepError('INTERNAL', 'Misstep is shutting down.');
      const { frameLogPath } = await store.createReplay(live.record);
      this.#live.set(id, live);
      live.settled = this.#send(
        live,
        request,
        call,
        { target, secrets: given.value },
        frameLogPath,
      ).finally(() => {
        this.#live.delete(id);
        this.#running.delete(target.name);
      });
      await firstNews(live);
      live.acknowledged = true;
      return id;
    } catch (error) {
      if (!this.#live.has(id)) this.#running.delete(target.name);
      throw error;
    }
  }

  #takeTarget(targetName: TargetName, id: Ulid): void {
    const running = this.#running.get(targetName);
    if (running !== undefined) {
      throw refused(
        {
          reason: 'alreadyRunning',
          sentence: `A replay to ${targetName} is running, so nothing was sent. Wait for it or cancel it.`,
        },
        { replayId: running },
      );
    }
    this.#running.set(targetName, id);
  }

  async #send(
    live: LiveReplay,
    request: ReplayStart,
    call: RecordedCall,
    to: Pick<ReplayRequest, 'target' | 'secrets'>,
    frameLogPath: string,
  ): Promise<void> {
    const { store, replayCall, version } = this.#options;
    const { id } = live.record;
    try {
      const ended = await replayCall({
        replayId: id,
        call,
        ...to,
        defaultCwd: store.targetFolder,
        tool: request.tool,
        argumentsText: request.argumentsText,
        confirmTool: request.confirmTool,
        sendsLeftOut: request.sendsLeftOut ?? false,
        timeoutMs: request.timeoutMs,
        maxFrameBytes: MAX_FRAME_BYTES,
        frameLogPath,
        misstepVersion: version,
        signal: live.controller.signal,
        onFrame: (frame) => live.frames.push(maskStrings(frame, to.secrets)),
        onEvent: (event) => live.events.push(maskStrings(event, to.secrets)),
        askDesk: live.desk,
        onAsks: (asks, omittedCount) => {
          live.asks = asks.map((each) => maskStrings(each, to.secrets));
          live.asksOmitted = omittedCount;
          live.onAsks(live.asks);
        },
        onState: (state) => {
          live.state = state;
          live.onNews();
        },
      });
      if (!ended.ok && !live.acknowledged) {
        // Nothing was sent: the key may be used again, e.g. with the confirmation.
        await store.discardReplay(id);
        throw refused(ended.error);
      }
      if (!ended.ok) {
        await store.finishReplay(id, {
          outcome: 'handshakeFailed',
          outcomeSentence: ended.error.sentence,
          receiptText: null,
          comparison: null,
        });
        return;
      }
      const { outcome, sentence, receiptText, comparison, secretPlaces: log } = ended.value;
      const texts = {
        ...live.record.secretPlaces?.texts,
        receiptText: findTextSecrets(receiptText, to.secrets ?? []),
      };
      await store.finishReplay(id, {
        outcome,
        outcomeSentence: sentence,
        receiptText,
        comparison: maskStrings(comparison, to.secrets),
        secretPlaces: { version: 1, log, texts },
      });
    } catch (error) {
      if (isMisstepError(error) && error.code === 'REPLAY_REFUSED') throw error;
      await store.finishReplay(id, {
        outcome: 'interrupted',
        outcomeSentence: interruptedSentence(error, live.state),
        receiptText: null,
        comparison: null,
      });
    }
  }
}

/** The call is written right after the state says `waiting`, so it may have been even where that failed. */
function interruptedSentence(error: unknown, state: LiveReplay['state']): string {
  const effect =
    state === 'waiting'
      ? 'The call may have been sent: whether the tool did its work is not known, so check that before you send it again.'
      : 'The call was not sent.';
  return `Misstep could not go on with it (${faultWords(error)}); the frames so far are kept. ${effect}`;
}

function faultWords(error: unknown): string {
  if (isMisstepError(error)) return error.message;
  const id = reportFault(error);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOSPC' || code === 'EDQUOT') return `the disk is full; fault ${id}`;
  return `fault ${id}`;
}

/** Waits until the call is on its way or the replay has ended, but not for a slow server's start. */
async function firstNews(live: LiveReplay): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, REFUSAL_WAIT_MS);
  });
  const sent = new Promise<void>((resolve) => {
    live.onNews = resolve;
  });
  // A refusal that comes after this has nobody waiting for it.
  live.settled.catch(() => undefined);
  try {
    await Promise.race([sent, live.settled, slow]);
  } finally {
    clearTimeout(timer);
  }
}
