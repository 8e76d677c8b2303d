import type { RunSummary } from '@misstep/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type ParsedFilter, parseFilter } from './run-filter.ts';
import { type FilterField, filterFields } from './run-filter-fields.ts';

export interface RunFilter {
  readonly query: string;
  readonly caret: number;
  readonly fields: readonly FilterField[];
  readonly parsed: ParsedFilter;
  /** Runs that fit the query, or the last one that could be understood. */
  readonly shown: readonly RunSummary[];
  readonly setQuery: (query: string, caret?: number) => void;
  readonly setCaret: (caret: number) => void;
}

/** The filter's text, kept in step with the URL, and what it leaves of the runs. */
export function useRunFilter(
  runs: readonly RunSummary[],
  urlQuery: string,
  writeUrl: (query: string) => void,
): RunFilter {
  const [state, setState] = useState({ query: urlQuery, caret: urlQuery.length });
  const [lastGood, setLastGood] = useState('');
  const written = useRef(urlQuery.trim());
  // The URL changed without us: back, forward, or a link.
  useEffect(() => {
    if (written.current === urlQuery) return;
    written.current = urlQuery;
    setState({ query: urlQuery, caret: urlQuery.length });
  }, [urlQuery]);

  const fields = useMemo(() => filterFields(runs), [runs]);
  const parsed = useMemo(() => parseFilter(state.query, fields), [state.query, fields]);
  const good = parsed.problems.length === 0 ? state.query : lastGood;
  const shown = useMemo(() => runs.filter(parseFilter(good, fields).matches), [runs, good, fields]);
  return {
    ...state,
    fields,
    parsed,
    shown,
    setQuery: (query, caret = query.length) => {
      setState({ query, caret });
      if (parseFilter(query, fields).problems.length === 0) setLastGood(query);
      written.current = query.trim();
      writeUrl(written.current);
    },
    setCaret: (caret) =>
      setState((before) => (before.caret === caret ? before : { ...before, caret })),
  };
}
