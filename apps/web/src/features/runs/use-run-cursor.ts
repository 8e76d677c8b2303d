import type { RunSummary } from '@misstep/contract';
import { useEffect, useRef, useState } from 'react';

const WRITE_AFTER_MS = 200;

export interface RunCursor {
  /** Index among the runs shown. */
  readonly index: number;
  readonly run: RunSummary | undefined;
  readonly moveTo: (index: number) => void;
  readonly moveBy: (rows: number) => void;
}

/**
 * The row under the cursor, by run: it stays on its run when the list is sorted or filtered, and
 * falls to the first row where its run isn't shown. The URL follows once it rests, since browsers
 * limit how often an address may change.
 */
export function useRunCursor(
  shown: readonly RunSummary[],
  urlAt: string | undefined,
  writeUrl: (at: string) => void,
): RunCursor {
  const [at, setAt] = useState(urlAt);
  const written = useRef(urlAt);
  const write = useRef(writeUrl);
  useEffect(() => {
    write.current = writeUrl;
  });
  useEffect(() => {
    if (written.current === urlAt) return;
    written.current = urlAt;
    setAt(urlAt);
  }, [urlAt]);
  useEffect(() => {
    if (at === undefined || at === written.current) return;
    const timer = setTimeout(() => {
      written.current = at;
      write.current(at);
    }, WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [at]);

  const index = Math.max(
    0,
    shown.findIndex((run) => run.id === at),
  );
  const moveTo = (next: number) => {
    const run = shown[Math.max(0, Math.min(shown.length - 1, next))];
    if (run !== undefined) setAt(run.id);
  };
  return { index, run: shown[index], moveTo, moveBy: (rows) => moveTo(index + rows) };
}
