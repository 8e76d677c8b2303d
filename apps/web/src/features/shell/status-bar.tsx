import type { Ref } from 'react';
import { activeScopes, type KeyHint, useKeyRegistry } from '../../state/key-registry.ts';
import { Kbd } from '../../ui/kbd.tsx';
import styles from './status-bar.module.css';

/** What the screen says of itself at the left, the keys of the focused panel at the right. */
export function StatusBar(props: { slotRef: Ref<HTMLDivElement> }) {
  const scopes = useKeyRegistry((state) => state.scopes);
  useKeyRegistry((state) => state.focusTurn);
  const active = activeScopes(scopes, document.activeElement);
  // The innermost scope with something to say, then what holds everywhere (asked last).
  const shown = active.find((scope) => scope.hints.some((hint) => !hint.sheetOnly));
  const everywhere = active.at(-1);
  const hints = [
    ...(shown === everywhere ? [] : (shown?.hints ?? [])),
    ...(everywhere?.hints ?? []),
  ].filter((hint) => !hint.sheetOnly);
  return (
    <footer className={styles.status}>
      <div ref={props.slotRef} className={styles.slot} />
      <span className={styles.keys}>
        <span className={styles.fitting}>
          {hints.slice(0, -1).map((hint) => (
            <HintWords key={hint.words} hint={hint} />
          ))}
        </span>
        {hints.slice(-1).map((hint) => (
          <HintWords key={hint.words} hint={hint} />
        ))}
      </span>
    </footer>
  );
}

function HintWords({ hint }: { hint: KeyHint }) {
  return (
    <span className={styles.hint}>
      {hint.caps.map((cap) => (
        <Kbd key={cap}>{cap}</Kbd>
      ))}
      {hint.words}
    </span>
  );
}
