import styles from './experiment.module.css';

/** A mark for each send of a call: filled once it came. */
export function SentMarks(props: { planned: number; sent: number }) {
  return (
    <span className={styles.marks} aria-hidden="true">
      {Array.from({ length: Math.min(props.planned, 12) }, (_, at) => (
        // They are all alike and never change their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above.
        <i key={at} data-sent={at < props.sent ? 'yes' : 'no'} />
      ))}
    </span>
  );
}
