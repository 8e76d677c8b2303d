/** The parts of a keyboard event that a combo is matched by. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * True where the press is the combo: "j", "Shift+J", "Ctrl+k", "Enter", "?". Ctrl also means Cmd.
 * Shift counts for letters and named keys only, since "?" or "+" need it on some keyboards.
 */
export function matchesCombo(combo: string, press: KeyPress): boolean {
  const parts = combo.length > 1 ? combo.split(/\+(?=.)/) : [combo];
  const key = parts.at(-1) ?? '';
  const needs = new Set(parts.slice(0, -1));
  if (needs.has('Ctrl') !== (press.ctrlKey || press.metaKey)) return false;
  if (needs.has('Alt') !== press.altKey) return false;
  const shiftCounts = key.length > 1 || /^[a-z]$/i.test(key);
  if (shiftCounts && needs.has('Shift') !== press.shiftKey) return false;
  return press.key.toLowerCase() === key.toLowerCase();
}

/** True where typed letters belong to the element: fields, editors, open menus and lists. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target instanceof HTMLInputElement) {
    return !['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'range'].includes(
      target.type,
    );
  }
  return (
    target.closest('textarea, select, [contenteditable=""], [contenteditable="true"]') !== null ||
    target.closest('[role="menu"], [role="listbox"], [role="combobox"]') !== null
  );
}

/** True where Enter and Space already mean something: a button, a link, a check box. */
export function actsOnEnter(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('button, a[href], summary, input, select, [role="tab"]') !== null
  );
}
