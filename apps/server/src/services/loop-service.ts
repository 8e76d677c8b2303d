import type { Loop } from '@misstep/contract';
import { ReceiptSchema, type ReplayOutcome } from '@misstep/model';
import { medianOf } from '@misstep/replay';
import type { LoopFacts, Store } from '@misstep/store';

/** Endings before the call could leave. */
const NOT_SENT: ReadonlySet<string> = new Set<ReplayOutcome>([
  'serverDidNotStart',
  'connectionFailed',
  'handshakeFailed',
]);

export interface LoopService {
  read(): Promise<Loop>;
}

export function createLoopService(store: Store): LoopService {
  return { read: async () => countLoop(await store.readLoop()) };
}

/** What the loop of change and answer has cost, from the rows of calls and of runs. */
export function countLoop({ replays, runs, atOnceCount }: LoopFacts): Loop {
  const sent = replays.filter(({ outcome }) => !NOT_SENT.has(outcome));
  const measured = sent.flatMap(({ preparedMs, preparedFrom, receiptText }) => {
    const durationNs = receiptText === null ? null : durationOf(receiptText);
    if (preparedMs === null || durationNs === null) return [];
    return [{ ms: preparedMs + durationNs / 1e6, isEdited: preparedFrom === 'edit' }];
  });
  const names = [...new Set(runs.flatMap(({ cases }) => cases))].sort();
  return {
    directCalls: {
      total: sent.length + atOnceCount,
      inExperiments: sent.filter(({ isInExperiment }) => isInExperiment).length + atOnceCount,
    },
    editToAnswer: {
      medianMs: medianOf(measured.map(({ ms }) => Math.round(ms))),
      measuredCount: measured.length,
      editedCount: measured.filter(({ isEdited }) => isEdited).length,
    },
    cases: names.map((name) => {
      const own = runs.filter(({ cases }) => cases.includes(name));
      const keys = new Set(own.map(({ runKey }) => runKey));
      const calls = sent.filter(({ runKey }) => keys.has(runKey));
      const tools = [...new Set(calls.map(({ tool }) => tool))].sort();
      return {
        name,
        runCount: own.length,
        tools: tools.map((tool) => ({
          tool,
          directCallCount: calls.filter((call) => call.tool === tool).length,
          reachedRunCount: own.filter(({ tools: called }) => called.includes(tool)).length,
        })),
      };
    }),
  };
}

function durationOf(receiptText: string): number | null {
  const receipt = ReceiptSchema.safeParse(JSON.parse(receiptText));
  return receipt.success ? receipt.data.durationNs : null;
}
