import { type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { usePreferences } from '../../state/preferences.ts';
import type { RowsInView } from '../call-tree/call-tree.tsx';
import {
  createTimeAxis,
  listTicks,
  overviewTickLabel,
  type TimeAxis,
} from '../call-tree/time-axis.ts';
import type { VisibleRows } from '../call-tree/visible-rows.ts';
import { firstIndexAtMark, type MarkSpot, spotText } from '../mark/mark-place.ts';
import { idleText } from '../run/amounts.ts';
import type { RunModel } from '../run/use-run-model.ts';
import {
  EXTERNAL_FLAG_PX,
  type FlagSpan,
  flagSpan,
  isCovered,
  markFlagPx,
  placeOrderWords,
  TICK_LABEL_PX,
} from './flag-room.ts';
import { LANE_HEIGHT_PX, LANE_TOPS_PX, lanePaths, nearestStep } from './lane-paths.ts';
import { planLanes } from './lanes.ts';
import { modelByOrder } from './order-model.ts';
import styles from './overview.module.css';
import { LEFT_PX, RIGHT_PX, RowsBox } from './rows-box.tsx';

const GAP_PX = 58;

export interface OverviewProps {
  readonly model: RunModel;
  readonly visible: VisibleRows;
  readonly inView: RowsInView;
  readonly selected: number | null;
  readonly mark: MarkSpot | null;
  /** What the file itself says of steps, by index. */
  readonly externals: ReadonlyMap<number, string>;
  readonly onSelect: (index: number) => void;
  readonly onScrollToRow: (row: number) => void;
}

/** The whole run in 84 px: lanes, idle stretches, errors, the mark, and which part the rows show. */
export function Overview(props: OverviewProps) {
  const isTimed = props.model.span !== null;
  const model = useMemo(
    () => (isTimed ? props.model : modelByOrder(props.model)),
    [isTimed, props.model],
  );
  const frame = useRef<HTMLElement>(null);
  const [widthPx, setWidthPx] = useState(() => window.innerWidth);
  useEffect(() => {
    const element = frame.current;
    if (element === null || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const toScale = usePreferences((state) => state.idleToScale);
  const axis = useMemo(
    () =>
      model.span === null
        ? null
        : createTimeAxis({
            fromNs: model.span.startNs,
            toNs: model.span.endNs,
            widthPx: Math.max(1, widthPx - LEFT_PX - RIGHT_PX),
            gaps: toScale ? [] : model.gaps,
            gapWidthPx: GAP_PX,
          }),
    [model, widthPx, toScale],
  );
  return (
    <section ref={frame} className={styles.overview} aria-label="Overview">
      <svg className={styles.svg} width={widthPx} height={84}>
        <title>Overview of the run</title>
        <rect width={widthPx} height={20} className={styles.headGround} />
        <path d={`M0 20.5H${widthPx}M0 70.5H${widthPx}`} className={styles.rule} />
        <text x={12} y={38} className={styles.label}>
          Model
        </text>
        <text x={12} y={51} className={styles.label}>
          Tools
        </text>
        <text x={12} y={64} className={styles.label}>
          Sub-agent
        </text>
        <text x={12} y={80.5} className={styles.label}>
          Errors
        </text>
        {axis === null ? (
          <text x={LEFT_PX + 4} y={14} className={styles.label}>
            no steps
          </text>
        ) : (
          <Plot {...props} model={model} axis={axis} isTimed={isTimed} />
        )}
      </svg>
    </section>
  );
}

function Plot(props: OverviewProps & { axis: TimeAxis; isTimed: boolean }) {
  const { model, axis, mark } = props;
  const { skeleton } = model;
  const plan = useMemo(() => planLanes(skeleton, model.shape), [skeleton, model.shape]);
  const paths = useMemo(() => lanePaths(plan, skeleton, axis), [plan, skeleton, axis]);
  const errors = useMemo(
    () => errorPath(plan.errors, skeleton.startsNs, axis),
    [plan, skeleton, axis],
  );
  const onClick = (event: MouseEvent<SVGRectElement>) => {
    const bounds = event.currentTarget.ownerSVGElement?.getBoundingClientRect();
    if (bounds === undefined) return;
    const y = event.clientY - bounds.top;
    const lane = LANE_TOPS_PX.findIndex((top) => y >= top - 2 && y <= top + LANE_HEIGHT_PX + 2);
    const ns = axis.toNsAt(event.clientX - bounds.left - LEFT_PX);
    const inLane = lane < 0 ? -1 : nearestStep(plan, skeleton, ns, lane);
    const index = inLane >= 0 ? inLane : nearestStep(plan, skeleton, ns, null);
    if (index >= 0) props.onSelect(index);
  };
  const flags = flagsOf(props, skeleton.startsNs, axis);
  const startNs = props.selected === null ? null : (skeleton.startsNs[props.selected] ?? null);
  return (
    <g transform={`translate(${LEFT_PX} 0)`}>
      {props.isTimed ? (
        <Ticks axis={axis} flags={flags} />
      ) : (
        <OrderWords count={skeleton.count} flags={flags} widthPx={axis.widthPx} />
      )}
      {[...plan.brackets].map((index) => {
        const from = skeleton.startsNs[index] ?? 0;
        const left = axis.toPx(from);
        const width = axis.toPx(from + (skeleton.durationsNs[index] ?? 0)) - left;
        return (
          <rect
            key={index}
            x={left}
            y={55}
            width={width}
            height={11}
            className={styles.agentFrame}
          />
        );
      })}
      {[...paths].map(([fill, path]) => (
        <path key={fill} d={path} className={styles[fill]} />
      ))}
      {axis.gaps.map((gap) => (
        <IdleStretch
          key={gap.gap}
          leftPx={gap.leftPx}
          widthPx={gap.widthPx}
          words={`${idleText(gap.endNs - gap.startNs)} idle`}
        />
      ))}
      <path d={errors} className={styles.error} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the tree has the keys for the same steps. */}
      <rect x={0} y={20} width={axis.widthPx} height={64} fill="transparent" onClick={onClick} />
      <RowsBox {...props} onClick={onClick} />
      {startNs === null ? null : (
        <path d={`M${axis.toPx(startNs).toFixed(1)} 70.5v13`} className={styles.selection} />
      )}
      {[...props.externals].map(([index, words]) => {
        const startNs = skeleton.startsNs[index] ?? null;
        return startNs === null ? null : (
          <ExternalFlag
            key={index}
            px={axis.toPx(startNs)}
            index={index}
            words={words}
            axis={axis}
            onSelect={props.onSelect}
          />
        );
      })}
      <MarkFlag mark={mark} startsNs={skeleton.startsNs} axis={axis} />
    </g>
  );
}

function Ticks(props: { axis: TimeAxis; flags: readonly FlagSpan[] }) {
  const ticks = listTicks(props.axis, {
    minimumPx: 70,
    labelPx: 44,
    label: overviewTickLabel,
    tickAfterGaps: false,
  });
  return ticks.map((tick) => {
    const collides = isCovered(props.flags, tick.px, tick.px + TICK_LABEL_PX);
    return (
      <g key={tick.ns}>
        <path d={`M${tick.px.toFixed(1)} 14V70`} className={styles.rule} />
        {collides ? null : (
          <text x={tick.px + 4} y={14} className={styles.label}>
            {tick.label}
          </text>
        )}
      </g>
    );
  });
}

/** What an axis without times says, where no flag stands over it. */
function OrderWords(props: { count: number; flags: readonly FlagSpan[]; widthPx: number }) {
  const place = placeOrderWords(props.count, props.flags, props.widthPx);
  return place === null ? null : (
    <text x={place.px} y={14} className={styles.label}>
      {place.words}
    </text>
  );
}

/** Where flags stand over the axis: the words below them are put elsewhere, or left out. */
function flagsOf(
  { mark, externals }: Pick<OverviewProps, 'mark' | 'externals'>,
  startsNs: readonly (number | null)[],
  axis: TimeAxis,
): FlagSpan[] {
  const px = markPx(mark, startsNs, axis);
  return [
    ...(px === null || mark === null
      ? []
      : [flagSpan(px - 1, markFlagPx(markFlagWords(mark)), axis.widthPx)]),
    ...[...externals.keys()].flatMap((index) => {
      const startNs = startsNs[index] ?? null;
      return startNs === null ? [] : [flagSpan(axis.toPx(startNs), EXTERNAL_FLAG_PX, axis.widthPx)];
    }),
  ];
}

function markFlagWords(mark: MarkSpot): string {
  return `${spotText(mark)}, the mark`;
}

function IdleStretch(props: { leftPx: number; widthPx: number; words: string }) {
  const middle = props.leftPx + props.widthPx / 2;
  const hasRoom = props.widthPx >= 4 + props.words.length * 5.3;
  return (
    <g>
      <title>{props.words}</title>
      <rect x={props.leftPx} y={21} width={props.widthPx} height={49} className={styles.idle} />
      {hasRoom ? (
        <>
          <rect
            x={props.leftPx + 2}
            y={37}
            width={props.widthPx - 4}
            height={16}
            className={styles.idlePlate}
          />
          <text x={middle} y={49} className={styles.idleWords}>
            {props.words}
          </text>
        </>
      ) : null}
    </g>
  );
}

/** An external mark: an outline, never the colour of the mark. It leads to its step, which has it in full. */
function ExternalFlag(props: {
  px: number;
  index: number;
  words: string;
  axis: TimeAxis;
  onSelect: (index: number) => void;
}) {
  const { from: flagPx } = flagSpan(props.px, EXTERNAL_FLAG_PX, props.axis.widthPx);
  const name = `External mark, step ${props.index + 1}`;
  return (
    <g
      role="button"
      tabIndex={0}
      aria-label={name}
      className={styles.externalMark}
      onClick={() => props.onSelect(props.index)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        event.stopPropagation();
        props.onSelect(props.index);
      }}
    >
      <title>{`${name}: ${props.words}`}</title>
      <path d={`M${props.px.toFixed(1)} 20V83`} className={styles.externalLine} />
      <rect
        x={flagPx}
        y={2.5}
        width={EXTERNAL_FLAG_PX}
        height={15}
        className={styles.externalFlag}
      />
      <text x={flagPx + 5} y={13.5} className={styles.externalWords}>
        external
      </text>
    </g>
  );
}

function MarkFlag(props: {
  mark: MarkSpot | null;
  startsNs: readonly (number | null)[];
  axis: TimeAxis;
}) {
  const px = markPx(props.mark, props.startsNs, props.axis);
  if (px === null || props.mark === null) return null;
  const words = markFlagWords(props.mark);
  const widthPx = markFlagPx(words);
  const { from: flagPx } = flagSpan(px - 1, widthPx, props.axis.widthPx);
  return (
    <g pointerEvents="none">
      <path d={`M${px.toFixed(1)} 2V83`} className={styles.markLine} />
      <rect x={flagPx} y={1} width={widthPx} height={16} className={styles.markFlag} />
      <text x={flagPx + 6} y={13} className={styles.markWords}>
        {words}
      </text>
    </g>
  );
}

function markPx(
  mark: MarkSpot | null,
  startsNs: readonly (number | null)[],
  axis: TimeAxis,
): number | null {
  const index = mark === null ? null : firstIndexAtMark(mark);
  if (index === null) return null;
  const startNs = startsNs[Math.min(index, startsNs.length - 1)] ?? null;
  return startNs === null ? null : axis.toPx(startNs);
}

function errorPath(
  errors: Int32Array,
  startsNs: readonly (number | null)[],
  axis: TimeAxis,
): string {
  const parts: string[] = [];
  let lastPx = Number.NEGATIVE_INFINITY;
  for (const index of errors) {
    const px = Math.round(axis.toPx(startsNs[index] ?? 0));
    if (px === lastPx) continue;
    lastPx = px;
    parts.push(`M${px} 72v9`);
  }
  return parts.join('');
}
