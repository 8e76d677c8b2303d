import type { ReplaySummary } from '@misstep/contract';
import type { Replay } from '@misstep/model';
import type { StoredReplay } from '@misstep/store';
import { fileStamp, type HeavyWork } from '../../jobs/heavy-work.ts';
import type { LiveReplay } from './live-replay.ts';
import { shownAsks } from './shown-asks.ts';
import { shownComparison } from './shown-comparison.ts';

/** A replay from its record and its frame log. */
export async function viewStored(stored: StoredReplay, heavy: HeavyWork): Promise<Replay> {
  const { id, runId, stepId, targetName, tool, argumentsText, startedAt } = stored;
  const { frameLogPath } = stored;
  const { size, stamp } = await fileStamp(frameLogPath);
  const key = `${frameLogPath} ${stamp}`;
  const log = await heavy.run('readLog', { frameLogPath }, { size, key });
  return {
    id,
    runId,
    stepId,
    // Without an outcome another process is sending it.
    state: stored.outcome === null ? 'waiting' : 'done',
    targetName,
    tool,
    argumentsText,
    startedAt,
    frames: log.frames,
    events: log.events,
    ...shownAsks(log.asks, log.asksOmitted),
    outcome: stored.outcome,
    outcomeSentence: stored.outcomeSentence,
    receipt: stored.receipt,
    comparison: shownComparison(stored.comparison),
  };
}

/** A row of the list of replays. */
export function summaryOf(
  replay: StoredReplay,
  runTitle: string,
  live: LiveReplay | undefined,
): ReplaySummary {
  return {
    id: replay.id,
    runId: replay.runId,
    runTitle,
    stepId: replay.stepId,
    stepSeq: replay.stepSeq,
    tool: replay.tool,
    targetName: replay.targetName,
    state: replay.outcome === null ? (live?.state ?? 'waiting') : 'done',
    startedAt: replay.startedAt,
    durationNs: replay.receipt?.durationNs ?? null,
    outcome: replay.outcome,
    verdict: replay.comparison?.verdict ?? null,
    sentence: replay.comparison?.sentence ?? replay.outcomeSentence,
    editedArguments: replay.receipt?.pins.arguments === 'edited',
    experimentId: replay.experimentId,
  };
}
