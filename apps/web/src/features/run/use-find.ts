import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type FindProblem, type FindReading, readFindQuery } from '../call-tree/find-query.ts';
import type { FindCount } from '../call-tree/tree-toolbar.tsx';
import type { TreeRows } from '../call-tree/use-tree-rows.ts';

type GoodReading = FindReading & { ok: true };

export interface Find {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The last reading that made sense: a mistake leaves the rows as they were. */
  readonly reading: GoodReading;
  readonly problem: FindProblem | null;
  readonly ref: { current: HTMLInputElement | null };
  readonly focus: () => void;
  readonly countFor: (matches: Uint8Array | null, selected: number | null) => FindCount | null;
  readonly nextMatch: (rows: TreeRows, selected: number | null, direction: 1 | -1) => number | null;
}

const EVERYTHING: GoodReading = { ok: true, terms: [] };

/** The find box: its text, what it means, and walking its matches. */
export function useFind(initial: string, onChange: (text: string) => void): Find {
  const [text, setTextState] = useState(initial);
  const written = useRef(initial);
  useEffect(() => {
    if (initial === written.current) return;
    written.current = initial;
    setTextState(initial);
  }, [initial]);
  const ref = useRef<HTMLInputElement>(null);
  const lastGood = useRef<GoodReading>(EVERYTHING);
  const answer = useMemo(() => readFindQuery(text), [text]);
  if (answer.ok) lastGood.current = answer;
  const setText = (next: string) => {
    setTextState(next);
    written.current = next;
    onChange(next);
  };
  const countFor = useCallback((matches: Uint8Array | null, selected: number | null) => {
    if (matches === null) return null;
    let total = 0;
    let at: number | null = null;
    for (let index = 0; index < matches.length; index += 1) {
      if (matches[index] !== 1) continue;
      total += 1;
      if (index === selected) at = total;
    }
    return { at, matches: total };
  }, []);
  return {
    text,
    setText,
    reading: lastGood.current,
    problem: answer.ok ? null : answer.problem,
    ref,
    focus: () => {
      ref.current?.focus();
      ref.current?.select();
    },
    countFor,
    nextMatch,
  };
}

/** The next matching step in the order of rows; from the last it begins anew. */
function nextMatch(rows: TreeRows, selected: number | null, direction: 1 | -1): number | null {
  const { visible, matches } = rows;
  if (matches === null) return null;
  const length = visible.rows.length;
  const from = selected === null ? -1 : (visible.rowOfStep[selected] ?? -1);
  const start = from < 0 && direction === -1 ? length : from;
  for (let distance = 1; distance <= length; distance += 1) {
    const row = (((start + direction * distance) % length) + length) % length;
    const index = visible.rows[row] ?? -1;
    if (index >= 0 && matches[index] === 1) return index;
  }
  return null;
}
