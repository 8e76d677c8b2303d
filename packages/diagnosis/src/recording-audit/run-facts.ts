import {
  type CapturedValue,
  ownAgents,
  type PriceFinder,
  type RunClock,
  type RunId,
  type Step,
  type StepId,
} from '@misstep/model';

export interface AuditInput {
  readonly runId: RunId;
  /** In execution order, parents before their children. */
  readonly steps: readonly Step[];
  /** Tool definitions that the recording holds. */
  readonly tools: readonly { readonly server: string | null; readonly name: string }[];
  readonly frameCount: number;
  readonly clock: RunClock;
  /** Prices that money can be worked out by where none is recorded. */
  readonly prices: PriceFinder;
  /** What the source states for the run as a whole. */
  readonly recordedCostUsd: string | null;
}

/** The run sorted for the questions, in one pass. */
export interface RunFacts extends AuditInput {
  /** Tool calls and retrievals. */
  readonly calls: readonly Step[];
  readonly models: readonly Step[];
  /** Those that something was handed to, without the agent that is the run itself. */
  readonly agents: readonly Step[];
  readonly changes: readonly Step[];
  /** The agent step that a step belongs to; null = the main agent. */
  readonly scopeOf: ReadonlyMap<StepId, StepId | null>;
  readonly parents: ReadonlySet<StepId>;
}

export function gatherFacts(input: AuditInput): RunFacts {
  const { steps } = input;
  const scopeOf = new Map<StepId, StepId | null>();
  const agentIds = new Set<StepId>();
  const parents = new Set<StepId>();
  const places = new Map(steps.map(({ id }, index) => [id, index]));
  const own = ownAgents({
    count: steps.length,
    // An agent that was started by a call is a call of the one that started it.
    isAgent: (index) => steps[index]?.kind === 'agent' && steps[index]?.callId === null,
    isCall: (index) => CALL_KINDS.has(steps[index]?.kind ?? 'note'),
    parentOf: (index) => {
      const above = steps[index]?.parentId ?? null;
      return above === null ? -1 : (places.get(above) ?? -1);
    },
  });
  const handedTo = steps.filter(({ kind }, index) => kind === 'agent' && own[index] !== 1);
  for (const { id } of handedTo) agentIds.add(id);
  for (const { id, parentId } of steps) {
    if (parentId !== null) parents.add(parentId);
    const scope = parentId === null ? null : (scopeOf.get(parentId) ?? null);
    scopeOf.set(id, parentId !== null && agentIds.has(parentId) ? parentId : scope);
  }
  return {
    ...input,
    calls: steps.filter(({ kind }) => kind === 'tool' || kind === 'retrieval'),
    models: steps.filter(({ kind }) => kind === 'model'),
    agents: handedTo,
    changes: steps.filter(({ kind }) => kind === 'context'),
    scopeOf,
    parents,
  };
}

const CALL_KINDS: ReadonlySet<Step['kind']> = new Set<Step['kind']>([
  'model',
  'tool',
  'retrieval',
  'agent',
]);

/** True where the source holds all of the value: nothing cut, redacted or left out. */
export function isWhole(value: CapturedValue | null): boolean {
  return value !== null && value.state === 'captured' && value.elisions.length === 0;
}

/** True where the step was read from what a program logged, not from text made for people. */
export function isLogged({ evidence }: Step): boolean {
  return evidence === 'wire' || evidence === 'logged';
}

export function countWhere<T>(list: readonly T[], holds: (each: T) => boolean): number {
  let count = 0;
  for (const each of list) if (holds(each)) count += 1;
  return count;
}

const WITHOUT_ANSWER: ReadonlySet<Step['status']> = new Set<Step['status']>([
  'neverReached',
  'rejected',
  'interrupted',
  'cancelled',
  'unanswered',
]);

/** True for a call that something came back of, so that there was a result and an end to record. */
export function cameBack({ status }: Step): boolean {
  return !WITHOUT_ANSWER.has(status);
}

/** True for a call whose answer was a result: a protocol error has none. */
export function owesResult(step: Step): boolean {
  return cameBack(step) && step.status !== 'protocolError' && step.status !== 'unknownTool';
}
