import type { RunSummary } from '@misstep/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type ParsedFilter, parseFilter } from './run-filter.ts';
import { FILTER_FIELDS, type FilterField } from './run-filter-fields.ts';

export interface RunFilter {
  readonly query: string;
  readonly caret: number;
  readonly fields: readonly FilterField[];
  readonly parsed: ParsedFilter;
  /** Runs that fit every part of the query that is understood; the rest is said in the input. */
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
  const written = useRef(urlQuery.trim());
  // The URL changed without us: back, forward, or a link.
  useEffect(() => {
    if (written.current === urlQuery) return;
    written.current = urlQuery;
    setState({ query: urlQuery, caret: urlQuery.length });
  }, [urlQuery]);

  const parsed = useMemo(() => parseFilter(state.query, FILTER_FIELDS), [state.query]);
  const shown = useMemo(() => runs.filter(parsed.matches), [runs, parsed]);
  return {
    ...state,
    fields: FILTER_FIELDS,
    parsed,
    shown,
    setQuery: (query, caret = query.length) => {
      setState({ query, caret });
      written.current = query.trim();
      writeUrl(written.current);
    },
    setCaret: (caret) =>
      setState((before) => (before.caret === caret ? before : { ...before, caret })),
  };
}
