import styles from './progress-bar.module.css';

/** Steps, never eases. Amount, total and time left stand beside it in words. */
export function ProgressBar(props: { label: string; done: number; total: number; width?: number }) {
  const percent = props.total > 0 ? Math.min(100, (props.done / props.total) * 100) : 0;
  return (
    <span
      className={styles.track}
      role="progressbar"
      aria-label={props.label}
      aria-valuenow={Math.round(percent)}
      aria-valuemin={0}
      aria-valuemax={100}
      style={props.width === undefined ? undefined : { width: props.width }}
    >
      <span className={styles.fill} style={{ width: `${percent}%` }} />
    </span>
  );
}
