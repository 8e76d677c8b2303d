import { EVIDENCE_GRADES, FAILED_STATUSES, STEP_STATUSES } from '@misstep/model';
import { classNames } from '../../ui/class-names.ts';
import { evidenceFillClass } from '../../ui/evidence.tsx';
import { formatStepDuration } from '../../ui/format-time.ts';
import { Icon } from '../../ui/icon.tsx';
import { placeText } from '../run/amounts.ts';
import type { RunModel } from '../run/use-run-model.ts';
import { type Bar, barOf, hasDerivedTime } from './bar-geometry.ts';
import { kindOf } from './row-words.ts';
import type { TimeAxis } from './time-axis.ts';
import styles from './waterfall.module.css';

const MARK_LABEL_PX = 108;

/** Where a step stands in time. The fill says how its timing was recorded. */
export function WaterfallCell(props: {
  model: RunModel;
  index: number;
  axis: TimeAxis | null;
  widthPx: number;
  isMarked: boolean;
}) {
  const { skeleton, shape } = props.model;
  const bar = barOf(skeleton, shape, props.axis, props.widthPx, props.index);
  const title = titleOf(props.model, props.index, bar);
  return (
    <span role="gridcell" className={styles.waterfall} title={title}>
      <BarView {...props} bar={bar} />
    </span>
  );
}

function BarView(props: {
  model: RunModel;
  index: number;
  isMarked: boolean;
  widthPx: number;
  bar: Bar;
}) {
  const { bar } = props;
  const { skeleton } = props.model;
  if (bar.kind === 'outside') return null;
  if (bar.kind === 'untimed') return <span className={styles.untimed}>order only, no time</span>;
  const place = { left: bar.leftPx, width: bar.widthPx };
  const status = STEP_STATUSES[skeleton.statuses[props.index] ?? 0] ?? 'none';
  if (bar.kind === 'stopped') {
    return (
      <span className={styles.barError} style={{ left: Math.min(bar.leftPx, props.widthPx - 14) }}>
        <Icon name="block" small />
      </span>
    );
  }
  const kind = kindOf(skeleton, props.index);
  if (bar.kind === 'instant' && (kind === 'user' || kind === 'note')) {
    return <i className={styles.moment} style={{ left: bar.leftPx }} />;
  }
  const grade = EVIDENCE_GRADES[skeleton.timeEvidence[props.index] ?? 3] ?? 'derived';
  const fill =
    bar.kind === 'open'
      ? styles.open
      : bar.kind === 'bracket'
        ? styles.bracket
        : bar.kind === 'order' || hasDerivedTime(skeleton.flags[props.index] ?? 0)
          ? evidenceFillClass('derived')
          : evidenceFillClass(grade);
  return (
    <>
      <i
        className={classNames(styles.bar, fill, props.isMarked && styles.barMarked)}
        style={place}
      />
      <BarNote {...props} status={status} endPx={bar.leftPx + bar.widthPx} />
    </>
  );
}

/** What stands beside a bar: the mark, an error, or the question after an open one. */
function BarNote(props: {
  model: RunModel;
  index: number;
  isMarked: boolean;
  widthPx: number;
  bar: Bar;
  status: string;
  endPx: number;
}) {
  const { bar, endPx, widthPx } = props;
  if (props.isMarked && 'leftPx' in bar) {
    const startNs = props.model.skeleton.startsNs[props.index] ?? null;
    const words = startNs === null ? 'the mark' : `the mark, ${placeText(startNs)}`;
    const fits = endPx + MARK_LABEL_PX <= widthPx;
    if (!fits && bar.leftPx < MARK_LABEL_PX) return null;
    return (
      <span
        className={styles.markWords}
        style={fits ? { left: endPx + 5 } : { right: widthPx - bar.leftPx + 5 }}
      >
        {words}
      </span>
    );
  }
  if (bar.kind === 'open') {
    return (
      <span className={styles.openWords} style={{ left: Math.min(endPx + 2, widthPx - 9) }}>
        ?
      </span>
    );
  }
  const failed = [...FAILED_STATUSES].some((each) => each === props.status);
  return failed ? (
    <span className={styles.barError} style={{ left: Math.min(endPx + 3, widthPx - 13) }}>
      <Icon name="cross" small />
    </span>
  ) : null;
}

function titleOf(model: RunModel, index: number, bar: Bar): string {
  const { skeleton } = model;
  const startNs = skeleton.startsNs[index] ?? null;
  const durationNs = skeleton.durationsNs[index] ?? null;
  if (startNs === null) return 'no time recorded, placed by order only';
  const derived = hasDerivedTime(skeleton.flags[index] ?? 0) ? ', worked out by Misstep' : '';
  const length =
    bar.kind === 'open'
      ? ', no answer recorded'
      : durationNs === null
        ? ', end not recorded'
        : `, ${formatStepDuration(durationNs)}`;
  return `at ${placeText(startNs)}${length}${derived}`;
}
