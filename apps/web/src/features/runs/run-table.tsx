import type { RunSummary } from '@misstep/contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react';
import type { RunSortKey } from '../../state/runs-search.ts';
import { classNames } from '../../ui/class-names.ts';
import type { ListWidth } from './run-columns.tsx';
import { shownColumns } from './run-columns.tsx';
import { RunRow, type RunRowActions } from './run-row.tsx';
import { type RowEdit, RunRowEditor } from './run-row-editor.tsx';
import type { RunSort } from './run-sort.ts';
import styles from './run-table.module.css';

const ROW_PX = 32;
const HEAD_PX = 24;
const OVERSCAN_ROWS = 20;

export interface RunTableHandle {
  focus: () => void;
}

/** The run list: a grid with one tab stop, 32 px rows, only those in view in the page. */
export function RunTable(props: {
  runs: readonly RunSummary[];
  width: ListWidth;
  hiddenColumns: readonly string[];
  sort: RunSort;
  onSort: (key: RunSortKey) => void;
  /** Index of the row under the cursor. */
  cursor: number;
  onCursor: (index: number) => void;
  selected: ReadonlySet<string>;
  onToggleSelected: (runId: string) => void;
  onOpen: (runId: string) => void;
  edit: RowEdit | null;
  onEdit: (edit: RowEdit | null) => void;
  handle: React.Ref<RunTableHandle>;
}) {
  const { runs, cursor, onCursor } = props;
  const grid = useRef<HTMLDivElement>(null);
  const { columns, template } = useMemo(
    () => shownColumns(props.width, props.hiddenColumns),
    [props.width, props.hiddenColumns],
  );
  const actions = useRowActions(props);
  const virtualizer = useVirtualizer({
    count: runs.length,
    getScrollElement: () => grid.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN_ROWS,
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
  });

  useImperativeHandle(props.handle, () => ({ focus: () => grid.current?.focus() }), []);
  // Only a moved cursor scrolls: sorting or filtering under it leaves the view where it is.
  const scrollToCursor = useCallback(() => {
    virtualizer.scrollToIndex(cursor, { align: 'auto' });
  }, [virtualizer, cursor]);
  useEffect(scrollToCursor, [scrollToCursor]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const page = Math.max(1, Math.floor((grid.current?.clientHeight ?? 0) / ROW_PX) - 2);
    const next = {
      ArrowDown: cursor + 1,
      ArrowUp: cursor - 1,
      PageDown: cursor + page,
      PageUp: cursor - page,
      Home: 0,
      End: runs.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onCursor(Math.max(0, Math.min(runs.length - 1, next)));
  };

  const items = virtualizer.getVirtualItems();
  const cursorInPage = items.some((item) => item.index === cursor);
  return (
    // biome-ignore lint/a11y/useSemanticElements: an HTML table can't be windowed with fixed tracks.
    <div
      ref={grid}
      role="grid"
      aria-label="Runs"
      aria-rowcount={runs.length + 1}
      aria-colcount={columns.length + 2}
      aria-multiselectable="true"
      {...(cursorInPage ? { 'aria-activedescendant': rowId(runs[cursor]) } : {})}
      tabIndex={0}
      className={styles.grid}
      onKeyDown={onKeyDown}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid is the tab stop. */}
      <div
        role="row"
        aria-rowindex={1}
        className={classNames(styles.tracks, styles.head)}
        style={{ gridTemplateColumns: template }}
        onKeyDown={moveAlongHead}
      >
        <HeadCell className={styles.centre}>#</HeadCell>
        {columns.map((column) => {
          const on = props.sort.key === column.key;
          return (
            <HeadCell
              key={column.key}
              className={column.number && styles.number}
              sort={on ? (props.sort.descending ? 'descending' : 'ascending') : 'none'}
            >
              <button
                type="button"
                tabIndex={on ? 0 : -1}
                className={on ? styles.on : undefined}
                title={`Sort by ${(column.longTitle ?? column.title).toLowerCase()}`}
                onClick={() => props.onSort(column.key)}
              >
                {props.width === 'wide' ? column.title : (column.shortTitle ?? column.title)}
                {on ? <span aria-hidden="true">{props.sort.descending ? ' ↓' : ' ↑'}</span> : null}
              </button>
            </HeadCell>
          );
        })}
        <HeadCell>
          <span className={styles.hidden}>Actions</span>
        </HeadCell>
      </div>
      <div
        role="presentation"
        className={styles.rows}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map((item) => {
          const run = runs[item.index];
          if (run === undefined) return null;
          const place = {
            id: rowId(run),
            index: item.index,
            top: item.start - HEAD_PX,
            current: item.index === cursor,
          };
          if (props.edit?.runId === run.id) {
            return (
              <RunRowEditor
                key={run.id}
                {...place}
                run={run}
                kind={props.edit.kind}
                columnCount={columns.length + 2}
                onClose={() => {
                  props.onEdit(null);
                  grid.current?.focus();
                }}
              />
            );
          }
          return (
            <RunRow
              key={run.id}
              {...place}
              run={run}
              width={props.width}
              columns={columns}
              template={template}
              selected={props.selected.has(run.id)}
              actions={actions}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Left and right go from head to head; the sorted one is the tab stop. */
function moveAlongHead(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  const heads = [...event.currentTarget.querySelectorAll('button')];
  const at = heads.findIndex((head) => head.matches(':focus'));
  heads[at + step]?.focus();
  event.preventDefault();
}

/** The same object on every render, calling what the latest render was given. */
function useRowActions(props: {
  onCursor: (index: number) => void;
  onToggleSelected: (runId: string) => void;
  onOpen: (runId: string) => void;
  onEdit: (edit: RowEdit) => void;
}): RunRowActions {
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  return useMemo(
    () => ({
      cursor: (index) => latest.current.onCursor(index),
      toggleSelected: (runId) => latest.current.onToggleSelected(runId),
      open: (runId) => latest.current.onOpen(runId),
      edit: (runId, kind) => latest.current.onEdit({ runId, kind }),
    }),
    [],
  );
}

function HeadCell(props: {
  children: React.ReactNode;
  className?: string | false | undefined;
  sort?: 'ascending' | 'descending' | 'none';
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid is the tab stop.
    <span
      role="columnheader"
      className={classNames(props.className)}
      {...(props.sort === undefined ? {} : { 'aria-sort': props.sort })}
    >
      {props.children}
    </span>
  );
}

function rowId(run: RunSummary | undefined): string {
  return `run-row-${run?.id ?? 'none'}`;
}
