import type { RunDetail } from '@misstep/contract';
import { Link } from '@tanstack/react-router';
import { visibleLine } from '../step-panel/visible-text.ts';
import { externalText } from './external-labels.ts';
import styles from './run-header.module.css';

/** Judgements that the source itself holds, apart from the person's mark; leads to the first one's step. */
export function ExternalMarkFact(props: { run: RunDetail }) {
  const { id, externalMarks } = props.run;
  const [first] = externalMarks;
  if (first === undefined) return null;
  const place = first.seq === null ? 'no step of this run' : `step ${first.seq}`;
  const more = externalMarks.length > 1 ? `, ${externalMarks.length - 1} more` : '';
  const words = visibleLine(`${place}${first.agent === null ? '' : `, ${first.agent}`}${more}`);
  const title = `From the file, not a person's mark here:\n${externalMarks.map(externalText).join('\n')}`;
  return (
    <div className={styles.fact}>
      <span className={styles.factLabel}>External label</span>
      {first.stepId === null ? (
        <span className={styles.label} title={title}>
          {words}
        </span>
      ) : (
        <Link
          className={styles.label}
          to="/runs/$runId"
          params={{ runId: id }}
          search={(before) => ({ ...before, step: first.stepId ?? undefined })}
          title={title}
        >
          {words}
        </Link>
      )}
    </div>
  );
}
