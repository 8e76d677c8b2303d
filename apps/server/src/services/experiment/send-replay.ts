import { randomUUID } from 'node:crypto';
import { fail, isMisstepError, ok, type Receipt, type Ulid } from '@misstep/model';
import type { SendOnce } from '@misstep/replay';
import type { Store } from '@misstep/store';
import { fileSize, type HeavyWork } from '../../jobs/heavy-work.ts';
import type { ReplayService } from '../replay-service.ts';
import type { PlannedExperiment } from './plan-experiment.ts';
import { ResultTexts } from './result-texts.ts';

/** Each call is a replay of A's step: listed there, with frames and a receipt. */
export function replaySender(options: {
  readonly replays: ReplayService;
  readonly store: Store;
  readonly heavy: HeavyWork;
  readonly planned: PlannedExperiment;
  readonly experimentId: Ulid;
  readonly confirmTool: string | null;
}): SendOnce {
  const { replays, store, heavy, planned, experimentId, confirmTool } = options;
  const { runId, stepId } = planned.recorded;
  const { request } = planned.plan;
  const texts = new ResultTexts();
  return async ({ argumentsText }, signal) => {
    try {
      const { id } = await replays.start({
        runId,
        stepId,
        targetName: request.targetName,
        argumentsText,
        tool: null,
        confirmTool,
        sendsLeftOut: request.sendsLeftOut,
        timeoutMs: request.timeoutMs,
        experimentId,
        prepared: null,
        idempotencyKey: randomUUID(),
      });
      const cancel = () => void replays.cancel(id).catch(() => undefined);
      signal.addEventListener('abort', cancel, { once: true });
      if (signal.aborted) cancel();
      const { outcome, outcomeSentence, receipt } = await replays.whenDone(id);
      signal.removeEventListener('abort', cancel);
      const { frameLogPath } = await store.getReplay(id);
      const size = await fileSize(frameLogPath);
      const resultText = await heavy.run('resultText', { frameLogPath }, { size });
      return ok({
        replayId: id,
        outcome: outcome ?? 'interrupted',
        sentence: outcomeSentence,
        ...(resultText === null ? { resultText: null } : texts.keep(resultText)),
        callDurationNs: receipt?.callDurationNs ?? null,
        server: serverOf(receipt),
        toolSha256: receipt?.toolDefinition.sha256 ?? null,
      });
    } catch (error) {
      if (isMisstepError(error) && error.code === 'REPLAY_REFUSED') return fail(error.message);
      throw error;
    }
  };
}

function serverOf(receipt: Receipt | null): string | null {
  const { name, version } = receipt?.server ?? { name: null, version: null };
  const words = [name, version].filter((word) => word !== null);
  return words.length === 0 ? null : words.join(' ');
}
