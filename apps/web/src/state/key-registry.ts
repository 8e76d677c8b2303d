import { create } from 'zustand';
import { actsOnEnter, matchesCombo, takesText } from '../ui/key-combo.ts';

/** One line of help: key caps and what they do. Shown while the scope that has it is active. */
export interface KeyHint {
  readonly caps: readonly string[];
  readonly words: string;
  /** Left out of the status bar, still in the sheet of all keys. */
  readonly sheetOnly?: boolean;
}

/** "Shift+J" or a sequence "g r" to what happens. Return false to let the next scope have it. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that says nothing has handled the press.
export type KeyHandlers = Readonly<Record<string, (event: KeyboardEvent) => void | false>>;

export interface KeyScope {
  readonly id: number;
  readonly title: string;
  readonly hints: readonly KeyHint[];
  /** 'app' = every screen, asked last; 'page' = this screen; else only while focus is inside. */
  readonly panel: () => HTMLElement | null | 'page' | 'app';
  readonly handlers: () => KeyHandlers;
  /** Combos that also work while a text field has focus. */
  readonly inTextFields: readonly string[];
}

interface KeyRegistryState {
  scopes: readonly KeyScope[];
  /** Raised when focus moves, so that hints follow it. */
  focusTurn: number;
}

export const useKeyRegistry = create<KeyRegistryState>()(() => ({ scopes: [], focusTurn: 0 }));

let nextId = 1;

/** Adds a scope; the newest wins over older ones, and a panel with focus over the page. */
export function addKeyScope(scope: Omit<KeyScope, 'id'>): () => void {
  const added: KeyScope = { ...scope, id: nextId++ };
  useKeyRegistry.setState((state) => ({ scopes: [...state.scopes, added] }));
  return () =>
    useKeyRegistry.setState((state) => ({
      scopes: state.scopes.filter((each) => each.id !== added.id),
    }));
}

/** Scopes that take keys now, the first to be asked first. */
export function activeScopes(
  scopes: readonly KeyScope[],
  focused: Element | null,
): readonly KeyScope[] {
  const panels: { scope: KeyScope; element: HTMLElement }[] = [];
  const pages: KeyScope[] = [];
  const app: KeyScope[] = [];
  for (const scope of scopes) {
    const panel = scope.panel();
    if (panel === 'app') app.unshift(scope);
    else if (panel === 'page') pages.unshift(scope);
    else if (panel?.contains(focused)) panels.unshift({ scope, element: panel });
  }
  // A panel inside another is asked before it.
  panels.sort(
    (a, b) => Number(a.element.contains(b.element)) - Number(b.element.contains(a.element)),
  );
  return [...panels.map((each) => each.scope), ...pages, ...app];
}

const SEQUENCE_MS = 1500;

/** Listens once for the whole page. Gives what stops it. */
export function listenForKeys(target: Window): () => void {
  let prefix: { key: string; at: number } | null = null;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const typing = takesText(event.target);
    const begun = prefix;
    prefix = null;
    const waiting = begun !== null && event.timeStamp - begun.at < SEQUENCE_MS ? begun.key : null;
    for (const scope of activeScopes(useKeyRegistry.getState().scopes, document.activeElement)) {
      for (const [combo, handler] of Object.entries(scope.handlers())) {
        if (typing && !scope.inTextFields.includes(combo)) continue;
        const [first = '', second] = combo === ' ' ? [combo] : combo.split(' ');
        if (second !== undefined) {
          if (waiting === first && matchesCombo(second, event)) {
            event.preventDefault();
            handler(event);
            return;
          }
          if (matchesCombo(first, event)) prefix = { key: first, at: event.timeStamp };
          continue;
        }
        if (waiting !== null && !typing && event.key.length === 1) continue;
        if (!matchesCombo(combo, event)) continue;
        if ((event.key === 'Enter' || event.key === ' ') && actsOnEnter(event.target)) continue;
        if (handler(event) === false) continue;
        event.preventDefault();
        return;
      }
    }
  };
  const onFocus = () => useKeyRegistry.setState((state) => ({ focusTurn: state.focusTurn + 1 }));

  target.addEventListener('keydown', onKeyDown);
  target.addEventListener('focusin', onFocus);
  target.addEventListener('focusout', onFocus);
  return () => {
    target.removeEventListener('keydown', onKeyDown);
    target.removeEventListener('focusin', onFocus);
    target.removeEventListener('focusout', onFocus);
  };
}
