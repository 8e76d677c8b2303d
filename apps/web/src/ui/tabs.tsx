import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import styles from './tabs.module.css';

export interface TabOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** A count beside the word; null or absent = none. */
  readonly count?: number | null;
}

/**
 * A row of tabs with one tab stop: arrows, Home and End move and choose. The panel carries
 * `role="tabpanel"`, `id={tabPanelId(idBase, value)}` and `aria-labelledby={tabId(idBase, value)}`.
 */
export function Tabs<Value extends string>(props: {
  label: string;
  /** Unique on the page; ids of tabs and panels begin with it. */
  idBase: string;
  options: readonly TabOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  children?: ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const index = props.options.findIndex((option) => option.value === props.value);
    const last = props.options.length - 1;
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const option = props.options[(next + props.options.length) % props.options.length];
    if (option === undefined) return;
    props.onChange(option.value);
    list.current
      ?.querySelector<HTMLElement>(`#${CSS.escape(tabId(props.idBase, option.value))}`)
      ?.focus();
  };
  return (
    <div className={styles.bar}>
      <div ref={list} role="tablist" aria-label={props.label} className={styles.list}>
        {props.options.map((option) => {
          const selected = option.value === props.value;
          return (
            <button
              key={option.value}
              type="button"
              role="tab"
              id={tabId(props.idBase, option.value)}
              aria-selected={selected}
              {...(selected ? { 'aria-controls': tabPanelId(props.idBase, option.value) } : {})}
              tabIndex={selected ? 0 : -1}
              onClick={() => props.onChange(option.value)}
              onKeyDown={move}
            >
              <span className={styles.word} data-text={option.label}>
                {option.label}
              </span>
              {option.count === undefined || option.count === null ? null : (
                <span className={styles.count}>{option.count}</span>
              )}
            </button>
          );
        })}
      </div>
      {props.children}
    </div>
  );
}

export function tabId(idBase: string, value: string): string {
  return `${idBase}-tab-${value}`;
}

export function tabPanelId(idBase: string, value: string): string {
  return `${idBase}-panel-${value}`;
}
