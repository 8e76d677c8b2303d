/** What `ownAgents` has to know of each step; parents stand before their children. */
export interface AgentTree {
  readonly count: number;
  readonly isAgent: (index: number) => boolean;
  /** A model call or a call of a tool. */
  readonly isCall: (index: number) => boolean;
  /** Index of the step above, -1 = none. */
  readonly parentOf: (index: number) => number;
}

/**
 * Which agent steps are the run itself rather than a part that was handed on: traces record the agent
 * that was run as a step of its own. It is one with steps below it, below no call and no other agent,
 * in a run whose model calls and tool calls all stand below such steps. 1 = the run itself.
 */
export function ownAgents({ count, isAgent, isCall, parentOf }: AgentTree): Uint8Array {
  const own = new Uint8Array(count);
  const hasChildren = new Uint8Array(count);
  /** 1 = below an agent or a call, or one itself. */
  const isWithin = new Uint8Array(count);
  for (let index = 0; index < count; index += 1) {
    const parent = parentOf(index);
    if (parent >= 0) hasChildren[parent] = 1;
    const above = parent >= 0 ? (isWithin[parent] ?? 0) : 0;
    if (isAgent(index)) {
      if (above === 0) own[index] = 1;
      isWithin[index] = 1;
    } else if (above === 1) isWithin[index] = 1;
    else if (isCall(index)) return new Uint8Array(count);
  }
  return own.map((each, index) => each & (hasChildren[index] ?? 0));
}
