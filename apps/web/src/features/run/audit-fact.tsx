import { AUDIT_QUESTION_IDS, type AuditAnswer, type RecordingAudit } from '@misstep/model';
import { useAudit } from '../../api/runs.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './audit-fact.module.css';
import { AuditMeter } from './audit-meter.tsx';
import headerStyles from './run-header.module.css';

const UNKNOWN: readonly AuditAnswer[] = AUDIT_QUESTION_IDS.map(() => 'no');

const FAILED = 'Recording audit failed';

/** How much of what one asks of a run its recording can answer; opens the list of questions. */
export function AuditFact(props: { runId: string; shown: boolean; onShow: () => void }) {
  const { data: audit, error } = useAudit(props.runId);
  const words = `${audit === undefined ? 0 : countOf(audit, 'answered')} of ${AUDIT_QUESTION_IDS.length} questions answerable`;
  const name =
    audit !== undefined
      ? `${words}, ${countOf(audit, 'partly')} partly, ${countOf(audit, 'no')} not at all`
      : error === null
        ? 'Recording audit, being read'
        : FAILED;
  // Before the answer is there it has its room already, so that nothing moves when it comes.
  const waiting = audit === undefined && styles.waiting;
  return (
    <div className={headerStyles.fact}>
      <span className={headerStyles.factLabel}>Recording audit</span>
      <button
        type="button"
        className={classNames(headerStyles.factButton, styles.button)}
        aria-expanded={props.shown}
        aria-label={name}
        title={name}
        onClick={props.onShow}
      >
        <AuditMeter
          className={classNames(styles.meter, waiting)}
          answers={audit?.questions.map(({ answer }) => answer) ?? UNKNOWN}
        />
        {audit === undefined && error !== null ? (
          <span className={styles.failed}>failed</span>
        ) : (
          <span className={classNames(styles.words, waiting)}>{words}</span>
        )}
      </button>
    </div>
  );
}

function countOf(audit: RecordingAudit, answer: AuditAnswer): number {
  return audit.questions.filter((question) => question.answer === answer).length;
}
