import { randomUUID } from 'node:crypto';
import {
  isMisstepError,
  MisstepError,
  type Replay,
  type RunId,
  type StepId,
  type TargetName,
} from '@misstep/model';
import { planArguments, planSplit, type SplitCall, type SplitPlan } from '@misstep/replay';
import type { Store } from '@misstep/store';
import { readRecordedCall } from './replay/recorded-call.ts';
import type { ReplayService } from './replay-service.ts';
import type { ValueReader } from './value-reader.ts';

export interface SplitRequest {
  readonly runId: RunId;
  readonly stepId: StepId;
  readonly targetName: TargetName;
  /** The edited arguments that are split. */
  readonly argumentsText: string;
  readonly timeoutMs: number;
  /** Also where a conforming client would leave the tool out. */
  readonly sendsLeftOut?: boolean;
}

export interface SplitHooks {
  /** The tool's name confirms the plan as a whole. */
  readonly confirmTool: string | null;
  readonly signal: AbortSignal;
  readonly onProgress?: (sentCount: number, call: SplitCall) => void;
}

export interface SplitEnd {
  readonly ending: 'complete' | 'stopped' | 'failed';
  /** Why it failed; null otherwise. */
  readonly reason: string | null;
  /** In the plan's order; the first ones of it where it was stopped or failed. */
  readonly replays: readonly { readonly call: SplitCall; readonly replay: Replay }[];
}

/** What would be sent; nothing is until `run`, which may be called once. */
export interface PreparedSplit {
  readonly tool: string;
  readonly plan: SplitPlan;
  run(hooks: SplitHooks): Promise<SplitEnd>;
}

/** An edited call as replays that each make one of its changes. */
export interface SplitService {
  /** Throws what stands in the way before anything is sent: REPLAY_REFUSED, REQUEST_INVALID. */
  prepare(request: SplitRequest): Promise<PreparedSplit>;
}

export function createSplitService(options: {
  readonly store: Store;
  readonly values: ValueReader;
  readonly replays: ReplayService;
}): SplitService {
  const { store, values, replays } = options;
  return {
    async prepare(request) {
      const { runId, stepId, targetName, timeoutMs } = request;
      await store.getTarget(targetName);
      const recorded = await readRecordedCall(store, values, runId, stepId);
      const before = planArguments(recorded, null);
      const after = planArguments(recorded, request.argumentsText);
      for (const planned of [before, after]) {
        if (!planned.ok) {
          const { reason, sentence } = planned.error;
          throw new MisstepError('REPLAY_REFUSED', sentence, { reason, sentence });
        }
      }
      if (!before.ok || !after.ok) throw new Error('Both were looked at.');
      const plan = planSplit(before.value.argumentsText, after.value.argumentsText);
      if (!plan.ok)
        throw new MisstepError('REQUEST_INVALID', plan.error, { field: 'argumentsText' });
      const { calls } = plan.value;
      return {
        tool: recorded.tool,
        plan: plan.value,
        run: (hooks) =>
          sendEach(calls, hooks, async (call) => {
            const started = await replays.start({
              runId,
              stepId,
              targetName,
              timeoutMs,
              argumentsText: call.argumentsText,
              tool: null,
              confirmTool: hooks.confirmTool,
              sendsLeftOut: request.sendsLeftOut ?? false,
              experimentId: null,
              prepared: null,
              idempotencyKey: randomUUID(),
            });
            const cancel = () => void replays.cancel(started.id).catch(() => undefined);
            hooks.signal.addEventListener('abort', cancel, { once: true });
            if (hooks.signal.aborted) cancel();
            try {
              return await replays.whenDone(started.id);
            } finally {
              hooks.signal.removeEventListener('abort', cancel);
            }
          }),
      };
    },
  };
}

/** One after the other; the first refusal ends it, for the rest would be refused too. */
async function sendEach(
  calls: readonly SplitCall[],
  { signal, onProgress }: SplitHooks,
  send: (call: SplitCall) => Promise<Replay>,
): Promise<SplitEnd> {
  const sent: { call: SplitCall; replay: Replay }[] = [];
  for (const call of calls) {
    if (signal.aborted) return { ending: 'stopped', reason: null, replays: sent };
    onProgress?.(sent.length, call);
    try {
      sent.push({ call, replay: await send(call) });
    } catch (error) {
      if (!isMisstepError(error)) throw error;
      return { ending: 'failed', reason: error.message, replays: sent };
    }
  }
  const isWhole = !signal.aborted;
  return { ending: isWhole ? 'complete' : 'stopped', reason: null, replays: sent };
}
