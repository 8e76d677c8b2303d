import { type CallToPair, type PairedCalls, pairCalls } from '@misstep/diagnosis';
import { canonicalJson, parseJson } from '@misstep/json';
import { isMisstepError, type RunId, RunIdSchema, type Step } from '@misstep/model';
import type { Store } from '@misstep/store';
import type { ValueReader } from '../value-reader.ts';
import { readWireResult, type WireAnswer } from './recorded-conversation.ts';

/** Where a run's joined wire recording is kept; the empty text = none any more. */
export function joinKey(runId: RunId): string {
  return `wire of ${runId}`;
}

/** The wire recording that a person joined to a run; null where there is none, or no longer. */
export async function readJoinedRun(
  store: Pick<Store, 'getSetting' | 'getRun'>,
  runId: RunId,
): Promise<RunId | null> {
  const kept = RunIdSchema.safeParse(await store.getSetting(joinKey(runId)));
  if (!kept.success) return null;
  try {
    return (await store.getRun(kept.data)).run.id;
  } catch (error) {
    if (isMisstepError(error) && error.code === 'RUN_NOT_FOUND') return null;
    throw error;
  }
}

/** Which call is which, of all tools or of one. */
export async function pairWithWire(
  store: Pick<Store, 'listSteps'>,
  values: Pick<ValueReader, 'wholeText'>,
  runs: { runId: RunId; wireRunId: RunId },
  tool?: string,
): Promise<PairedCalls> {
  const callsOf = async (runId: RunId, isWire: boolean): Promise<CallToPair[]> => {
    const calls: CallToPair[] = [];
    for (const step of await store.listSteps(runId)) {
      const name = step.tool ?? step.name;
      if (step.kind !== 'tool' || (tool !== undefined && name !== tool)) continue;
      if (isWire && step.evidence !== 'wire') continue;
      const argumentsText = await canonicalArguments(values, step, isWire);
      calls.push({ stepId: step.id, seq: step.seq, tool: name, argumentsText });
    }
    return calls;
  };
  return pairCalls(await callsOf(runs.runId, false), await callsOf(runs.wireRunId, true));
}

/** The result on the joined wire of a call; null where nothing is joined or the call isn't there. */
export async function readJoinedResult(
  store: Pick<Store, 'getSetting' | 'getRun' | 'listSteps' | 'listFrames'>,
  values: Pick<ValueReader, 'wholeText' | 'bytesOf'>,
  runId: RunId,
  step: Step,
): Promise<WireAnswer | null> {
  const wireRunId = await readJoinedRun(store, runId);
  if (wireRunId === null) return null;
  const runs = { runId, wireRunId };
  const { pairs } = await pairWithWire(store, values, runs, step.tool ?? step.name);
  const wire = pairs.find(({ call }) => call.stepId === step.id)?.wire ?? null;
  return wire === null ? null : readWireResult(store, values, wireRunId, wire.stepId);
}

/** Null where the recording doesn't hold the arguments whole. */
async function canonicalArguments(
  values: Pick<ValueReader, 'wholeText'>,
  step: Step,
  isWire: boolean,
): Promise<string | null> {
  const { arguments: value } = step;
  // On the wire a call without arguments has none; that is the same call as one with `{}`.
  if (value === null) return isWire ? '{}' : null;
  if (value.state !== 'captured' || value.elisions.length > 0 || value.encoding === 'cut-json') {
    return null;
  }
  const text = await values.wholeText(value);
  const parsed = text === null ? null : parseJson(text);
  return parsed?.ok === true ? canonicalJson(parsed.value) : null;
}
