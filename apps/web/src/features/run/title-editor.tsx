import type { RunDetail } from '@misstep/contract';
import { useState } from 'react';
import { useUpdateRun } from '../../api/runs.ts';
import { directionOf } from '../../ui/text-direction.ts';
import { ProblemLine } from '../shell/problem-notice.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './run-header.module.css';

/** The title, renamed in place: Enter or leaving the field saves, Esc keeps the old one. */
export function TitleEditor(props: { run: RunDetail }) {
  const { run } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const update = useUpdateRun();
  const save = () => {
    const title = draft?.trim() ?? '';
    setDraft(null);
    if (title !== '' && title !== run.title) update.mutate({ runId: run.id, changes: { title } });
  };
  if (draft === null) {
    const title = visibleLine(run.title);
    return (
      <>
        <h1 className={styles.heading}>
          <button
            type="button"
            className={styles.titleButton}
            title={`${title}: rename`}
            dir={directionOf(title)}
            onClick={() => setDraft(run.title)}
          >
            {title}
          </button>
        </h1>
        {update.error === null ? null : <ProblemLine error={update.error} />}
      </>
    );
  }
  return (
    <form
      className={`${styles.heading} ${styles.titleForm}`}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <input
        // The person has just asked to type here.
        ref={(element) => element?.focus()}
        className={styles.titleInput}
        aria-label="Title of the run"
        value={draft}
        maxLength={300}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          setDraft(null);
        }}
      />
    </form>
  );
}
