import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { activeScopes, useKeyRegistry } from '../../state/key-registry.ts';
import { useKeys } from '../../state/use-keys.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import styles from './key-sheet.module.css';

/** Every key that works now, by scope. A panel, not a modal: the screen behind stays usable. */
export function KeySheet(props: { onClose: () => void }) {
  const scopes = useKeyRegistry((state) => state.scopes);
  const panel = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element | null>(null);
  useEffect(() => {
    cameFrom.current = document.activeElement;
    panel.current?.focus();
    return () => {
      if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
    };
  }, []);
  // The newest scope is asked first: Esc closes this before it leads anywhere else.
  useKeys({ title: 'All keys', hints: [], handlers: { escape: props.onClose } });
  const shown = [...activeScopes(scopes, cameFrom.current)].filter(
    (scope) => scope.hints.length > 0,
  );
  return (
    <section ref={panel} className={styles.sheet} aria-label="All keys" tabIndex={-1}>
      <PanelHead title="All keys" note="letters rest while you type">
        <Link to="/formats" search={{}} className={buttonClass({ small: true, kind: 'quiet' })}>
          Formats that are read
        </Link>
        <Button small kind="quiet" onClick={props.onClose}>
          Close <Kbd>Esc</Kbd>
        </Button>
      </PanelHead>
      <div className={styles.scopes}>
        {shown.map((scope) => (
          <section key={scope.id} aria-label={scope.title}>
            <h3 className={styles.title}>{scope.title}</h3>
            <ul>
              {scope.hints.map((hint) => (
                <li key={hint.words}>
                  <span className={styles.caps}>
                    {hint.caps.map((cap) => (
                      <Kbd key={cap}>{cap}</Kbd>
                    ))}
                  </span>
                  {hint.words}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}
