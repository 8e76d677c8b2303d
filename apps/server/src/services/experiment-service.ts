import { randomInt } from 'node:crypto';
import type { ExperimentSummary } from '@misstep/contract';
import type { ConnectionSecrets } from '@misstep/mcp';
import {
  type Experiment,
  type ExperimentPlan,
  type ExperimentRequest,
  fail,
  isMisstepError,
  type KeptPlaces,
  MisstepError,
  type RunId,
  type Ulid,
  UlidSchema,
} from '@misstep/model';
import {
  adviseConfirming,
  createUlid,
  type ExperimentEnd,
  findLogSecrets,
  findTextSecrets,
  maskStrings,
  type RunOptions,
  runExperiment,
  runRace,
  sendAtOnce,
} from '@misstep/replay';
import type { Store, StoredExperiment } from '@misstep/store';
import { reportFault } from '../errors/report-fault.ts';
import type { HeavyWork } from '../jobs/heavy-work.ts';
import { summariseExperiment, viewExperiment, viewMasked } from './experiment/experiment-view.ts';
import {
  type ExportedFile,
  type ExportForm,
  exportExperiment,
} from './experiment/export-experiment.ts';
import { Pacer } from './experiment/pacer.ts';
import { type PlannedExperiment, planExperiment } from './experiment/plan-experiment.ts';
import { replaySender } from './experiment/send-replay.ts';
import { findByBeginning } from './find-by-beginning.ts';
import { MAX_FRAME_BYTES } from './replay/frame-cap.ts';
import { readFrameLogFile } from './replay/frame-log-file.ts';
import { refused } from './replay/refusals.ts';
import { checkSameExperiment } from './replay/same-request.ts';
import type { ReplayService } from './replay-service.ts';
import type { KnownToolLists } from './schema/known-tool-lists.ts';
import type { SecretService } from './secret-service.ts';
import type { ExitService } from './secrets/exit-secrets.ts';
import type { ValueReader } from './value-reader.ts';

const LIST_AT_MOST = 10_000;
const MOST_SEEDS = 0x1_0000_0000;

export interface ExperimentStart {
  readonly runId: RunId;
  readonly request: ExperimentRequest;
  readonly seed: number;
  /** Of the plan that the person has seen. */
  readonly planSha256: string;
  /** The tool's name confirms the plan as a whole; null = nobody typed it. */
  readonly confirmTool: string | null;
  readonly idempotencyKey: string;
  readonly onProgress?: (sentCount: number, label: string) => void;
}

/** Each single call is a replay with its own receipt; calls at once are in no replay. */
export interface ExperimentService {
  /** Reads, and sends nothing. Throws what stands in the way: REPLAY_REFUSED, REQUEST_INVALID. */
  plan(runId: RunId, request: ExperimentRequest, seed: number | null): Promise<ExperimentPlan>;
  /** The same key never begins a second one, also across restarts: it gives the first. REPLAY_REFUSED for another plan. */
  start(start: ExperimentStart): Promise<Experiment>;
  get(experimentId: Ulid): Promise<Experiment>;
  /** By its whole id or a beginning that no other has; EXPERIMENT_NOT_FOUND. */
  find(given: string): Promise<Ulid>;
  /** Resolves when it has ended; at once where it has, or runs in another process. */
  whenDone(experimentId: Ulid): Promise<Experiment>;
  stop(experimentId: Ulid): Promise<Experiment>;
  list(filter: {
    runId?: RunId | undefined;
    limit: number;
  }): Promise<{ total: number; experiments: ExperimentSummary[] }>;
  /** NOT_FOUND for the frames of an experiment without calls at once. */
  export(experimentId: Ulid, as: ExportForm): Promise<ExportedFile>;
  /**
   * Sends nothing more and waits until what runs has ended. The service of replays has to be closed
   * before, so that a call on its way ends as interrupted and not as cancelled by the person.
   */
  close(): Promise<void>;
}

interface Live {
  readonly controller: AbortController;
  settled: Promise<void>;
  /** Where secrets stand in what is kept of it so far. */
  secretPlaces: KeptPlaces;
}

interface Options {
  readonly store: Store;
  readonly values: ValueReader;
  readonly secrets: SecretService;
  readonly exits: ExitService;
  readonly replays: ReplayService;
  readonly knownTools: KnownToolLists;
  readonly heavy: HeavyWork;
  readonly version: string;
}

export function createExperimentService(options: Options): ExperimentService {
  return new Experiments(options);
}

class Experiments implements ExperimentService {
  readonly #options: Options;
  readonly #live = new Map<Ulid, Live>();
  readonly #byKey = new Map<string, Promise<Ulid>>();
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  async plan(
    runId: RunId,
    request: ExperimentRequest,
    seed: number | null,
  ): Promise<ExperimentPlan> {
    const planned = await planExperiment(
      this.#options,
      runId,
      request,
      seed ?? randomInt(MOST_SEEDS),
    );
    return planned.plan;
  }

