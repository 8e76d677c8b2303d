import { AUDIT_QUESTION_IDS, type AuditAnswer, type RecordingAudit } from '@misstep/model';
import { useAudit } from '../../api/runs.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './audit-fact.module.css';
import { AuditMeter } from './audit-meter.tsx';
import headerStyles from './run-header.module.css';

const UNKNOWN: readonly AuditAnswer[] = AUDIT_QUESTION_IDS.map(() => 'no');

/** How much of what one asks of a run its recording can answer; opens the list of questions. */
export function AuditFact(props: { runId: string; shown: boolean; onShow: () => void }) {
  const { data: audit, error } = useAudit(props.runId);
  const words = `${audit === undefined ? 0 : countOf(audit, 'answered')} of ${AUDIT_QUESTION_IDS.length} questions answerable`;
  const rest =
    audit === undefined
      ? ''
      : `, ${countOf(audit, 'partly')} partly, ${countOf(audit, 'no')} not at all`;
  return (
    <div className={headerStyles.fact}>
      <span className={headerStyles.factLabel}>Recording audit</span>
      <button
        type="button"
        className={classNames(headerStyles.factButton, styles.button)}
        aria-expanded={props.shown}
        aria-label={error === null ? `${words}${rest}` : 'Recording audit failed'}
        title={error === null ? `${words}${rest}` : 'The audit could not be read'}
        // The same room before the answer is there, so that nothing moves when it comes.
        disabled={audit === undefined && error === null}
        onClick={props.onShow}
      >
        <AuditMeter
          className={classNames(styles.meter, audit === undefined && styles.waiting)}
          answers={audit?.questions.map(({ answer }) => answer) ?? UNKNOWN}
        />
        <span className={classNames(styles.words, audit === undefined && styles.waiting)}>
          {words}
        </span>
      </button>
    </div>
  );
}

function countOf(audit: RecordingAudit, answer: AuditAnswer): number {
  return audit.questions.filter((question) => question.answer === answer).length;
}
