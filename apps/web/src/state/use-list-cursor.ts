import { useState } from 'react';

/** The current row of a list that may grow or shrink under it. */
export interface ListCursor {
  readonly at: number;
  moveTo(index: number): void;
  next(): void;
  previous(): void;
}

export function useListCursor(length: number): ListCursor {
  const [moved, setMoved] = useState(0);
  const at = Math.max(0, Math.min(moved, length - 1));
  return {
    at,
    moveTo: setMoved,
    next: () => setMoved(Math.min(at + 1, length - 1)),
    previous: () => setMoved(Math.max(at - 1, 0)),
  };
}
