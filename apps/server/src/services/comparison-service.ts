import {
  applyIgnoreRules,
  compareResults,
  differenceOfLines,
  type IgnoreSuggestion,
  type LineDifference,
  readIgnoreRules,
  suggestIgnoreRules,
} from '@misstep/compare';
import { decodeUtf8 } from '@misstep/json';
import { maskSecrets } from '@misstep/mcp';
import {
  type Comparison,
  isMisstepError,
  MisstepError,
  type RunId,
  type StepId,
  type Ulid,
} from '@misstep/model';
import { maskStrings, readLoggedCall, sha256 } from '@misstep/replay';
import type { Store, StoredReplay } from '@misstep/store';
import { z } from 'zod';
import { readFrameLogFile } from './replay/frame-log-file.ts';
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
  show(replayId: Ulid, ignore: readonly string[]): Promise<Comparison | null>;
  /** The same under the rules that are kept for the replay's tool, and what else may be ignored. */
  showRuled(replayId: Ulid): Promise<RuledComparison>;
  /** Keeps rules for the tool of a step, of its server; REQUEST_INVALID for a rule that is none. */
  keepRules(runId: RunId, stepId: StepId, rules: readonly string[]): Promise<readonly string[]>;
  /** Recorded and live result line by line; null where one of them is missing. */
  textDifference(replayId: Ulid): Promise<TextDifference | null>;
}

export function createComparisonService(
  store: Store,
  values: ValueReader,
  exits: Pick<ExitService, 'ofReplay'>,
): ComparisonService {
  const rulesOf = async (runId: RunId, stepId: StepId): Promise<string[]> => {
    const kept = await store.getSetting(await settingKey(store, runId, stepId));
    if (kept === null) return [];
    // A rule that this version does not know must not keep a comparison from being shown.
    const rules = z.array(z.string()).safeParse(JSON.parse(kept));
    return rules.success ? rules.data.filter((rule) => readIgnoreRules([rule]).ok) : [];
  };
  /** As it may be shown: rows hold what a server has said. */
  const compare = async (replay: StoredReplay) =>
    maskStrings(await besideWire(store, values, replay), (await exits.ofReplay(replay)).inTexts);
  return {
    async show(replayId, ignore) {
      const rules = readRules(ignore);
      const comparison = await compare(await store.getReplay(replayId));
      return comparison === null ? null : applyIgnoreRules(comparison, rules);
    },
    async showRuled(replayId) {
      const replay = await store.getReplay(replayId);
      const { runId, stepId } = replay;
      const comparison = await compare(replay);
      const rules = await rulesOf(runId, stepId);
      if (comparison === null) return { comparison, rules, suggestions: [] };
      const ruled = applyIgnoreRules(comparison, readRules(rules));
      return { comparison: ruled, rules, suggestions: suggestIgnoreRules(ruled.rows) };
    },
    async keepRules(runId, stepId, given) {
      const rules = [...new Set(given)];
      readRules(rules);
      await store.setSetting(await settingKey(store, runId, stepId), JSON.stringify(rules));
      return rules;
    },
    async textDifference(replayId) {
      const replay = await store.getReplay(replayId);
      const { runId, stepId, frameLogPath } = replay;
      const { resultBytes } = readLoggedCall(await readFrameLogFile(frameLogPath));
      const call = await readRecordedCall(store, values, runId, stepId);
      const wire = call.wireResultText ?? null;
      const recorded = wire ?? call.resultText;
      if (resultBytes === null || recorded === null) return null;
      const { inTexts } = await exits.ofReplay(replay);
      const isWire = wire !== null || call.resultEvidence === 'wire';
      return {
        recorded: isWire ? 'wire' : 'transcript',
        ...differenceOfLines(
          maskSecrets(recorded, inTexts),
          isWire ? false : call.resultIsCut,
          maskSecrets(decodeUtf8(resultBytes).text, inTexts),
        ),
      };
    },
  };
}

/**
 * A person may join a wire recording, change it or take it away after the replay: then the
 * comparison is made anew from the same texts with the wire that there is now. Otherwise it is
 * what was stored.
 */
async function besideWire(
  store: Store,
  values: ValueReader,
  { comparison, runId, stepId, frameLogPath }: StoredReplay,
): Promise<Comparison | null> {
  if (comparison === null) return null;
  try {
    const call = await readRecordedCall(store, values, runId, stepId);
    if (call.resultEvidence === 'wire' || call.resultText === null) return comparison;
    const wireText = call.wireResultText ?? null;
    if (wireText === null && comparison.columns?.includes('wire') !== true) return comparison;
    const { resultBytes } = readLoggedCall(await readFrameLogFile(frameLogPath));
    if (resultBytes === null) return comparison;
    return compareResults({
      transcriptText: call.resultText,
      transcriptIsCut: call.resultIsCut,
      transcriptEvidence: call.resultEvidence,
      wireText,
      replayedText: decodeUtf8(resultBytes).text,
      inputsEdited: comparison.inputsEdited ?? false,
      sha256,
    });
  } catch (error) {
    // The step or its source is gone since: what was stored still holds.
    if (isMisstepError(error)) return comparison;
    throw error;
  }
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
