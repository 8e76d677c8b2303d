import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeUtf8, member, parseJson } from '@misstep/json';
import { fail, isMisstepError, MisstepError, ok, type Target } from '@misstep/model';
import {
  AttributeExperiment,
  type AttributionMatrix,
  type Experiment,
  type ExperimentEnd,
  planArguments,
  RaceExperiment,
  type RaceMatrix,
  type RecordedCall,
  RepeatExperiment,
  type RepeatMatrix,
  readLoggedCall,
  readSignature,
  runExperiment,
  runRace,
  type SendOnce,
  sendAtOnce,
} from '@misstep/replay';
import type { Store } from '@misstep/store';
import type {
  ExperimentCall,
  ExperimentCommon,
  ExperimentService,
  PreparedExperiment,
  RunHooks,
} from './experiment/prepared-experiment.ts';
import { readFrameLogFile } from './replay/frame-log-file.ts';
import { readRecordedCall, readRecordedDefinition } from './replay/recorded-call.ts';
import type { ReplayService } from './replay-service.ts';
import type { SecretService } from './secret-service.ts';
import type { ValueReader } from './value-reader.ts';

const MAX_FRAME_BYTES = 67_108_864;

export function createExperimentService(options: {
  readonly store: Store;
  readonly values: ValueReader;
  readonly secrets: SecretService;
  readonly replays: ReplayService;
  readonly version: string;
}): ExperimentService {
  return new Experiments(options);
}

/** The first call, checked, and what all calls of the experiment share. */
interface Subject extends ExperimentCommon {
  readonly recorded: RecordedCall;
  readonly target: Target;
  readonly argumentsText: string;
  readonly isReadOnly: boolean;
}

class Experiments implements ExperimentService {
  readonly #options: Parameters<typeof createExperimentService>[0];

  constructor(options: Parameters<typeof createExperimentService>[0]) {
    this.#options = options;
  }

  async repeat(
    request: Parameters<ExperimentService['repeat']>[0],
  ): Promise<PreparedExperiment<RepeatMatrix>> {
    const subject = await this.#subject(request.call, request);
    const { argumentsText, isReadOnly } = subject;
    const experiment = new RepeatExperiment({ argumentsText, isReadOnly, times: request.times });
    return this.#prepared(experiment, subject, [argumentsText]);
  }

  async attribute(
    request: Parameters<ExperimentService['attribute']>[0],
  ): Promise<PreparedExperiment<AttributionMatrix>> {
    const subject = await this.#subject(request.a, request);
    const textB = await this.#secondText(request.b, subject);
    const signature = readSignature(request.signature);
    if (!signature.ok) throw invalid('signature', signature.error);
    const made = AttributeExperiment.create({
      textA: subject.argumentsText,
      textB,
      signature: signature.value,
      repeats: request.repeats,
      isReadOnly: subject.isReadOnly,
    });
    if (!made.ok) throw invalid('b', made.error);
    return this.#prepared(made.value, subject, [subject.argumentsText, textB]);
  }

  async race(
    request: Parameters<ExperimentService['race']>[0],
  ): Promise<PreparedExperiment<RaceMatrix>> {
    const subject = await this.#subject(request.a, request);
    const textB = request.b === null ? null : await this.#secondText(request.b, subject);
    const { argumentsText, isReadOnly, recorded } = subject;
    const { atOnce, connections } = request;
    const experiment = new RaceExperiment({
      textA: argumentsText,
      textB,
      atOnce,
      connections,
      isReadOnly,
    });
    return {
      plan: experiment.plan,
      tool: recorded.tool,
      argumentTexts: textB === null ? [argumentsText] : [argumentsText, textB],
      run: (hooks) => this.#race(experiment, subject, request.framesPath, hooks),
    };
  }

