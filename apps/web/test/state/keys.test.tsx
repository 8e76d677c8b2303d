// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { activeScopes, listenForKeys, useKeyRegistry } from '../../src/state/key-registry.ts';
import { useKeys } from '../../src/state/use-keys.ts';
import { matchesCombo } from '../../src/ui/key-combo.ts';

const press = (key: string, init: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
  (document.activeElement ?? document.body).dispatchEvent(event);
  return event;
};

const page = { j: vi.fn(), question: vi.fn(), go: vi.fn(), search: vi.fn(), enter: vi.fn() };
const panel = { j: vi.fn() };
const shell = { j: vi.fn(), t: vi.fn() };

function Panel() {
  const ref = useRef<HTMLElement>(null);
  useKeys({
    title: 'Panel',
    panel: ref,
    hints: [{ caps: ['J'], words: 'row' }],
    handlers: { j: panel.j },
  });
  return (
    <section ref={ref}>
      <button type="button">inside</button>
    </section>
  );
}

function Screen() {
  useKeys({ title: 'Everywhere', everywhere: true, hints: [], handlers: shell });
  useKeys({
    title: 'Screen',
    hints: [{ caps: ['J'], words: 'move' }],
    inTextFields: ['Ctrl+k'],
    handlers: {
      j: page.j,
      '?': page.question,
      'g r': page.go,
      'Ctrl+k': page.search,
      enter: page.enter,
    },
  });
  return (
    <>
      <Panel />
      <input aria-label="field" />
      <a href="/x">another page</a>
    </>
  );
}

describe('single-letter keys', () => {
  let stop = () => {};
  let view: ReturnType<typeof render>;
  beforeEach(() => {
    vi.clearAllMocks();
    stop = listenForKeys(window);
    view = render(<Screen />);
  });
  afterEach(() => {
    cleanup();
    stop();
  });

  it('belong to the page, and before it to the panel that has focus', () => {
    press('j');
    expect(page.j).toHaveBeenCalledOnce();
    view.getByText('inside').focus();
    press('j');
    expect(panel.j).toHaveBeenCalledOnce();
    expect(page.j).toHaveBeenCalledOnce();
    expect(shell.j).not.toHaveBeenCalled();
    press('t');
    expect(shell.t).toHaveBeenCalledOnce();
  });

  it('do nothing while a text field has focus, unless they are meant for it', () => {
    view.getByLabelText('field').focus();
    expect(press('j').defaultPrevented).toBe(false);
    press('k', { ctrlKey: true });
    press('k', { metaKey: true });
    expect(page.j).not.toHaveBeenCalled();
    expect(page.search).toHaveBeenCalledTimes(2);
  });

  it('leave Enter to a link or button that has focus', () => {
    view.getByText('another page').focus();
    press('Enter');
    expect(page.enter).not.toHaveBeenCalled();
    view.getByText('another page').blur();
    press('Enter');
    expect(page.enter).toHaveBeenCalledOnce();
  });

  it('can be a sequence', () => {
    press('r');
    expect(page.go).not.toHaveBeenCalled();
    press('g');
    press('r');
    expect(page.go).toHaveBeenCalledOnce();
    press('r');
    expect(page.go).toHaveBeenCalledOnce();
  });

  it('are shown for the panel that has focus first, for the shell last', () => {
    const titles = () =>
      activeScopes(useKeyRegistry.getState().scopes, document.activeElement).map(
        (scope) => scope.title,
      );
    expect(titles()).toEqual(['Screen', 'Everywhere']);
    view.getByText('inside').focus();
    expect(titles()).toEqual(['Panel', 'Screen', 'Everywhere']);
    view.unmount();
    expect(titles()).toEqual([]);
  });
});

describe('a combo', () => {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  it.each([
    ['j', { key: 'j' }, true],
    ['j', { key: 'J', shiftKey: true }, false],
    ['Shift+J', { key: 'J', shiftKey: true }, true],
    ['j', { key: 'j', ctrlKey: true }, false],
    ['?', { key: '?', shiftKey: true }, true],
    ['+', { key: '+', shiftKey: true }, true],
    ['Ctrl+enter', { key: 'Enter', metaKey: true }, true],
    ['escape', { key: 'Escape' }, true],
    ['j', { key: 'j', altKey: true }, false],
  ])('%s against %o', (combo, pressed, expected) => {
    expect(matchesCombo(combo, { ...none, ...pressed })).toBe(expected);
  });
});
