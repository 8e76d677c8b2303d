import { AUDIT_FIELDS, type AuditAnswer, type AuditedQuestion } from '@misstep/model';
import { useAudit } from '../../api/runs.ts';
import { classNames } from '../../ui/class-names.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { AuditMeter } from './audit-meter.tsx';
import list from './panel-list.module.css';
import styles from './recording-audit-list.module.css';
import { RunPanel } from './run-panel.tsx';

/** The seven questions in the step panel's place: what is recorded, and what would have to be. */
export function RecordingAuditList(props: { runId: string; onClose: () => void }) {
  const audit = useAudit(props.runId);
  return (
    <RunPanel
      title="Recording audit"
      note="judges the recording, not the run"
      onClose={props.onClose}
    >
      <div
        className={classNames(list.list, styles.list)}
        tabIndex={0}
        role="region"
        aria-label="List of questions"
      >
        {audit.error === null ? null : (
          <ProblemNotice
            error={audit.error}
            title="The audit can't be shown"
            onRetry={() => void audit.refetch()}
          />
        )}
        <ol>
          {audit.data?.questions.map((question) => (
            <Question key={question.id} {...question} />
          ))}
        </ol>
      </div>
    </RunPanel>
  );
}

const ANSWER_WORDS: Readonly<Record<AuditAnswer, string>> = {
  answered: 'answerable',
  partly: 'partly',
  no: 'not at all',
};

function Question({ question, answer, sentence, missing }: AuditedQuestion) {
  return (
    <li className={styles.question}>
      <h3>{question}</h3>
      <p className={styles.answer}>
        <AuditMeter className={styles.meter} answers={[answer]} />
        {ANSWER_WORDS[answer]}
      </p>
      <p className={styles.sentence}>{sentence}</p>
      {missing.length === 0 ? null : (
        <>
          <p className={styles.label}>Would have to be recorded</p>
          <ul className={styles.missing}>
            {missing.map((field) => (
              <li key={field}>
                {AUDIT_FIELDS[field]} <code>{field}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </li>
  );
}
