import type { RunSummary } from '@misstep/contract';
import { type ReactNode, type Ref, useMemo, useState } from 'react';
import { usePreferences } from '../../state/preferences.ts';
import { countOf, formatCount } from '../../ui/format-count.ts';
import styles from './filter-bar.module.css';
import { FilterInput, type FilterInputHandle } from './filter-input.tsx';
import { FILTER_SUGGESTIONS_ID, FilterRail, suggestionId } from './filter-rail.tsx';
import { parseFilter } from './run-filter.ts';
import {
  acceptSuggestion,
  type FilterSuggestion,
  type FilterSuggestions,
  suggestFilter,
  tokenAt,
} from './run-filter-suggest.ts';
import type { RunFilter } from './use-run-filter.ts';

/** The filter, what stands beside it, and the rail under both. */
export function FilterBar(props: {
  filter: RunFilter;
  runs: readonly RunSummary[];
  handle: Ref<FilterInputHandle>;
  /** Gives focus to the list. */
  onLeave: () => void;
  /** Buttons at the right. */
  children: ReactNode;
  /** Takes the rail's place while something is asked. */
  question: ReactNode;
}) {
  const { filter, runs } = props;
  const savedFilters = usePreferences((state) => state.savedFilters);
  const [moved, setMoved] = useState(0);
  const { query, caret, fields } = filter;
  const suggestions = useMemo(
    () => railOf({ query, caret, fields }, runs, savedFilters),
    [query, caret, fields, runs, savedFilters],
  );
  const token = tokenAt(filter.query, filter.caret);
  const offering = filter.parsed.problems.length > 0 || token !== null;
  const options = suggestions.options;
  const index = options.length === 0 ? -1 : Math.min(moved, options.length - 1);
  const chosen = offering && options[index]?.text !== token?.text ? index : -1;

  const accept = (suggestion: FilterSuggestion) => {
    setMoved(0);
    if (filter.query === '')
      filter.setQuery(`${suggestion.text}${/[:<>]$/.test(suggestion.text) ? '' : ' '}`);
    else {
      const next = acceptSuggestion(filter.query, filter.caret, suggestion, filter.fields);
      filter.setQuery(next.query, next.caret);
    }
  };
  const onKey = (key: string): boolean => {
    const option = options[chosen];
    if (key === 'Tab') {
      if (option === undefined) return false;
      accept(option);
      return true;
    }
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (options.length === 0) return false;
      const step = key === 'ArrowDown' ? 1 : -1;
      setMoved((index + step + options.length) % options.length);
      return true;
    }
    if (key === 'Escape' && filter.query !== '') {
      filter.setQuery('');
      return true;
    }
    props.onLeave();
    return true;
  };
  const ghostOf = options[chosen]?.text ?? '';
  const atEnd = filter.caret === filter.query.length;
  const ghost =
    atEnd && token !== null && ghostOf.startsWith(token.text)
      ? ghostOf.slice(token.text.length)
      : '';
  return (
    <div>
      <div className={styles.bar}>
        <FilterInput
          handle={props.handle}
          query={filter.query}
          caret={filter.caret}
          onChange={(query, caret) => {
            setMoved(0);
            filter.setQuery(query, caret);
          }}
          onCaret={filter.setCaret}
          problem={filter.parsed.problems[0] ?? null}
          count={
            filter.query === ''
              ? countOf(runs.length, 'run')
              : `${formatCount(filter.shown.length)} of ${countOf(runs.length, 'run')}`
          }
          ghost={ghost}
          suggestionsId={props.question === null ? FILTER_SUGGESTIONS_ID : null}
          chosenId={chosen === -1 ? null : suggestionId(chosen)}
          onKey={onKey}
        />
        {props.children}
      </div>
      {props.question ?? <FilterRail suggestions={suggestions} chosen={chosen} onAccept={accept} />}
    </div>
  );
}

/** An empty query shows saved filters, if there are any; else what fits the caret. */
function railOf(
  filter: Pick<RunFilter, 'query' | 'caret' | 'fields'>,
  runs: readonly RunSummary[],
  savedFilters: readonly string[],
): FilterSuggestions {
  const suggestions = suggestFilter(filter.query, filter.caret, runs, filter.fields);
  if (filter.query !== '' || savedFilters.length === 0) return suggestions;
  return {
    head: 'saved',
    options: savedFilters.slice(0, 5).map((text) => ({
      text,
      label: text,
      count: runs.filter(parseFilter(text, filter.fields).matches).length,
    })),
    more: Math.max(0, savedFilters.length - 5),
    also: suggestions.options.map((option) => option.text),
  };
}
