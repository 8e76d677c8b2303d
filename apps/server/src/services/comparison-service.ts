import { createHash } from 'node:crypto';
import {
  applyIgnoreRules,
  type IgnoreSuggestion,
  type LineDifference,
  readIgnoreRules,
  suggestIgnoreRules,
} from '@misstep/compare';
import {
  type Comparison,
  type ComparisonRow,
  isMisstepError,
  MisstepError,
  type RunId,
  type StepId,
  type Ulid,
} from '@misstep/model';
import { type ExitSecrets, maskStrings, type RecordedCall } from '@misstep/replay';
import type { Store, StoredReplay } from '@misstep/store';
import { z } from 'zod';
import type { RecordedSide } from '../jobs/heavy-tasks.ts';
import { fileStamp, type HeavyWork } from '../jobs/heavy-work.ts';
import { type PackedRows, type RowWindow, readPage } from '../jobs/packed-rows.ts';
import { readJoinedRun } from './replay/joined-wire.ts';
import { readRecordedCall } from './replay/recorded-call.ts';
import type { ExitService } from './secrets/exit-secrets.ts';
import type { ValueReader } from './value-reader.ts';

export interface RuledComparison {
  readonly comparison: Comparison | null;
  readonly rules: readonly string[];
  readonly suggestions: readonly IgnoreSuggestion[];
}

export type TextDifference = LineDifference & { readonly recorded: 'transcript' | 'wire' };

export interface ComparisonService {
  /**
   * The comparison of a replay as it reads under ignore rules (presets or pointer patterns). What
   * is stored stays as it is. Null where the replay has none; REQUEST_INVALID for a rule that is
   * none.
   */
  show(replayId: Ulid, ignore: readonly string[], signal?: AbortSignal): Promise<Comparison | null>;
  /** The same under the rules that are kept for the replay's tool, and what else may be ignored. */
  showRuled(replayId: Ulid, signal?: AbortSignal): Promise<RuledComparison>;
  /**
   * The rows of one window in document order, also those that the comparison's cap left out, under
   * the tool's kept rules or those given; and how many rows the window is cut from.
   */
  rows(
    replayId: Ulid,
    window: RowWindow & { readonly ignore?: readonly string[] },
    signal?: AbortSignal,
  ): Promise<{ rows: ComparisonRow[]; total: number }>;
  /** Keeps rules for the tool of a step, of its server; REQUEST_INVALID for a rule that is none. */
  keepRules(runId: RunId, stepId: StepId, rules: readonly string[]): Promise<readonly string[]>;
  /** Recorded and live result line by line; null where one of them is missing. */
  textDifference(replayId: Ulid, signal?: AbortSignal): Promise<TextDifference | null>;
}

export function createComparisonService(
  store: Store,
  values: ValueReader,
  exits: Pick<ExitService, 'ofReplay'>,
  heavy: HeavyWork,
): ComparisonService {
  const rulesOf = async (runId: RunId, stepId: StepId): Promise<string[]> => {
    const kept = await store.getSetting(await settingKey(store, runId, stepId));
    if (kept === null) return [];
    // A rule that this version does not know must not keep a comparison from being shown.
    const rules = z.array(z.string()).safeParse(JSON.parse(kept));
    return rules.success ? rules.data.filter((rule) => readIgnoreRules([rule]).ok) : [];
  };
  const besideWire = makeBesideWire(store, values, exits, heavy);
  return {
    async show(replayId, ignore, signal) {
      const rules = readRules(ignore);
      const comparison = await besideWire(await store.getReplay(replayId), signal);
      return comparison === null ? null : applyIgnoreRules(comparison, rules);
    },
    async showRuled(replayId, signal) {
      const replay = await store.getReplay(replayId);
      const { runId, stepId } = replay;
      const comparison = await besideWire(replay, signal);
      const rules = await rulesOf(runId, stepId);
      if (comparison === null) return { comparison, rules, suggestions: [] };
      const ruled = applyIgnoreRules(comparison, readRules(rules));
      return { comparison: ruled, rules, suggestions: suggestIgnoreRules(ruled.rows) };
    },
    async rows(replayId, { ignore, ...window }, signal) {
      const replay = await store.getReplay(replayId);
      const { runId, stepId, frameLogPath, comparison } = replay;
      if (comparison === null) return { rows: [], total: 0 };
      const rules = ignore ?? (await rulesOf(runId, stepId));
      const read = readRules(rules);
      const secrets = (await exits.ofReplay(replay)).inTexts;
      const inputsEdited = comparison.inputsEdited ?? false;
      const { size, key } = await nameWork(store, replay, secrets);
      const recordedNow = async () =>
        recordedSideOf(await readRecordedCall(store, values, runId, stepId), inputsEdited);
      const packFrom = (offset: number): Promise<PackedRows> => {
        const from = { offset, verdicts: window.verdicts };
        return heavy.run(
          'packLogRows',
          async () => ({ recorded: await recordedNow(), frameLogPath, secrets, from }),
          { size, key: `${key} ${JSON.stringify(from)}`, ...(signal && { signal }) },
        );
      };
      const found = await readPage(window, packFrom);
      const ruled = applyIgnoreRules({ ...comparison, rows: found.rows }, read);
      return { rows: ruled.rows, total: found.total };
    },
    async keepRules(runId, stepId, given) {
      const rules = [...new Set(given)];
      readRules(rules);
      await store.setSetting(await settingKey(store, runId, stepId), JSON.stringify(rules));
      return rules;
    },
    async textDifference(replayId, signal) {
      const replay = await store.getReplay(replayId);
      const { runId, stepId, frameLogPath } = replay;
      const call = await readRecordedCall(store, values, runId, stepId);
      const wire = call.wireResultText ?? null;
      const recordedText = wire ?? call.resultText;
      if (recordedText === null) return null;
      const isWire = wire !== null || call.resultEvidence === 'wire';
      const recordedIsCut = isWire ? false : call.resultIsCut;
      const secrets = (await exits.ofReplay(replay)).inTexts;
      const { size, key } = await nameWork(store, replay, secrets);
      const input = { recordedText, recordedIsCut, frameLogPath, secrets };
      const found = await heavy.run('linesOfLog', input, { size, key, ...(signal && { signal }) });
      return found === null ? null : { recorded: isWire ? 'wire' : 'transcript', ...found };
    },
  };
}

