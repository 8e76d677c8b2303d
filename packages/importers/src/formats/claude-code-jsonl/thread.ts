import type { SourceHash, Step } from '@misstep/model';
import { ModelCalls } from './model-calls.ts';

/** What one agent did, in file order: the main agent, or a sub-agent. */
export interface Thread {
  /** The sub-agent's id; null for the main agent and for sidechains without one. */
  readonly agentId: string | null;
  readonly isMain: boolean;
  /** Prefix of step ids; null for threads in the main source. */
  readonly part: string | null;
  readonly sha256: SourceHash;
  readonly offset: number;
  readonly steps: Step[];
  modelCalls: ModelCalls;
  /** The user turn (or agent's prompt) that the next steps belong under. */
  turn: Step | null;
  firstPrompt: string | null;
  lastContext: Step | null;
  /** Of a file that goes on from another: the step that says so; null = there is none yet. */
  opening: Step | null;
  /** The file is one that goes on from another. */
  readonly isContinuation: boolean;
}

export function makeThread(
  fields: Pick<Thread, 'agentId' | 'isMain' | 'part' | 'sha256' | 'offset'>,
): Thread {
  return {
    ...fields,
    steps: [],
    modelCalls: new ModelCalls(),
    turn: null,
    firstPrompt: null,
    lastContext: null,
    opening: null,
    isContinuation: false,
  };
}

/** Adds a step under the thread's current turn. */
export function addToThread(thread: Thread, step: Step): Step {
  step.parentId = thread.turn?.id ?? null;
  thread.steps.push(step);
  return step;
}
