import { isDeepStrictEqual } from 'node:util';
import type { MisstepError } from '@misstep/model';
import { recordedArguments } from '@misstep/replay';
import type { Store, StoredExperiment, StoredReplay } from '@misstep/store';
import type { ExperimentStart } from '../experiment-service.ts';
import type { ReplayStart } from '../replay-service.ts';
import type { ValueReader } from '../value-reader.ts';
import { readRecordedCall } from './recorded-call.ts';
import { refused } from './refusals.ts';

/** REPLAY_REFUSED where the key has already begun a replay of another call, server or arguments. */
export async function checkSameReplay(
  store: Store,
  values: ValueReader,
  before: StoredReplay,
  request: ReplayStart,
): Promise<void> {
  const { runId, stepId, targetName, experimentId } = request;
  const asked = { runId, stepId, targetName, experimentId };
  const isSamePlace = isDeepStrictEqual(asked, {
    runId: before.runId,
    stepId: before.stepId,
    targetName: before.targetName,
    experimentId: before.experimentId,
  });
  if (!isSamePlace) throw keyUsed(`replay ${before.id}`, { replayId: before.id });
  const needsCall = request.argumentsText === null || request.tool === null;
  const call = needsCall ? await readRecordedCall(store, values, runId, stepId) : null;
  const argumentsText =
    request.argumentsText ?? (call === null ? null : recordedArguments(call)) ?? null;
  const tool = request.tool ?? call?.tool ?? null;
  if (argumentsText !== before.argumentsText || tool !== before.tool) {
    throw keyUsed(`replay ${before.id}`, { replayId: before.id });
  }
}

/** REPLAY_REFUSED where the key has already begun an experiment by another plan. */
export function checkSameExperiment(before: StoredExperiment, start: ExperimentStart): void {
  const { plan, runId } = before;
  const isSame =
    runId === start.runId &&
    plan.sha256 === start.planSha256 &&
    plan.seed === start.seed &&
    isDeepStrictEqual(plan.request, start.request);
  if (!isSame) throw keyUsed(`experiment ${before.id}`, { experimentId: before.id });
}

function keyUsed(what: string, details: Readonly<Record<string, unknown>>): MisstepError {
  const sentence = `Under this idempotencyKey ${what} was begun from another request, so nothing was sent. Take a new key.`;
  return refused({ reason: 'keyUsed', sentence }, details);
}
