import { STEP_KINDS } from '@misstep/model';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, useCallback, useEffect, useRef, useState } from 'react';
import { usePreferences } from '../../state/preferences.ts';
import { useKeys } from '../../state/use-keys.ts';
import { firstIndexAtMark, type MarkSpot } from '../mark/mark-place.ts';
import type { RunModel } from '../run/use-run-model.ts';
import styles from './call-tree.module.css';
import { IdleRow } from './idle-row.tsx';
import { TreeHead } from './tree-head.tsx';
import type { TreeCommand } from './tree-movement.ts';
import { type RowMarkState, TreeRow } from './tree-row.tsx';
import { useRowsAxis } from './use-rows-axis.ts';
import type { TreeRows } from './use-tree-rows.ts';
import { gapOfRow, nearestRow, type TreeView } from './visible-rows.ts';
import { waterfallGround } from './waterfall-ground.ts';
import type { Zoom } from './zoom.ts';

const ROW_PX = 24;
const IDLE_ROW_PX = 20;
const OVERSCAN_ROWS = 20;
const USER = STEP_KINDS.indexOf('user');

export interface RowsInView {
  readonly first: number;
  readonly last: number;
}

/** What the rest of the run view asks of the tree. */
export interface TreeHandle {
  readonly scrollToRow: (row: number, align: 'auto' | 'start' | 'center') => void;
  readonly pageRows: () => number;
  readonly focusSelected: () => void;
}

export interface CallTreeProps {
  readonly model: RunModel;
  readonly rows: TreeRows;
  readonly view: TreeView;
  readonly folded: ReadonlySet<number>;
  readonly selected: number | null;
  readonly mark: MarkSpot | null;
  /** What a person zoomed the axis to. */
  readonly zoom: Zoom;
  /** What the file itself says of steps, by index. */
  readonly externals: ReadonlyMap<number, string>;
  /** First row in view at the start; null = bring the selected row into view. */
  readonly initialTop: number | null;
  readonly onSelect: (index: number) => void;
  readonly onToggleFold: (index: number) => void;
  readonly onCommand: (command: TreeCommand) => void;
  readonly onRowsInView: (rows: RowsInView) => void;
  readonly handle: { current: TreeHandle | null };
}