  async start(start: ExperimentStart): Promise<Experiment> {
    const { idempotencyKey } = start;
    const joined = this.#byKey.get(idempotencyKey);
    const begun = joined ?? this.#begin(start);
    this.#byKey.set(idempotencyKey, begun);
    try {
      const id = await begun;
      if (joined !== undefined) {
        checkSameExperiment(await this.#options.store.getExperiment(id), start);
      }
      return await this.get(id);
    } finally {
      // From here on the store knows the key, or nothing was begun and it may be tried again.
      if (this.#byKey.get(idempotencyKey) === begun) this.#byKey.delete(idempotencyKey);
    }
  }

  async get(experimentId: Ulid): Promise<Experiment> {
    const { store, exits } = this.#options;
    return viewMasked(await store.getExperiment(experimentId), exits);
  }

  async find(given: string): Promise<Ulid> {
    const whole = UlidSchema.safeParse(given);
    if (whole.success) return (await this.get(whole.data)).id;
    const { experiments } = await this.#options.store.listExperiments({ limit: LIST_AT_MOST });
    const ids = experiments.map(({ id }) => id);
    return findByBeginning(given, ids, {
      anyCase: true,
      noun: 'experiment',
      code: 'EXPERIMENT_NOT_FOUND',
    });
  }

  async whenDone(experimentId: Ulid): Promise<Experiment> {
    await this.#live.get(experimentId)?.settled;
    return this.get(experimentId);
  }

  async stop(experimentId: Ulid): Promise<Experiment> {
    const live = this.#live.get(experimentId);
    live?.controller.abort();
    await live?.settled;
    const experiment = await this.get(experimentId);
    if (experiment.state !== 'running') return experiment;
    throw refused({
      reason: 'alreadyRunning',
      sentence: `Experiment ${experimentId} runs in another Misstep process. Stop it there.`,
    });
  }

  async list(
    filter: Parameters<ExperimentService['list']>[0],
  ): Promise<{ total: number; experiments: ExperimentSummary[] }> {
    const { store } = this.#options;
    const { runId, limit } = filter;
    const { total, experiments } = await store.listExperiments({
      limit,
      ...(runId === undefined ? {} : { runId }),
    });
    const titles = new Map<RunId, string>();
    for (const { runId: id } of experiments) {
      if (!titles.has(id)) titles.set(id, (await store.getRun(id)).run.title);
    }
    const rows = experiments.map((each) => summariseExperiment(each, titles.get(each.runId) ?? ''));
    return { total, experiments: rows };
  }

  async export(experimentId: Ulid, as: ExportForm): Promise<ExportedFile> {
    const stored = await this.#options.store.getExperiment(experimentId);
    const secrets = await this.#options.exits.ofExperiment(stored);
    return exportExperiment(viewExperiment(stored), stored.frameLogPath, as, secrets);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const live = [...this.#live.values()];
    for (const { controller } of live) controller.abort();
    await Promise.all(live.map(({ settled }) => settled));
  }

  async #begin(start: ExperimentStart): Promise<Ulid> {
    const { store, secrets } = this.#options;
    const before: StoredExperiment | null = await store.findExperimentByKey(start.idempotencyKey);
    if (before !== null) {
      checkSameExperiment(before, start);
      return before.id;
    }
    const planned = await planExperiment(this.#options, start.runId, start.request, start.seed);
    this.#check(planned, start);
    const id = createUlid(Date.now());
    const { recorded, plan } = planned;
    if (this.#closed) throw new MisstepError('INTERNAL', 'Misstep is shutting down.');
    const kept = await secrets.keptOf(plan.request.targetName);
    const secretPlaces: KeptPlaces = {
      version: 1,
      // Only calls at once have frames of their own.
      log: planned.race === null ? { sizeBytes: 0, masks: [], places: [] } : null,
      texts: { plan: findTextSecrets(JSON.stringify(plan), kept) },
    };
    const { frameLogPath } = await store.createExperiment({
      id,
      runId: start.runId,
      stepId: recorded.stepId,
      stepSeq: recorded.stepSeq,
      targetName: plan.request.targetName,
      tool: recorded.tool,
      plan,
      confirmedTool: start.confirmTool,
      idempotencyKey: start.idempotencyKey,
      startedAt: new Date().toISOString(),
      matrix: planned.matrix(),
      secretPlaces,
    });
    const live: Live = {
      controller: new AbortController(),
      settled: Promise.resolve(),
      secretPlaces,
    };
    this.#live.set(id, live);
    live.settled = this.#run(id, planned, start, frameLogPath, live).finally(() =>
      this.#live.delete(id),
    );
    return id;
  }

  /** What is known, in words of ours, which repeat no secret of the target. */
  async #cleanMatrix({ plan, matrix }: PlannedExperiment): Promise<Experiment['matrix']> {
    const kept = await this.#options.secrets.keptOf(plan.request.targetName);
    return maskStrings(matrix(), kept);
  }

  /** Everything that can be refused before anything is kept. */
  #check({ plan, target }: PlannedExperiment, start: ExperimentStart): void {
    if (target.confirmedAt === null) {
      throw refused({
        reason: 'targetNotConfirmed',
        sentence: `Target ${target.name} is not confirmed, so nothing was sent.`,
      });
    }
    if (plan.sha256 !== start.planSha256) {
      throw refused({
        reason: 'notConfirmed',
        sentence:
          'What would be sent is not what was shown any more, so nothing was sent. Read the plan again.',
      });
    }
    if (plan.needsName && start.confirmTool !== plan.tool) {
      throw refused({
        reason: 'notConfirmed',
        sentence: `The plan may change things with ${plan.tool}, so nothing was sent. ${adviseConfirming(plan.tool, target)}`,
      });
    }
  }

  /** Never rejects: whatever happens, the experiment has an end. */
  async #run(
    id: Ulid,
    planned: PlannedExperiment,
    start: ExperimentStart,
    frameLogPath: string,
    live: Live,
  ): Promise<void> {
    const { store } = this.#options;
    let end: ExperimentEnd;
    try {
      end = await this.#send(id, planned, start, frameLogPath, live);
    } catch (error) {
      const words = isMisstepError(error) ? error.message : `fault ${reportFault(error)}`;
      end = { ending: 'failed', reason: `Misstep could not go on (${words}).`, sentCount: 0 };
    }
    const { ending, reason } = end;
    const isClosing = this.#closed && ending !== 'complete';
    try {
      await store.finishExperiment(id, {
        ending: isClosing ? 'interrupted' : ending,
        reason: isClosing ? 'Misstep was stopped while this ran; what had come is kept.' : reason,
        endedAt: new Date().toISOString(),
        matrix: await this.#cleanMatrix(planned),
        secretPlaces: live.secretPlaces,
      });
    } catch (error) {
      // It reads as running until this process ends, then as interrupted.
      reportFault(error);
    }
  }

