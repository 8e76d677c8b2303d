import type { StepId } from '@misstep/model';

/** A tool call as a recording holds it, in order of execution. */
export interface CallToPair {
  readonly stepId: StepId;
  readonly seq: number;
  readonly tool: string;
  /** Canonical text of the arguments; null = the recording doesn't hold all of them. */
  readonly argumentsText: string | null;
}

export interface CallPair {
  readonly call: CallToPair;
  /** The call on the wire; null = none was found there. */
  readonly wire: CallToPair | null;
  /**
   * What the pair rests on: tool and arguments, or the order among calls of the tool alone, which
   * is weaker. Null where there is no pair.
   */
  readonly by: 'arguments' | 'order' | null;
  /** How many calls with this tool and these arguments each recording has; 0 = not comparable. */
  readonly alike: { readonly here: number; readonly wire: number };
}

export interface PairedCalls {
  readonly pairs: readonly CallPair[];
  /** Calls on the wire that are no call's pair: another client's, or a retry. */
  readonly wireAlone: readonly CallToPair[];
}

/**
 * Which call of a wire recording is which call of a transcript. Neither names the other, so it is
 * derived: calls of the same tool with the same arguments, n-th with n-th. Where the transcript
 * has one such call and the wire several, the last of them is taken: a client that tries again
 * shows the answer that it got in the end. Calls whose arguments aren't all recorded then take
 * what is left of their tool, in order. Iterative, linear in the calls.
 */
export function pairCalls(
  calls: readonly CallToPair[],
  wireCalls: readonly CallToPair[],
): PairedCalls {
  const here = groupBy(calls, keyOf);
  const there = groupBy(wireCalls, keyOf);
  const withoutArguments = new Set(
    calls.filter(({ argumentsText }) => argumentsText === null).map(({ tool }) => tool),
  );
  const taken = new Map<StepId, Pick<CallPair, 'wire' | 'by'>>();
  const used = new Set<CallToPair>();
  for (const [key, group] of here) {
    const found = there.get(key) ?? [];
    const [first] = group;
    // With calls beside it that may be any, the last one can't be told from theirs.
    const isRetry =
      group.length === 1 && found.length > 1 && !withoutArguments.has(first?.tool ?? '');
    for (const [index, call] of group.entries()) {
      const wire = (isRetry ? found.at(-1) : found[index]) ?? null;
      if (call.argumentsText === null || wire === null) continue;
      used.add(wire);
      taken.set(call.stepId, { wire, by: 'arguments' });
    }
  }
  const left = groupBy(
    wireCalls.filter((wire) => !used.has(wire)),
    ({ tool }) => tool,
  );
  const nextOf = new Map<string, number>();
  for (const call of calls) {
    if (call.argumentsText !== null) continue;
    const next = nextOf.get(call.tool) ?? 0;
    const wire = left.get(call.tool)?.[next];
    if (wire === undefined) continue;
    nextOf.set(call.tool, next + 1);
    used.add(wire);
    taken.set(call.stepId, { wire, by: 'order' });
  }
  return {
    pairs: calls.map((call) => ({
      call,
      ...(taken.get(call.stepId) ?? { wire: null, by: null }),
      alike:
        call.argumentsText === null
          ? { here: 0, wire: 0 }
          : {
              here: here.get(keyOf(call))?.length ?? 0,
              wire: there.get(keyOf(call))?.length ?? 0,
            },
    })),
    wireAlone: wireCalls.filter((wire) => !used.has(wire)),
  };
}

/** What a person should know of a pair; null = nothing beyond that it is one. */
export function remarkOfPair({ wire, by, alike }: CallPair): string | null {
  if (wire === null) return 'not found on the wire: it may never have reached the server';
  if (by === 'order') {
    return 'paired by order alone: the arguments are not all in the transcript';
  }
  if (alike.wire <= alike.here) return null;
  return alike.here === 1
    ? `${alike.wire} on the wire: a silent retry?`
    : `${alike.here} such calls here, ${alike.wire} on the wire: a silent retry?`;
}

function keyOf({ tool, argumentsText }: CallToPair): string {
  return JSON.stringify([tool, argumentsText]);
}

function groupBy(
  calls: readonly CallToPair[],
  key: (call: CallToPair) => string,
): Map<string, CallToPair[]> {
  const groups = new Map<string, CallToPair[]>();
  for (const call of calls) {
    const group = groups.get(key(call));
    if (group === undefined) groups.set(key(call), [call]);
    else group.push(call);
  }
  return groups;
}