/** The call tree: a windowed treegrid with one tab stop. */
export function CallTree(props: CallTreeProps) {
  const { model, rows, selected, onRowsInView } = props;
  const { visible } = rows;
  const grid = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const [waterfallPx, setWaterfallPx] = useState(219);
  const axisRef = useCallback((element: HTMLElement | null) => {
    if (element === null || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => setWaterfallPx(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const toScale = usePreferences((state) => state.idleToScale);
  const setPreferences = usePreferences((state) => state.set);
  const selectedRow = selected === null ? -1 : nearestRow(model.shape, visible, selected);
  const focusRow = selectedRow >= 0 ? selectedRow : firstStepRow(visible.rows);

  const virtualizer = useVirtualizer({
    count: visible.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (row) => ((visible.rows[row] ?? 0) < 0 ? IDLE_ROW_PX : ROW_PX),
    overscan: OVERSCAN_ROWS,
    // The row that holds the tab stop stays in the page wherever the window is.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      if (focusRow < 0 || shown.includes(focusRow)) return shown;
      return [...shown, focusRow].sort((a, b) => a - b);
    },
    initialRect: { width: 900, height: 600 },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have other heights.
  useEffect(() => virtualizer.measure(), [virtualizer, visible]);

  useInitialScroll(virtualizer, props.initialTop, selectedRow);
  useTreeHandle(props.handle, virtualizer, scroller, selectedRow);
  useTreeKeys(grid, props.onCommand);
  useFocusFollowsSelection(scroller, selected);

  const first = virtualizer.range?.startIndex ?? 0;
  const last = virtualizer.range?.endIndex ?? Math.min(visible.rows.length - 1, 25);
  useEffect(() => onRowsInView({ first, last }), [onRowsInView, first, last]);

  const { axis, ticks } = useRowsAxis(model, visible, first, last, waterfallPx, props.zoom);
  const atMark = props.mark === null ? null : firstIndexAtMark(props.mark);
  const onClick = (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    const fold = target?.closest<HTMLElement>('[data-fold]')?.dataset.fold;
    const index = target?.closest<HTMLElement>('[data-index]')?.dataset.index;
    if (fold !== undefined) props.onToggleFold(Number(fold));
    else if (index !== undefined) props.onSelect(Number(index));
  };

  return (
    <div
      ref={grid}
      role="treegrid"
      tabIndex={-1}
      onFocus={(event) => {
        if (event.target === event.currentTarget) props.handle.current?.focusSelected();
      }}
      aria-label="Call tree"
      aria-rowcount={visible.rows.length + 1}
      aria-readonly="true"
      className={styles.grid}
      style={
        {
          '--seq-width': `${Math.max(26, String(model.skeleton.count).length * 7 + 8)}px`,
          '--waterfall-ground': axis === null ? 'none' : waterfallGround(axis, ticks),
        } as Record<string, string>
      }
    >
      <TreeHead ticks={ticks} axisRef={axisRef} hasTimes={axis !== null} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by useTreeKeys. */}
      <div ref={scroller} role="rowgroup" className={styles.rows} tabIndex={-1} onClick={onClick}>
        {visible.stepCount === 0 ? (
          <p className={styles.none}>
            {rows.filtered
              ? `None of ${model.skeleton.count} steps matches. Esc clears the filter.`
              : 'No steps were read from this source.'}
          </p>
        ) : null}
        <div
          className={styles.sizer}
          role="presentation"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map((item) => {
            const index = visible.rows[item.index] ?? 0;
            if (index < 0) {
              const gap = model.gaps[gapOfRow(index)];
              const next = visible.rows[item.index + 1] ?? -1;
              return gap === undefined ? null : (
                <IdleRow
                  key={item.key}
                  gap={gap}
                  row={item.index}
                  topPx={item.start}
                  waitsForUser={model.skeleton.kinds[next] === USER}
                  toScale={toScale}
                  isLater={atMark !== null && next >= atMark}
                  onToggleScale={() => setPreferences({ idleToScale: !toScale })}
                />
              );
            }
            return (
              <TreeRow
                key={item.key}
                model={model}
                index={index}
                row={item.index}
                topPx={item.start}
                isTree={props.view === 'tree'}
                isOpen={rows.filtered || !props.folded.has(index)}
                isSelected={item.index === selectedRow && index === selected}
                takesFocus={item.index === focusRow}
                markState={markStateOf(props.mark, atMark, index)}
                external={props.externals.get(index) ?? null}
                axis={axis}
                waterfallPx={waterfallPx}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

function firstStepRow(rows: Int32Array): number {
  return rows.findIndex((index) => index >= 0);
}

function markStateOf(mark: MarkSpot | null, atMark: number | null, index: number): RowMarkState {
  if (mark === null || atMark === null) return 'none';
  if (mark.kind === 'step' && mark.index === index) return 'marked';
  if (mark.kind === 'gap' && mark.afterIndex === index) return 'gapAfter';
  return index >= atMark ? 'later' : 'none';
}

type TreeVirtualizer = ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>;

/** Once: the row that the link names, or the selected one. */
function useInitialScroll(
  virtualizer: TreeVirtualizer,
  initialTop: number | null,
  selectedRow: number,
) {
  const done = useRef(false);
  useEffect(() => {
    if (done.current) return;
    done.current = true;
    if (initialTop !== null) virtualizer.scrollToIndex(initialTop, { align: 'start' });
    else if (selectedRow >= 0) virtualizer.scrollToIndex(selectedRow, { align: 'auto' });
  }, [virtualizer, initialTop, selectedRow]);
}

function useTreeHandle(
  handle: { current: TreeHandle | null },
  virtualizer: TreeVirtualizer,
  scroller: { current: HTMLDivElement | null },
  selectedRow: number,
) {
  useEffect(() => {
    handle.current = {
      scrollToRow: (row, align) => virtualizer.scrollToIndex(row, { align }),
      pageRows: () => Math.floor((scroller.current?.clientHeight ?? 600) / ROW_PX),
      focusSelected: () =>
        scroller.current?.querySelector<HTMLElement>(`[data-row="${selectedRow}"]`)?.focus(),
    };
    return () => {
      handle.current = null;
    };
  }, [handle, virtualizer, scroller, selectedRow]);
}

/** Keys that belong to the focused tree alone; letters are the whole run view's. */
function useTreeKeys(
  panel: { current: HTMLDivElement | null },
  onCommand: (command: TreeCommand) => void,
) {
  useKeys({
    title: 'Call tree',
    hints: [],
    panel,
    handlers: {
      arrowdown: () => onCommand('next'),
      arrowup: () => onCommand('previous'),
      arrowleft: () => onCommand('foldOrParent'),
      arrowright: () => onCommand('openOrChild'),
      'Shift+ArrowDown': () => onCommand('nextSibling'),
      'Shift+ArrowUp': () => onCommand('previousSibling'),
      home: () => onCommand('first'),
      end: () => onCommand('last'),
      pagedown: () => onCommand('pageDown'),
      pageup: () => onCommand('pageUp'),
    },
  });
}

/** Focus moves with the selection while it is in the tree, or nowhere. */
function useFocusFollowsSelection(
  scroller: { current: HTMLDivElement | null },
  selected: number | null,
) {
  useEffect(() => {
    if (selected === null) return;
    const active = document.activeElement;
    const isFree = active === null || active === document.body;
    if (!isFree && scroller.current?.contains(active) !== true) return;
    scroller.current
      ?.querySelector<HTMLElement>(`[data-index="${selected}"]`)
      ?.focus({ preventScroll: true });
  }, [scroller, selected]);
}
