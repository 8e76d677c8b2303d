import { create } from 'zustand';

interface ChosenTargets {
  /** By step: the server that the person chose for its next call. It lives as long as the page. */
  readonly byStep: ReadonlyMap<string, string>;
  readonly choose: (stepId: string, targetName: string) => void;
}

/** Remembers the server chosen for a call while other replays and screens are looked at. */
export const useChosenTargets = create<ChosenTargets>()((set) => ({
  byStep: new Map(),
  choose: (stepId, targetName) =>
    set(({ byStep }) => ({ byStep: new Map(byStep).set(stepId, targetName) })),
}));
