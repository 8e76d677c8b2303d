import type { RunDetail } from '@misstep/contract';
import type { Outcome } from '@misstep/model';
import { useState } from 'react';
import { useUpdateRun } from '../../api/runs.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-shapes.ts';
import { Segment } from '../../ui/segment.tsx';
import { ProblemLine } from '../shell/problem-notice.tsx';
import styles from './run-header.module.css';

const ICONS: Readonly<Record<Outcome['verdict'], IconName>> = {
  right: 'check',
  wrong: 'cross',
  stopped: 'block',
};
const WORDS: Readonly<Record<Outcome['verdict'], string>> = {
  right: 'right answer',
  wrong: 'wrong answer',
  stopped: 'stopped',
};

/** The outcome, which only a person sets: a verdict and their own words. */
export function OutcomeFact(props: { run: RunDetail }) {
  const { run } = props;
  const [isOpen, setIsOpen] = useState(false);
  const { outcome } = run;
  return (
    <div className={styles.fact}>
      <span className={styles.factLabel}>Outcome</span>
      <span>
        <button
          type="button"
          className={styles.factButton}
          aria-expanded={isOpen}
          title="Set by a person; edit"
          onClick={() => setIsOpen(!isOpen)}
        >
          {outcome === null ? (
            <span className={styles.quiet}>not said</span>
          ) : (
            <>
              <Icon
                name={ICONS[outcome.verdict]}
                small
                className={outcome.verdict === 'wrong' ? styles.error : undefined}
              />
              {outcome.text === '' ? WORDS[outcome.verdict] : outcome.text}
            </>
          )}
        </button>
      </span>
      {isOpen ? <OutcomeEditor run={run} onClose={() => setIsOpen(false)} /> : null}
    </div>
  );
}

function OutcomeEditor(props: { run: RunDetail; onClose: () => void }) {
  const { run, onClose } = props;
  const [verdict, setVerdict] = useState<Outcome['verdict']>(run.outcome?.verdict ?? 'wrong');
  const [words, setWords] = useState(run.outcome?.text ?? '');
  const update = useUpdateRun();
  const save = (outcome: Outcome | null) =>
    update.mutate({ runId: run.id, changes: { outcome } }, { onSuccess: onClose });
  return (
    <form
      className={styles.editor}
      aria-label="Outcome"
      onSubmit={(event) => {
        event.preventDefault();
        save({ verdict, text: words.trim() });
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <Segment
        label="Verdict"
        options={[
          { value: 'right', label: 'right' },
          { value: 'wrong', label: 'wrong' },
          { value: 'stopped', label: 'stopped' },
        ]}
        value={verdict}
        onChange={setVerdict}
      />
      <TextInput
        aria-label="In your words"
        placeholder={WORDS[verdict]}
        maxLength={200}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        ref={(element) => {
          if (element !== null && !element.dataset.seen) {
            element.dataset.seen = 'yes';
            element.focus();
          }
        }}
      />
      <div className={styles.editorButtons}>
        <Button kind="primary" type="submit">
          Save outcome
        </Button>
        {run.outcome === null ? null : <Button onClick={() => save(null)}>Take back</Button>}
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
      {update.error === null ? null : <ProblemLine error={update.error} />}
    </form>
  );
}
