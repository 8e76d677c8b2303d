import { useEffect, useRef } from 'react';

const MOST_MS = 86_400_000;

/**
 * How long the next call was prepared: from the first change of the arguments since the last send,
 * or, where they were not changed, from the opening of the draft or the last send.
 */
export function usePreparedTime(text: string): {
  take: () => { ms: number; from: 'edit' | 'open' };
} {
  const begun = useRef({ atMs: performance.now(), text });
  const editedAtMs = useRef<number | null>(null);
  useEffect(() => {
    if (text === begun.current.text) editedAtMs.current = null;
    else editedAtMs.current ??= performance.now();
  }, [text]);
  return {
    take() {
      const now = performance.now();
      const from = editedAtMs.current === null ? 'open' : 'edit';
      const ms = Math.min(MOST_MS, Math.round(now - (editedAtMs.current ?? begun.current.atMs)));
      begun.current = { atMs: now, text };
      editedAtMs.current = null;
      return { ms, from };
    },
  };
}