/**
 * A person may join a wire recording, change it or take it away after the replay: then the
 * comparison is made anew from the same texts with the wire that there is now. Otherwise it is
 * what was stored. Either way as it may be shown: rows hold what a server has said.
 */
function makeBesideWire(
  store: Store,
  values: ValueReader,
  exits: Pick<ExitService, 'ofReplay'>,
  heavy: HeavyWork,
) {
  return async (replay: StoredReplay, signal?: AbortSignal): Promise<Comparison | null> => {
    const { runId, stepId, frameLogPath } = replay;
    if (replay.comparison === null) return null;
    const secrets = (await exits.ofReplay(replay)).inTexts;
    const comparison = maskStrings(replay.comparison, secrets);
    try {
      const call = await readRecordedCall(store, values, runId, stepId);
      if (call.resultEvidence === 'wire' || call.resultText === null) return comparison;
      const wireText = call.wireResultText ?? null;
      if (wireText === null && comparison.columns?.includes('wire') !== true) return comparison;
      const recorded = recordedSideOf(call, comparison.inputsEdited ?? false);
      const { size, key } = await nameWork(store, replay, secrets);
      const input = { recorded, frameLogPath, secrets };
      const options = { size, key, ...(signal && { signal }) };
      return (await heavy.run('compareLog', input, options)) ?? comparison;
    } catch (error) {
      // The step or its source is gone since: what was stored still holds.
      if (isMisstepError(error) && !NOT_GONE.has(error.code)) return comparison;
      throw error;
    }
  };
}

/** These say nothing of whether step and source are still there. */
const NOT_GONE: ReadonlySet<string> = new Set(['RESULT_TOO_LARGE', 'WORK_BUSY']);

function recordedSideOf(call: RecordedCall, inputsEdited: boolean): RecordedSide {
  return {
    transcriptText: call.resultText,
    transcriptIsCut: call.resultIsCut,
    transcriptEvidence: call.resultEvidence,
    wireText: call.wireResultText ?? null,
    recordedIsError: call.resultIsProtocolError ?? false,
    inputsEdited,
  };
}

/**
 * The same recorded value, frames and masks have the same key, which is made without reading a text:
 * a source's bytes never change, and neither does what stands at a place in them.
 */
async function nameWork(
  store: Store,
  { runId, stepId, frameLogPath, comparison }: StoredReplay,
  secrets: ExitSecrets['inTexts'],
): Promise<{ size: number; key: string }> {
  const { size, stamp } = await fileStamp(frameLogPath);
  const step = await store.getStep(runId, stepId);
  const wireRunId = await readJoinedRun(store, runId);
  const runs = await Promise.all(
    [runId, ...(wireRunId === null ? [] : [wireRunId])].map((id) => store.getRun(id)),
  );
  const identity = JSON.stringify([
    [step.id, step.status, step.evidence, step.arguments, step.result],
    runs.map(({ run, sources, frameCount }) => [
      run.id,
      run.stepCount,
      frameCount,
      sources.map(({ sha256 }) => sha256),
    ]),
    comparison?.inputsEdited ?? false,
    secrets,
  ]);
  const hash = createHash('sha256').update(identity).digest('hex');
  return {
    size: size + (step.result?.origin?.length ?? 0),
    key: `${frameLogPath} ${stamp} ${hash}`,
  };
}

/** By server and tool: what moves from call to call is the tool's way, whatever run it is seen in. */
async function settingKey(store: Store, runId: RunId, stepId: StepId): Promise<string> {
  const step = await store.getStep(runId, stepId);
  return `ignore rules ${JSON.stringify([step.server, step.tool ?? step.name])}`;
}

function readRules(names: readonly string[]) {
  const rules = readIgnoreRules(names);
  if (!rules.ok) throw new MisstepError('REQUEST_INVALID', rules.error, { field: 'ignore' });
  return rules.value;
}
