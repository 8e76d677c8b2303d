import { type KeyboardEvent, type Ref, useImperativeHandle, useRef, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import styles from './filter-input.module.css';
import { type FilterProblem, tokenizeFilter } from './run-filter.ts';

export interface FilterInputHandle {
  focus: () => void;
}

/**
 * The filter as text, with a layer behind it that draws tokens as boxes and shows what Tab would
 * add. One text field: caret, selection and undo are the browser's own.
 */
export function FilterInput(props: {
  query: string;
  onChange: (query: string, caret: number) => void;
  onCaret: (caret: number) => void;
  caret: number;
  problem: FilterProblem | null;
  /** "18 of 58 runs" */
  count: string;
  /** Rest of the suggestion that Tab would add at the end; '' = none. */
  ghost: string;
  /** Id of the list of suggestions; null while it isn't shown. */
  suggestionsId: string | null;
  chosenId: string | null;
  /** Returns true where the key was used. */
  onKey: (key: 'Tab' | 'ArrowDown' | 'ArrowUp' | 'Enter' | 'Escape') => boolean;
  handle: Ref<FilterInputHandle>;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [scrolledPx, setScrolledPx] = useState(0);
  const [focused, setFocused] = useState(false);
  useImperativeHandle(
    props.handle,
    () => ({
      focus: () => {
        input.current?.focus();
        input.current?.select();
      },
    }),
    [],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    if (key !== 'Tab' && key !== 'ArrowDown' && key !== 'ArrowUp' && key !== 'Enter') {
      if (key !== 'Escape') return;
    }
    if (props.onKey(key)) event.preventDefault();
  };
  const caretOf = (element: HTMLInputElement) => element.selectionStart ?? element.value.length;
  return (
    <div className={styles.box}>
      <Icon name="search" />
      <div className={styles.field}>
        <div
          className={styles.layer}
          aria-hidden="true"
          style={{ transform: `translateX(${-scrolledPx}px)` }}
        >
          <DrawnQuery query={props.query} caret={focused ? props.caret : -1} />
          {focused ? <span className={styles.ghost}>{props.ghost}</span> : null}
        </div>
        <input
          ref={input}
          type="text"
          aria-label="Filter runs"
          aria-autocomplete="list"
          {...(props.suggestionsId === null ? {} : { 'aria-controls': props.suggestionsId })}
          aria-describedby="filter-says"
          {...(props.chosenId === null ? {} : { 'aria-activedescendant': props.chosenId })}
          {...(props.problem === null ? {} : { 'aria-invalid': true })}
          placeholder={'Filter: error:yes marked:no dur>10m "words"'}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          value={props.query}
          onChange={(event) =>
            props.onChange(event.currentTarget.value, caretOf(event.currentTarget))
          }
          onSelect={(event) => props.onCaret(caretOf(event.currentTarget))}
          onScroll={(event) => setScrolledPx(event.currentTarget.scrollLeft)}
          onKeyDown={onKeyDown}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
        />
      </div>
      <span
        id="filter-says"
        role="status"
        className={classNames(styles.say, props.problem !== null && styles.problem)}
      >
        {props.problem === null ? props.count : props.problem.message}
      </span>
      <span className={classNames(styles.escape, !focused && styles.unseen)}>
        <Kbd>Esc</Kbd>
      </span>
    </div>
  );
}

/** The text again, with a box around each token that is complete and not being typed. */
function DrawnQuery(props: { query: string; caret: number }) {
  const drawn: React.ReactNode[] = [];
  let at = 0;
  for (const token of tokenizeFilter(props.query)) {
    drawn.push(props.query.slice(at, token.start));
    at = token.end;
    const typing = token.start <= props.caret && props.caret <= token.end;
    if (token.field === null || token.value === '' || typing) {
      drawn.push(token.text);
      continue;
    }
    const nameLength = token.field.length + (token.operator?.length ?? 0);
    drawn.push(
      <span key={token.start} className={styles.token}>
        <span className={styles.name}>{token.text.slice(0, nameLength)}</span>
        {token.text.slice(nameLength)}
      </span>,
    );
  }
  drawn.push(props.query.slice(at));
  return <>{drawn}</>;
}
