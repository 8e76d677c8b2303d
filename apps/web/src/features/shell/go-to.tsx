import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { type GoToItem, useGoToRegistry } from '../../state/go-to-registry.ts';
import { Icon } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { directionOf } from '../../ui/text-direction.ts';
import styles from './go-to.module.css';
import { useShellPlaces } from './shell-places.ts';

/** Ctrl K: type a part of a name, arrows choose, Enter goes, Esc gives focus back. */
export function GoTo() {
  const sources = useGoToRegistry((state) => state.sources);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const cameFrom = useRef<Element | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  useShellPlaces();

  const groups = open
    ? sources
        .map((source) => ({ source, items: source.find(typed.trim()) }))
        .filter((group) => group.items.length > 0)
    : [];
  const flat = groups.flatMap(({ source, items }) =>
    items.map((item) => ({ item, id: `${listId}-${source.id}-${item.id}` })),
  );
  const current = flat[Math.min(chosen, flat.length - 1)];

  const close = () => {
    setOpen(false);
    setTyped('');
    setChosen(0);
    input.current?.blur();
  };
  const go = (item: GoToItem) => {
    close();
    item.onSelect();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      close();
      if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
    } else if (event.key === 'Enter' && current !== undefined) {
      event.preventDefault();
      go(current.item);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && flat.length > 0) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const next = (Math.min(chosen, flat.length - 1) + step + flat.length) % flat.length;
      setChosen(next);
      document.getElementById(flat[next]?.id ?? '')?.scrollIntoView({ block: 'nearest' });
    }
  };

  return (
    <div className={styles.goTo}>
      <Icon name="search" small className={styles.icon} />
      <input
        ref={input}
        id="go-to"
        type="text"
        role="combobox"
        aria-label="Go to"
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        {...(current === undefined ? {} : { 'aria-activedescendant': current.id })}
        placeholder="Go to run, step, tool, value"
        spellCheck={false}
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onFocus={(event) => {
          cameFrom.current = event.relatedTarget;
          setOpen(true);
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <Kbd>Ctrl K</Kbd>
      {open ? (
        <div className={styles.popup}>
          <div role="listbox" id={listId} aria-label="Places" className={styles.list}>
            {groups.map(({ source, items }) => (
              // biome-ignore lint/a11y/useSemanticElements: a group of options has no HTML element here.
              <div key={source.id} role="group" aria-label={source.title}>
                <div className={styles.head} aria-hidden="true">
                  {source.title}
                </div>
                {items.map((item) => {
                  const id = `${listId}-${source.id}-${item.id}`;
                  return (
                    <div
                      key={item.id}
                      id={id}
                      role="option"
                      tabIndex={-1}
                      aria-selected={id === current?.id}
                      className={styles.option}
                      // Focus stays in the field: a press must not blur it before the click.
                      onMouseDown={(event) => event.preventDefault()}
                      onClick={() => go(item)}
                      onKeyDown={undefined}
                    >
                      {item.icon === undefined ? null : <Icon name={item.icon} small />}
                      <span
                        className={styles.label}
                        title={item.label}
                        dir={directionOf(item.label)}
                      >
                        {item.label}
                      </span>
                      {item.note === undefined ? null : (
                        <span className={styles.note}>{item.note}</span>
                      )}
                    </div>
                  );
                })}
              </div>
            ))}
          </div>
          {flat.length === 0 ? (
            <p className={styles.nothing}>Nothing is called that. Esc closes.</p>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}
