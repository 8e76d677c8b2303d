import type { RunDetail } from '@misstep/contract';
import { countOf, formatCount } from '../../ui/format-count.ts';
import styles from './run-header.module.css';
import { noteCount } from './run-notes.tsx';

const NAMED = 12;

/** How much the import had to say of the run; opens the list. Nothing where it had nothing to say. */
export function NotesFact(props: { run: RunDetail; shown: boolean; onShow: () => void }) {
  const { run } = props;
  const count = noteCount(run);
  if (count === 0) return null;
  const codes = [...new Set(run.issues.map(({ code }) => code))];
  const more = codes.length > NAMED ? `\nand ${codes.length - NAMED} further kinds` : '';
  return (
    <div className={styles.fact}>
      <span className={styles.factLabel}>Import notes</span>
      <button
        type="button"
        className={styles.factButton}
        aria-expanded={props.shown}
        aria-label={`${countOf(count, 'note')} of the import`}
        title={`${codes.slice(0, NAMED).join('\n')}${more}`}
        onClick={props.onShow}
      >
        <span className={styles.opens}>{formatCount(count)}</span>
      </button>
    </div>
  );
}
