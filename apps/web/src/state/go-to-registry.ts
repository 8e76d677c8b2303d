import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { IconName } from '../ui/icon-shapes.ts';

/** One place or command that Ctrl K offers. */
export interface GoToItem {
  /** Unique within its source. */
  readonly id: string;
  readonly label: string;
  /** A few words in label colour at the right. */
  readonly note?: string;
  readonly icon?: IconName;
  readonly onSelect: () => void;
}

/** Gives the items that fit what was typed ('' = nothing yet), best first, a few at most. */
export type GoToFinder = (typed: string) => readonly GoToItem[];

export interface GoToSource {
  readonly id: string;
  readonly title: string;
  /** Lower comes first: a run's steps (10) before runs (20), servers (30) and commands (40). */
  readonly order: number;
  readonly find: GoToFinder;
}

interface GoToState {
  sources: readonly GoToSource[];
}

export const useGoToRegistry = create<GoToState>()(() => ({ sources: [] }));

/** Lets a screen add its own places to Ctrl K while it is shown. `find` may change on each render. */
export function useGoToSource(source: GoToSource): void {
  const find = useRef(source.find);
  useEffect(() => {
    find.current = source.find;
  });
  const { id, title, order } = source;
  useEffect(() => {
    const added: GoToSource = { id, title, order, find: (typed) => find.current(typed) };
    useGoToRegistry.setState((state) => ({
      sources: [...state.sources.filter((each) => each.id !== id), added].sort(
        (a, b) => a.order - b.order,
      ),
    }));
    return () =>
      useGoToRegistry.setState((state) => ({
        sources: state.sources.filter((each) => each !== added),
      }));
  }, [id, title, order]);
}