  async #send(
    id: Ulid,
    planned: PlannedExperiment,
    start: ExperimentStart,
    frameLogPath: string,
    live: Live,
  ): Promise<ExperimentEnd> {
    const { signal } = live.controller;
    const { store, replays, secrets, heavy, version } = this.#options;
    const { plan, recorded, target, race } = planned;
    const pacer = new Pacer(plan.request.gapMs);
    const { confirmTool } = start;
    let ordinal = 0;
    const options: RunOptions = {
      signal,
      onProgress: (sentCount, { label }) => start.onProgress?.(sentCount, label),
      pause: (stop) => pacer.pause(stop),
      onSent: async (call, outcome) => {
        ordinal += 1;
        const send = {
          ordinal,
          id: call.id,
          label: call.label,
          // Only this service's own sender and the calls at once give it: a ULID or null.
          replayId: outcome.replayId as Ulid | null,
          outcome: outcome.outcome,
          callDurationNs: outcome.callDurationNs,
          server: outcome.server ?? null,
          toolSha256: outcome.toolSha256 ?? null,
        };
        await store.recordExperimentSend(id, send, await this.#cleanMatrix(planned));
      },
    };
    const sendOnce = replaySender({
      replays,
      store,
      heavy,
      planned,
      experimentId: id,
      confirmTool,
    });
    if (race === null) return runExperiment(planned.machine, sendOnce, options);
    const noteSecrets = async (given: ConnectionSecrets) => {
      const log = await findLogSecrets(await readFrameLogFile(frameLogPath), given, target.address);
      live.secretPlaces = { ...live.secretPlaces, log };
    };
    return runRace(
      race,
      {
        sendOnce,
        sendAtOnce: async (calls, connections, stop) => {
          const given = await secrets.forConnection(target);
          if (!given.ok) return fail(given.error.sentence);
          const raced = sendAtOnce({
            calls,
            connections,
            signal: stop,
            recorded,
            target,
            secrets: given.value,
            defaultCwd: store.targetFolder,
            confirmTool,
            sendsLeftOut: plan.request.sendsLeftOut,
            timeoutMs: plan.request.timeoutMs,
            maxFrameBytes: MAX_FRAME_BYTES,
            frameLogPath,
            misstepVersion: version,
          });
          return raced.finally(() => noteSecrets(given.value));
        },
      },
      options,
    );
  }
}
