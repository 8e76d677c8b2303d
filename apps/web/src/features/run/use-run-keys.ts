import { useKeys } from '../../state/use-keys.ts';
import type { TreeCommand } from '../call-tree/tree-movement.ts';
import type { ZoomCommand } from '../call-tree/zoom.ts';

/** Letters of the run view; they work wherever focus is, except in a text field. */
export function useRunKeys(on: {
  onCommand: (command: TreeCommand) => void;
  onFind: () => void;
  onView: () => void;
  onMark: () => void;
  onReplay: () => void;
  onZoom: (command: ZoomCommand) => void;
  /** False = there was nothing to close. */
  onEscape: () => false | undefined;
  canReplay: boolean;
}): void {
  useKeys({
    title: 'Run',
    hints: [
      { caps: ['J', 'K'], words: 'step' },
      { caps: ['H', 'L'], words: 'fold, open' },
      { caps: ['E'], words: 'next error' },
      { caps: ['S'], words: 'same tool' },
      { caps: ['M'], words: 'mark' },
      ...(on.canReplay ? [{ caps: ['R'], words: 'replay' }] : []),
      { caps: ['Shift', 'J', 'K'], words: 'next, previous sibling', sheetOnly: true },
      { caps: ['Shift', 'E'], words: 'previous error', sheetOnly: true },
      { caps: ['O'], words: 'tree or order', sheetOnly: true },
      { caps: ['/'], words: 'find in run', sheetOnly: true },
      { caps: ['+', '-'], words: 'zoom the axis', sheetOnly: true },
      { caps: ['0'], words: 'whole run, rows in view', sheetOnly: true },
      { caps: ['Esc'], words: 'close, clear', sheetOnly: true },
    ],
    inTextFields: ['escape'],
    handlers: {
      j: () => on.onCommand('next'),
      k: () => on.onCommand('previous'),
      'Shift+J': () => on.onCommand('nextSibling'),
      'Shift+K': () => on.onCommand('previousSibling'),
      h: () => on.onCommand('foldOrParent'),
      l: () => on.onCommand('openOrChild'),
      e: () => on.onCommand('nextError'),
      'Shift+E': () => on.onCommand('previousError'),
      s: () => on.onCommand('nextSameTool'),
      'Shift+S': () => on.onCommand('previousSameTool'),
      '/': on.onFind,
      o: on.onView,
      m: on.onMark,
      r: on.canReplay ? on.onReplay : () => false,
      '+': () => on.onZoom('in'),
      '=': () => on.onZoom('in'),
      '-': () => on.onZoom('out'),
      '0': () => on.onZoom('whole'),
      escape: on.onEscape,
    },
  });
}
