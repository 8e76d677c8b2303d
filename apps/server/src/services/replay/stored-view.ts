import type { ReplaySummary } from '@misstep/contract';
import { knownSecrets } from '@misstep/mcp';
import type { Replay } from '@misstep/model';
import { type ExitSecrets, maskStrings, sha256 } from '@misstep/replay';
import type { StoredReplay } from '@misstep/store';
import { fileStamp, type HeavyWork } from '../../jobs/heavy-work.ts';
import type { LiveReplay } from './live-replay.ts';
import { shownAsks } from './shown-asks.ts';
import { shownComparison } from './shown-comparison.ts';

/**
 * A replay from its record and its frame log, without what is or was a secret of its target: what
 * is shown is copied and piped. The log keeps every byte; sizes are those of its frames.
 */
export async function viewStored(
  stored: StoredReplay,
  secrets: ExitSecrets,
  heavy: HeavyWork,
): Promise<Replay> {
  const { id, runId, stepId, targetName, tool, argumentsText, startedAt } = stored;
  const { frameLogPath } = stored;
  const { size, stamp } = await fileStamp(frameLogPath);
  const { values, places } = secrets.inLog;
  const masks = sha256(JSON.stringify([knownSecrets(values ?? []), places]));
  const key = `${frameLogPath} ${stamp} ${masks}`;
  const log = await heavy.run('readLog', { frameLogPath, secrets: secrets.inLog }, { size, key });
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
    receipt: maskStrings(stored.receipt, secrets.inTexts),
    comparison: shownComparison(maskStrings(stored.comparison, secrets.inTexts)),
    // While it is being sent there is nothing noted yet, and nothing amiss.
    ...(secrets.notChecked === null || stored.outcome === null
      ? {}
      : { notChecked: secrets.notChecked }),
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
    callDurationNs: replay.receipt?.callDurationNs ?? null,
    outcome: replay.outcome,
    verdict: replay.comparison?.verdict ?? null,
    sentence: replay.comparison?.sentence ?? replay.outcomeSentence,
    editedArguments: replay.receipt?.pins.arguments === 'edited',
    experimentId: replay.experimentId,
  };
}
