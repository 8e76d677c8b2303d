import { type RunSummary, RunSummarySchema } from '@misstep/contract';

const NS_PER_SECOND = 1_000_000_000n;

/** Of a run without tokens. */
export const NO_COST = {
  usd: null,
  evidence: null,
  atLeast: false,
  callCount: 2,
  costedCallCount: 0,
  statedUsd: null,
  recordedUsd: null,
  recordedCallCount: 0,
  derivedUsd: null,
  derivedCallCount: 0,
  differs: false,
  unpricedModels: [],
};

export interface ExampleRun {
  title: string;
  seconds?: number;
  startedAt?: string;
  changes?: Partial<Record<keyof RunSummary, unknown>>;
}

/** A run of the list with what a test says of it; the n-th has a stable id. */
export function exampleRun(n: number, example: ExampleRun): RunSummary {
  const startedAtNs =
    example.startedAt === undefined ? null : BigInt(Date.parse(example.startedAt)) * 1_000_000n;
  return RunSummarySchema.parse({
    id: `r${String(n).padStart(20, '0')}`,
    title: example.title,
    format: 'plain-text',
    formatTitle: 'Plain-text transcript',
    client: null,
    model: null,
    naturalId: null,
    clock: startedAtNs === null ? 'none' : 'zoned',
    startedAtNs: startedAtNs === null ? null : String(startedAtNs),
    endedAtNs:
      startedAtNs === null || example.seconds === undefined
        ? null
        : String(startedAtNs + BigInt(example.seconds) * NS_PER_SECOND),
    startedAtText: example.startedAt ?? null,
    stepCount: 10,
    toolCallCount: 3,
    modelCallCount: 2,
    errorCount: 0,
    inputTokens: null,
    outputTokens: null,
    cost: NO_COST,
    bestEvidence: 'rendered',
    tools: [],
    tags: [],
    outcome: null,
    mark: null,
    markSeq: null,
    unreadCount: 0,
    importedAt: '2026-11-01T00:00:00.000Z',
    ...example.changes,
  });
}

/** A current mark of "mira". */
export function exampleMark(runId: string, kind: 'step' | 'noDeviation') {
  return {
    id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    runId,
    place: kind === 'step' ? { kind, stepId: 's3' } : { kind },
    category: kind === 'step' ? 'Loose argument' : null,
    reason: '',
    citations: [],
    author: 'mira',
    createdAt: '2026-11-02T08:00:00.000Z',
    supersededAt: null,
  };
}

export const FARM = exampleRun(1, {
  title: 'Orders of the seed shop',
  startedAt: '2026-11-03T10:00:00Z',
  seconds: 700,
  changes: {
    bestEvidence: 'wire',
    errorCount: 2,
    toolCallCount: 8,
    tools: ['list_orders', 'get_order'],
    tags: ['ticket 12'],
    client: 'Claude Code',
    model: 'sonnet-4.5',
    inputTokens: 120_000,
    outputTokens: 3000,
    outcome: { verdict: 'wrong', text: 'wrong total' },
    mark: exampleMark(`r${'1'.padStart(20, '0')}`, 'step'),
    markSeq: 3,
  },
});
export const PASTED = exampleRun(2, { title: 'Currency check', changes: { unreadCount: 1 } });
export const CLEAN = exampleRun(3, {
  title: 'Aging report',
  startedAt: '2026-11-05T10:00:00Z',
  seconds: 12,
  changes: {
    format: 'claude-code',
    formatTitle: 'Claude Code session',
    bestEvidence: 'logged',
    tools: ['list_orders'],
    outcome: { verdict: 'right', text: '' },
    mark: exampleMark(`r${'3'.padStart(20, '0')}`, 'noDeviation'),
  },
});
export const RUNS = [FARM, PASTED, CLEAN];
