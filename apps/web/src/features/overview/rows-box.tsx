import { type MouseEvent, type PointerEvent, useRef } from 'react';
import type { RowsInView } from '../call-tree/call-tree.tsx';
import { rangeOfRows, rowNearestTo } from '../call-tree/rows-range.ts';
import type { TimeAxis } from '../call-tree/time-axis.ts';
import type { VisibleRows } from '../call-tree/visible-rows.ts';
import type { RunModel } from '../run/use-run-model.ts';
import styles from './overview.module.css';

/** Room for the names of the lanes at the left, and what stays free at the right. */
export const LEFT_PX = 78;
export const RIGHT_PX = 19;

export interface RowsBoxProps {
  readonly model: RunModel;
  readonly visible: VisibleRows;
  readonly inView: RowsInView;
  readonly axis: TimeAxis;
  readonly onClick: (event: MouseEvent<SVGRectElement>) => void;
  readonly onScrollToRow: (row: number) => void;
}

/** The range of the rows in view; dragged, or moved by keys, it scrolls the tree. */
export function RowsBox(props: RowsBoxProps) {
  const { axis, visible, inView } = props;
  const { startsNs, durationsNs } = props.model.skeleton;
  const drag = useRef<{ grabPx: number; moved: boolean } | null>(null);
  const range = rangeOfRows(visible, startsNs, durationsNs, inView.first, inView.last);
  if (range === null) return null;
  const left = axis.toPx(range.startNs);
  const width = Math.max(4, axis.toPx(range.endNs) - left);
  const pointerPx = (event: PointerEvent<SVGRectElement>) =>
    event.clientX -
    (event.currentTarget.ownerSVGElement?.getBoundingClientRect().left ?? 0) -
    LEFT_PX;
  const pageRows = Math.max(1, inView.last - inView.first);
  return (
    <>
      {left > 0.5 ? (
        <rect x={0} y={21} width={left} height={63} className={styles.dim} pointerEvents="none" />
      ) : null}
      {left + width < axis.widthPx - 0.5 ? (
        <rect
          x={left + width}
          y={21}
          width={axis.widthPx + RIGHT_PX - left - width}
          height={63}
          className={styles.dim}
          pointerEvents="none"
        />
      ) : null}
      <rect
        role="slider"
        aria-label="Rows in view"
        aria-orientation="horizontal"
        aria-valuemin={1}
        aria-valuemax={Math.max(1, visible.rows.length)}
        aria-valuenow={inView.first + 1}
        aria-valuetext={`rows ${inView.first + 1} to ${inView.last + 1} of ${visible.rows.length}`}
        tabIndex={0}
        x={left}
        y={20.5}
        width={width}
        height={63}
        className={styles.box}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { grabPx: pointerPx(event) - left, moved: false };
        }}
        onPointerMove={(event) => {
          const held = drag.current;
          if (held === null) return;
          const toPx = pointerPx(event) - held.grabPx;
          if (!held.moved && Math.abs(toPx - left) < 3) return;
          held.moved = true;
          const row = rowNearestTo(visible, startsNs, axis.toNsAt(toPx));
          if (row >= 0) props.onScrollToRow(row);
        }}
        onPointerUp={(event) => {
          if (drag.current?.moved === false) props.onClick(event);
          drag.current = null;
        }}
        onKeyDown={(event) => {
          const distance = { ArrowRight: pageRows, ArrowLeft: -pageRows, Home: -1e9, End: 1e9 }[
            event.key
          ];
          if (distance === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          const last = visible.rows.length - 1;
          props.onScrollToRow(Math.max(0, Math.min(last, inView.first + distance)));
        }}
      />
      <rect x={left + width - 1.5} y={42} width={4} height={20} className={styles.grip} />
    </>
  );
}
