import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { idleText } from '../run/amounts.ts';
import styles from './call-tree.module.css';
import type { IdleGap } from './idle-gaps.ts';
import { clockLabel } from './time-axis.ts';

/** A divider where the run was idle: how long, from when to when, and whether the axis hides it. */
export function IdleRow(props: {
  gap: IdleGap;
  row: number;
  topPx: number;
  waitsForUser: boolean;
  toScale: boolean;
  isLater: boolean;
  onToggleScale: () => void;
}) {
  const { gap } = props;
  const span = `${clockLabel(gap.startNs)} to ${clockLabel(gap.endNs)}`;
  const words = [
    props.waitsForUser ? 'waiting for the user' : null,
    props.toScale ? span : `${span} hidden from the axis`,
  ].filter((part) => part !== null);
  return (
    <div
      role="row"
      aria-rowindex={props.row + 2}
      className={classNames(styles.idle, props.isLater && styles.idleLater)}
      style={{ transform: `translateY(${props.topPx}px)` }}
    >
      <span role="gridcell" tabIndex={-1}>
        <Icon name="clock" small />
        <b>{idleText(gap.endNs - gap.startNs)} idle</b>
        <span>{words.join(', ')}</span>
        <span className={styles.spacer} />
        <button
          type="button"
          tabIndex={-1}
          className={styles.idleButton}
          onClick={props.onToggleScale}
        >
          {props.toScale ? 'compress' : 'show to scale'}
        </button>
      </span>
    </div>
  );
}