  async #race(
    experiment: RaceExperiment,
    subject: Subject,
    framesPath: string | null,
    hooks: RunHooks,
  ): Promise<ExperimentEnd<RaceMatrix>> {
    const { store, version, secrets } = this.#options;
    const folder = await mkdtemp(join(tmpdir(), 'misstep-race-'));
    try {
      return await runRace(
        experiment,
        {
          sendOnce: this.#sender(subject, hooks.confirmTool),
          sendAtOnce: async (calls, connections, signal) => {
            const given = await secrets.forConnection(subject.target);
            if (!given.ok) return fail(given.error.sentence);
            return sendAtOnce({
              calls,
              connections,
              signal,
              recorded: subject.recorded,
              target: subject.target,
              secrets: given.value,
              defaultCwd: store.targetFolder,
              confirmTool: hooks.confirmTool,
              timeoutMs: subject.timeoutMs,
              maxFrameBytes: MAX_FRAME_BYTES,
              frameLogPath: framesPath ?? join(folder, 'race.frames'),
              misstepVersion: version,
            });
          },
        },
        progressOf(hooks),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #prepared<Matrix>(
    experiment: Experiment<Matrix>,
    subject: Subject,
    argumentTexts: readonly string[],
  ): PreparedExperiment<Matrix> {
    return {
      plan: experiment.plan,
      tool: subject.recorded.tool,
      argumentTexts,
      run: (hooks) =>
        runExperiment(experiment, this.#sender(subject, hooks.confirmTool), progressOf(hooks)),
    };
  }

  async #subject(call: ExperimentCall, common: ExperimentCommon): Promise<Subject> {
    const { store, values } = this.#options;
    const target = await store.getTarget(common.targetName);
    const recorded = await readRecordedCall(store, values, call.runId, call.stepId);
    const args = planArguments(recorded, call.argumentsText);
    if (!args.ok) throw refused(args.error);
    return {
      targetName: common.targetName,
      timeoutMs: common.timeoutMs,
      recorded,
      target,
      argumentsText: args.value.argumentsText,
      isReadOnly: target.trustsReadOnlyHint && (await this.#isReadOnly(recorded)),
    };
  }

  async #secondText(call: ExperimentCall, { recorded }: Subject): Promise<string> {
    const { store, values } = this.#options;
    const second = await readRecordedCall(store, values, call.runId, call.stepId);
    if (second.tool !== recorded.tool) {
      throw invalid(
        'b',
        `A calls ${recorded.tool} and B ${second.tool}: they must be of one tool.`,
      );
    }
    const args = planArguments(second, call.argumentsText);
    if (!args.ok) throw refused(args.error);
    return args.value.argumentsText;
  }

  /** By the recorded definition: the live one is known only once the server runs. */
  async #isReadOnly({ runId, stepId, tool }: RecordedCall): Promise<boolean> {
    const { store, values } = this.#options;
    const { server } = await store.getStep(runId, stepId);
    const bytes = await readRecordedDefinition(store, values, runId, server, tool);
    const parsed = bytes === null ? null : parseJson(decodeUtf8(bytes).text);
    if (parsed === null || !parsed.ok) return false;
    const { value } = parsed;
    const hint = member(value, member(value, value.root, 'annotations'), 'readOnlyHint');
    return hint?.kind === 'literal' && hint.value === true;
  }

  /** Each call is a replay of A's step: listed there, with frames and a receipt. */
  #sender(subject: Subject, confirmTool: string | null): SendOnce {
    const { replays, store } = this.#options;
    const { runId, stepId } = subject.recorded;
    return async ({ argumentsText }, signal) => {
      try {
        const { id } = await replays.start({
          runId,
          stepId,
          targetName: subject.targetName,
          argumentsText,
          tool: null,
          confirmTool,
          timeoutMs: subject.timeoutMs,
          idempotencyKey: randomUUID(),
        });
        const cancel = () => void replays.cancel(id);
        signal.addEventListener('abort', cancel, { once: true });
        if (signal.aborted) cancel();
        const { outcome, receipt } = await replays.whenDone(id);
        signal.removeEventListener('abort', cancel);
        const { frameLogPath } = await store.getReplay(id);
        const { resultBytes } = readLoggedCall(await readFrameLogFile(frameLogPath));
        return ok({
          replayId: id,
          outcome: outcome ?? 'interrupted',
          resultText: resultBytes === null ? null : decodeUtf8(resultBytes).text,
          callDurationNs: receipt?.callDurationNs ?? null,
        });
      } catch (error) {
        if (isMisstepError(error) && error.code === 'REPLAY_REFUSED') return fail(error.message);
        throw error;
      }
    };
  }
}

function progressOf({ signal, onProgress }: RunHooks): Parameters<typeof runExperiment>[2] {
  return {
    signal,
    onProgress: (sentCount, { label }) => onProgress?.(sentCount, label),
  };
}

function refused({ reason, sentence }: { reason: string; sentence: string }): MisstepError {
  return new MisstepError('REPLAY_REFUSED', sentence, { reason, sentence });
}

function invalid(field: string, sentence: string): MisstepError {
  return new MisstepError('REQUEST_INVALID', sentence, { field });
}
