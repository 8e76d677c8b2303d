import type { RunDetail } from '@misstep/contract';
import { classNames } from '../../ui/class-names.ts';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './run-header.module.css';

/** Judgements that the source itself holds, apart from the person's mark; opens them in full. */
export function ExternalMarkFact(props: { run: RunDetail; shown: boolean; onShow: () => void }) {
  const { externalMarks } = props.run;
  const [first] = externalMarks;
  if (first === undefined) return null;
  const place = first.seq === null ? 'no step of this run' : `step ${first.seq}`;
  const more = externalMarks.length > 1 ? `, ${externalMarks.length - 1} more` : '';
  const words = visibleLine(`${place}${first.agent === null ? '' : `, ${first.agent}`}${more}`);
  return (
    <div className={styles.fact}>
      <span className={styles.factLabel}>
        {externalMarks.length === 1 ? 'External mark' : 'External marks'}
      </span>
      <button
        type="button"
        className={classNames(styles.factButton, styles.label)}
        aria-expanded={props.shown}
        title={`${words}: what the file itself says, with its reasons`}
        onClick={props.onShow}
      >
        <span className={classNames(styles.opens, styles.cut)}>{words}</span>
      </button>
    </div>
  );
}
