import type { ReactNode } from 'react';
import { countOf } from '../../ui/format-count.ts';
import { Kbd } from '../../ui/kbd.tsx';
import styles from './filter-rail.module.css';
import type { FilterSuggestion, FilterSuggestions } from './run-filter-suggest.ts';

/** Names at the right end; the title lists all. */
const MOST_ALSO = 6;

export const FILTER_SUGGESTIONS_ID = 'filter-suggestions';

export function suggestionId(index: number): string {
  return `${FILTER_SUGGESTIONS_ID}-${index}`;
}

/** The 28 px line under the filter: always there, so no suggestion covers or moves anything. */
export function FilterRail(props: {
  suggestions: FilterSuggestions;
  /** Index of what Tab accepts; -1 = nothing. */
  chosen: number;
  onAccept: (suggestion: FilterSuggestion) => void;
}) {
  const { suggestions } = props;
  return (
    <div className={styles.rail}>
      <span className={styles.quiet}>{suggestions.head}</span>
      <div
        role="listbox"
        id={FILTER_SUGGESTIONS_ID}
        aria-label="Suggestions"
        className={styles.options}
      >
        {suggestions.options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the filter input drives the list by key.
          <span
            key={option.text}
            id={suggestionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === props.chosen}
            className={styles.option}
            // The input keeps focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => props.onAccept(option)}
          >
            <span className={styles.label}>{option.label}</span>
            {option.count === null ? null : countOf(option.count, 'run')}
            {index === props.chosen ? <Kbd>Tab</Kbd> : null}
          </span>
        ))}
      </div>
      {suggestions.more > 0 ? (
        <span className={styles.quiet}>and {suggestions.more} more, type on</span>
      ) : null}
      <span className={styles.spacer} />
      {suggestions.also.length > 0 ? (
        <span className={styles.also}>
          <span className={styles.quiet}>also</span>
          <span className={styles.names} title={suggestions.also.join(' ')}>
            {suggestions.also.slice(0, MOST_ALSO).join(' ')}
          </span>
          {suggestions.also.length > MOST_ALSO ? (
            <span className={styles.quiet}>and {suggestions.also.length - MOST_ALSO} more</span>
          ) : null}
        </span>
      ) : null}
    </div>
  );
}

/** The same line while something else is asked in its place. */
export function RailQuestion(props: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a question with its answers, not a form's fields.
    <div role="group" aria-label={props.label} className={styles.rail}>
      {props.children}
    </div>
  );
}
