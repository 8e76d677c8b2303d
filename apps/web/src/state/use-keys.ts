import { type RefObject, useEffect, useRef } from 'react';
import { addKeyScope, type KeyHandlers, type KeyHint } from './key-registry.ts';

export interface UseKeysOptions {
  /** Head of the scope's part of the sheet of all keys: "Runs", "Replay". */
  readonly title: string;
  readonly hints: readonly KeyHint[];
  /**
   * By combo, in any case: "j", "Shift+J", "Ctrl+k", "escape", or a sequence "g r". Letters do nothing while a
   * text field has focus unless `inTextFields` lists their combo. Return false to pass it on.
   */
  readonly handlers: KeyHandlers;
  /** Takes keys only while focus is inside; absent = on the whole page. */
  readonly panel?: RefObject<HTMLElement | null>;
  readonly inTextFields?: readonly string[];
  /** The shell's own: asked after every screen and panel. */
  readonly everywhere?: boolean;
  /** False = registered nowhere: no keys, no hints. */
  readonly enabled?: boolean;
}

/**
 * Single-letter keys for a screen or a panel. The status bar shows the hints of the panel that has
 * focus (else of the page), the sheet of all keys those of every active scope.
 */
export function useKeys(options: UseKeysOptions): void {
  const handlers = useRef(options.handlers);
  const panel = useRef(options.panel);
  useEffect(() => {
    handlers.current = options.handlers;
    panel.current = options.panel;
  });
  const enabled = options.enabled ?? true;
  const everywhere = options.everywhere ?? false;
  const described = JSON.stringify([options.title, options.hints, options.inTextFields ?? []]);
  useEffect(() => {
    if (!enabled) return;
    // Our own text from above: only a change of content registers anew.
    const [title, hints, inTextFields] = JSON.parse(described) as [string, KeyHint[], string[]];
    return addKeyScope({
      title,
      hints,
      inTextFields,
      handlers: () => handlers.current,
      panel: () => {
        if (everywhere) return 'app';
        return panel.current === undefined ? 'page' : panel.current.current;
      },
    });
  }, [enabled, everywhere, described]);
}
