import type { RunDetail, RunSummary } from '@misstep/contract';
import { importerById } from '@misstep/importers';
import { costOfRun, type Outcome, type PriceFinder, type RunId } from '@misstep/model';
import type { Page, Store, StoredRun } from '@misstep/store';
import type { PriceService } from './price-service.ts';
import type { RunDerivations } from './run-derivations.ts';

export interface RunService {
  list(page: Page): Promise<{ total: number; runs: RunSummary[] }>;
  get(runId: RunId): Promise<RunDetail>;
  update(
    runId: RunId,
    change: {
      title?: string | undefined;
      tags?: readonly string[] | undefined;
      outcome?: Outcome | null | undefined;
    },
  ): Promise<RunDetail>;
  remove(runId: RunId): Promise<{ sourcesDeleted: number }>;
}

export function createRunService(
  store: Store,
  derivations: RunDerivations,
  prices: PriceService,
  isDemoRun: (runId: RunId) => Promise<boolean>,
): RunService {
  async function get(runId: RunId): Promise<RunDetail> {
    const stored = await store.getRun(runId);
    const { activeNs, skeleton } = await derivations.of(stored);
    const seqs = new Map(skeleton.ids.map((id, index) => [id, index + 1]));
    return {
      ...summaryOf(stored, await prices.finder()),
      sources: stored.sources.map(({ sha256, name, sizeBytes, role, part, records }) => ({
        sha256,
        name,
        sizeBytes,
        role,
        part,
        records,
      })),
      issues: [...stored.issues],
      issuesOmitted: stored.issuesOmitted,
      externalMarks: stored.externalMarks.map((each) => ({
        ...each,
        seq: each.stepId === null ? null : (seqs.get(each.stepId) ?? null),
      })),
      evidenceCounts: [...stored.evidenceCounts],
      activeNs,
      frameCount: stored.frameCount,
      replayCount: stored.replayCount,
      demo: await isDemoRun(runId),
    };
  }

  return {
    get,
    async list(page) {
      const { total, runs } = await store.listRuns(page);
      const finder = await prices.finder();
      return { total, runs: runs.map((stored) => summaryOf(stored, finder)) };
    },
    async update(runId, { title, tags, outcome }) {
      await store.updateRun(runId, {
        ...(title === undefined ? {} : { title }),
        ...(tags === undefined ? {} : { tags: [...new Set(tags)] }),
        ...(outcome === undefined ? {} : { outcome }),
      });
      return get(runId);
    },
    remove: (runId) => store.deleteRun(runId),
  };
}

function summaryOf(stored: StoredRun, prices: PriceFinder): RunSummary {
  const { run } = stored;
  return {
    id: run.id,
    title: run.title,
    format: run.format,
    // A run read by a later version may name a format that this one doesn't know.
    formatTitle: importerById(run.format)?.title ?? run.format,
    client: run.client,
    model: run.model,
    naturalId: run.naturalId,
    clock: run.clock,
    startedAtNs: run.startedAtNs?.toString() ?? null,
    endedAtNs: run.endedAtNs?.toString() ?? null,
    startedAtText: stored.startedAtText,
    stepCount: run.stepCount,
    toolCallCount: run.toolCallCount,
    modelCallCount: run.modelCallCount,
    errorCount: run.errorCount,
    inputTokens: run.inputTokens,
    outputTokens: run.outputTokens,
    cost: costOfRun(run.modelUsage, run.recordedCostUsd, prices),
    bestEvidence: run.bestEvidence,
    tools: [...run.calledTools],
    tags: [...stored.tags],
    outcome: stored.outcome,
    mark: stored.mark,
    markSeq: stored.markSeq,
    unreadCount: stored.unreadCount,
    importedAt: stored.importedAt,
  };
}
