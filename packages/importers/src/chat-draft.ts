import type { RunClock } from '@misstep/model';
import type { ChatRun } from './chat-run.ts';
import type { RunDraft } from './importer.ts';
import { firstLine } from './one-line.ts';
import { orderSteps } from './order-steps.ts';

/** What a format knows of a conversation as a run. */
export interface ChatFacts {
  readonly key: string;
  readonly client: string | null;
  readonly title?: string | null;
  readonly model?: string | null;
  readonly naturalId?: string | null;
  readonly clock?: RunClock;
  /** USD that the source states for the whole of it. */
  readonly recordedCostUsd?: string | null;
  /** Where nothing else names the run. */
  readonly sourceName: string;
}

/** The run of a conversation: none where it has no steps. Its title is the first user turn. */
export function draftOfChat(run: ChatRun, facts: ChatFacts): RunDraft[] {
  const steps = orderSteps([run.steps]);
  if (steps.length === 0) return [];
  const asked = steps.find(({ kind }) => kind === 'user')?.summary ?? '';
  const timed = steps.some(({ time }) => time.startedAtNs !== null);
  return [
    {
      key: facts.key,
      title: firstLine(facts.title || asked || facts.sourceName, 200) || 'Conversation',
      client: facts.client,
      model: facts.model ?? run.model,
      naturalId: facts.naturalId ?? null,
      clock: timed ? (facts.clock ?? 'zoned') : 'none',
      steps,
      frames: [],
      tools: run.tools,
      recordedCostUsd: facts.recordedCostUsd ?? null,
    },
  ];
}

/** Keys of runs of one source, each once: repeated ones get their number. */
export class RunKeys {
  readonly #seen = new Map<string, number>();

  unique(key: string): string {
    const before = this.#seen.get(key) ?? 0;
    this.#seen.set(key, before + 1);
    return before === 0 ? key : `${key}#${before + 1}`;
  }
}
