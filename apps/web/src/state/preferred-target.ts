import type { TargetView } from '@misstep/contract';

export interface TargetWishes {
  /** By the person, the strongest first: of the address, of this page. */
  readonly chosen: readonly (string | null | undefined)[];
  /** Of the call's replays, the newest first. */
  readonly replays: readonly { readonly targetName: string }[];
  /** Of the tool's replays for other calls, the newest first. */
  readonly ofTool: readonly { readonly targetName: string }[];
  /** The server that the recording names. */
  readonly recordedServer: string | null;
}

/**
 * Where a call goes unless the person says otherwise: their choice, else where this call was sent
 * last, else the recording's name, else where this tool was sent last, else the first confirmed one. Only a choice may be unconfirmed
 * while a confirmed target exists. Null = no target is configured.
 */
export function preferredTarget(
  targets: readonly TargetView[],
  wishes: TargetWishes,
): TargetView | null {
  const named = (name: string | null | undefined) => targets.find((each) => each.name === name);
  const confirmed = (name: string | null) => {
    const target = named(name);
    return target === undefined || target.confirmedAt === null ? undefined : target;
  };
  for (const name of wishes.chosen) {
    const target = named(name);
    if (target !== undefined) return target;
  }
  for (const { targetName } of wishes.replays) {
    const target = confirmed(targetName);
    if (target !== undefined) return target;
  }
  const recorded = confirmed(wishes.recordedServer);
  if (recorded !== undefined) return recorded;
  for (const { targetName } of wishes.ofTool) {
    const target = confirmed(targetName);
    if (target !== undefined) return target;
  }
  return targets.find((each) => each.confirmedAt !== null) ?? targets[0] ?? null;
}
