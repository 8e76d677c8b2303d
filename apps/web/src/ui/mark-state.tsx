import type { Mark } from '@misstep/model';
import { Icon } from './icon.tsx';
import styles from './mark-state.module.css';

/** Where the mark of a run stands, in the words of the list: "step 7", "after step 6". */
export function markPlaceText(mark: Mark, markSeq: number | null): string {
  if (mark.place.kind === 'noDeviation') return 'no deviation';
  if (mark.place.kind === 'step') return markSeq === null ? 'marked' : `step ${markSeq}`;
  if (mark.place.afterStepId === null || markSeq === 0) return 'before step 1';
  return markSeq === null ? 'marked gap' : `after step ${markSeq}`;
}

/** Marked, no deviation, or unmarked: three facts with three icons. */
export function MarkState(props: { mark: Mark | null; markSeq: number | null }) {
  const { mark } = props;
  if (mark === null) {
    return (
      <span className={styles.unmarked} title="nobody has looked">
        <Icon name="flagOutline" small />
        unmarked
      </span>
    );
  }
  const signed = `${mark.author}, ${mark.createdAt.slice(0, 16).replace('T', ' ')} UTC${mark.reason === '' ? '' : `: ${mark.reason}`}`;
  if (mark.place.kind === 'noDeviation') {
    return (
      <span className={styles.none} title={signed}>
        <Icon name="check" small />
        no deviation
      </span>
    );
  }
  return (
    <span className={styles.marked} title={signed}>
      <Icon name="flag" small />
      <span className={styles.place}>{markPlaceText(mark, props.markSeq)}</span>
      <span className={styles.category}>{mark.category ?? ''}</span>
    </span>
  );
}
