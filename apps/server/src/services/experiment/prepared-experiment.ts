import type { RunId, StepId, TargetName } from '@misstep/model';
import type {
  AttributionMatrix,
  ExperimentEnd,
  ExperimentPlan,
  RaceConnections,
  RaceMatrix,
  RepeatMatrix,
} from '@misstep/replay';

/** A recorded call, with other arguments where they are given. */
export interface ExperimentCall {
  readonly runId: RunId;
  readonly stepId: StepId;
  readonly argumentsText: string | null;
}

export interface ExperimentCommon {
  readonly targetName: TargetName;
  readonly timeoutMs: number;
}

export interface RunHooks {
  /** The tool's name confirms the plan as a whole. */
  readonly confirmTool: string | null;
  readonly signal: AbortSignal;
  readonly onProgress?: (sentCount: number, label: string) => void;
}

/** What would be sent; nothing is until `run`, which may be called once. */
export interface PreparedExperiment<Matrix> {
  readonly plan: ExperimentPlan;
  readonly tool: string;
  /** A's, and B's where there is a second call. */
  readonly argumentTexts: readonly string[];
  run(hooks: RunHooks): Promise<ExperimentEnd<Matrix>>;
}

/** Each single call is a replay with its own receipt; calls at once are in no replay. */
export interface ExperimentService {
  /** Throws what stands in the way before anything is sent: REPLAY_REFUSED, REQUEST_INVALID. */
  repeat(
    request: ExperimentCommon & { readonly call: ExperimentCall; readonly times: number },
  ): Promise<PreparedExperiment<RepeatMatrix>>;
  race(
    request: ExperimentCommon & {
      readonly a: ExperimentCall;
      readonly b: ExperimentCall | null;
      readonly atOnce: number;
      readonly connections: RaceConnections;
      /** A new frame log for the calls at once; null = their frames are not kept. */
      readonly framesPath: string | null;
    },
  ): Promise<PreparedExperiment<RaceMatrix>>;
  attribute(
    request: ExperimentCommon & {
      readonly a: ExperimentCall;
      readonly b: ExperimentCall;
      /** As `readSignature` reads it. */
      readonly signature: string;
      readonly repeats: number;
    },
  ): Promise<PreparedExperiment<AttributionMatrix>>;
}
