import { FAILED_STATUSES, type Skeleton, STEP_STATUSES } from '@misstep/model';
import { hasChildren, type TreeShape } from './tree-shape.ts';
import { nearestRow, type TreeView, type VisibleRows } from './visible-rows.ts';

/** What a key on the tree asks for. */
export type TreeCommand =
  | 'next'
  | 'previous'
  | 'nextSibling'
  | 'previousSibling'
  | 'foldOrParent'
  | 'openOrChild'
  | 'first'
  | 'last'
  | 'pageDown'
  | 'pageUp'
  | 'nextError'
  | 'previousError'
  | 'nextSameTool'
  | 'previousSameTool';

export type TreeEffect =
  | { readonly kind: 'select'; readonly index: number }
  | { readonly kind: 'fold'; readonly index: number }
  | { readonly kind: 'open'; readonly index: number }
  | { readonly kind: 'none' };

export interface TreePosition {
  readonly skeleton: Pick<Skeleton, 'statuses' | 'tools' | 'servers'>;
  readonly shape: TreeShape;
  readonly visible: VisibleRows;
  readonly view: TreeView;
  readonly folded: ReadonlySet<number>;
  /** True while a filter is on: folds are then open. */
  readonly filtered: boolean;
  /** Selected step; null = none yet. */
  readonly selected: number | null;
  /** Whole rows that fit the window. */
  readonly pageRows: number;
}

const NONE: TreeEffect = { kind: 'none' };

/** Where a command leads. Commands that lead nowhere do nothing: selection never wraps round. */
export function applyTreeCommand(command: TreeCommand, position: TreePosition): TreeEffect {
  const { visible } = position;
  if (visible.stepCount === 0) return NONE;
  const { selected } = position;
  const row = selected === null ? -1 : nearestRow(position.shape, visible, selected);
  switch (command) {
    case 'first':
      return selectFrom(visible, 0, 1);
    case 'last':
      return selectFrom(visible, visible.rows.length - 1, -1);
    case 'next':
      return selectFrom(visible, row + 1, 1);
    case 'previous':
      return row < 0
        ? selectFrom(visible, visible.rows.length - 1, -1)
        : selectFrom(visible, row - 1, -1);
    case 'pageDown':
      return page(position, row, 1);
    case 'pageUp':
      return page(position, row, -1);
    case 'nextSibling':
      return sibling(position, position.shape.nextSiblings);
    case 'previousSibling':
      return sibling(position, position.shape.previousSiblings);
    case 'foldOrParent':
      return foldOrParent(position);
    case 'openOrChild':
      return openOrChild(position);
    case 'nextError':
      return search(position, row, 1, isFailed);
    case 'previousError':
      return search(position, row, -1, isFailed);
    case 'nextSameTool':
      return sameTool(position, row, 1);
    case 'previousSameTool':
      return sameTool(position, row, -1);
  }
}

function selectFrom(visible: VisibleRows, row: number, direction: 1 | -1): TreeEffect {
  for (let at = row; at >= 0 && at < visible.rows.length; at += direction) {
    const index = visible.rows[at] ?? -1;
    if (index >= 0) return { kind: 'select', index };
  }
  return NONE;
}

function page(position: TreePosition, row: number, direction: 1 | -1): TreeEffect {
  const { visible } = position;
  const distance = Math.max(1, position.pageRows - 1);
  const wanted = Math.max(0, row) + direction * distance;
  const target = Math.min(visible.rows.length - 1, Math.max(0, wanted));
  const effect = selectFrom(visible, target, direction);
  return effect.kind === 'none' ? selectFrom(visible, target, direction === 1 ? -1 : 1) : effect;
}

function sibling(position: TreePosition, column: Int32Array): TreeEffect {
  if (position.selected === null) return NONE;
  for (let at = column[position.selected] ?? -1; at >= 0; at = column[at] ?? -1) {
    if ((position.visible.rowOfStep[at] ?? -1) >= 0) return { kind: 'select', index: at };
  }
  return NONE;
}

function foldOrParent(position: TreePosition): TreeEffect {
  const { selected, shape } = position;
  if (selected === null) return NONE;
  const canFold = position.view === 'tree' && !position.filtered;
  if (canFold && hasChildren(shape, selected) && !position.folded.has(selected)) {
    return { kind: 'fold', index: selected };
  }
  const parent = shape.parents[selected] ?? -1;
  return parent >= 0 && (position.visible.rowOfStep[parent] ?? -1) >= 0
    ? { kind: 'select', index: parent }
    : NONE;
}

function openOrChild(position: TreePosition): TreeEffect {
  const { selected, shape, visible } = position;
  if (selected === null || !hasChildren(shape, selected)) return NONE;
  if (position.view === 'tree' && !position.filtered && position.folded.has(selected)) {
    return { kind: 'open', index: selected };
  }
  for (
    let child = shape.firstChildren[selected] ?? -1;
    child >= 0;
    child = shape.nextSiblings[child] ?? -1
  ) {
    if ((visible.rowOfStep[child] ?? -1) >= 0) return { kind: 'select', index: child };
  }
  return NONE;
}

function search(
  position: TreePosition,
  row: number,
  direction: 1 | -1,
  wanted: (skeleton: TreePosition['skeleton'], index: number) => boolean,
): TreeEffect {
  const { visible, skeleton } = position;
  const from = row < 0 ? (direction === 1 ? 0 : visible.rows.length - 1) : row + direction;
  for (let at = from; at >= 0 && at < visible.rows.length; at += direction) {
    const index = visible.rows[at] ?? -1;
    if (index >= 0 && wanted(skeleton, index)) return { kind: 'select', index };
  }
  return NONE;
}

function sameTool(position: TreePosition, row: number, direction: 1 | -1): TreeEffect {
  if (position.selected === null) return NONE;
  const tool = position.skeleton.tools[position.selected] ?? null;
  const server = position.skeleton.servers[position.selected] ?? null;
  if (tool === null) return NONE;
  return search(
    position,
    row,
    direction,
    (skeleton, index) => skeleton.tools[index] === tool && skeleton.servers[index] === server,
  );
}

function isFailed(skeleton: TreePosition['skeleton'], index: number): boolean {
  const status = STEP_STATUSES[skeleton.statuses[index] ?? 0];
  return status !== undefined && FAILED_STATUSES.has(status);
}

export interface KeyStroke {
  readonly key: string;
  readonly shift: boolean;
}

/** The command of a key on the focused tree; null = the key is none of the tree's. */
export function commandOfKey({ key, shift }: KeyStroke): TreeCommand | null {
  switch (key) {
    case 'j':
    case 'ArrowDown':
      return shift ? 'nextSibling' : 'next';
    case 'J':
      return 'nextSibling';
    case 'k':
    case 'ArrowUp':
      return shift ? 'previousSibling' : 'previous';
    case 'K':
      return 'previousSibling';
    case 'h':
    case 'ArrowLeft':
      return 'foldOrParent';
    case 'l':
    case 'ArrowRight':
      return 'openOrChild';
    case 'Home':
      return 'first';
    case 'End':
      return 'last';
    case 'PageDown':
      return 'pageDown';
    case 'PageUp':
      return 'pageUp';
    case 'e':
      return 'nextError';
    case 'E':
      return 'previousError';
    case 's':
      return 'nextSameTool';
    case 'S':
      return 'previousSameTool';
    default:
      return null;
  }
}
