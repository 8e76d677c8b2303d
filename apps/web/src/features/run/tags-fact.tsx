import type { RunDetail } from '@misstep/contract';
import { useState } from 'react';
import { useUpdateRun } from '../../api/runs.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { TextInput } from '../../ui/field.tsx';
import { ProblemLine } from '../shell/problem-notice.tsx';
import styles from './run-header.module.css';

const SHOWN = 2;

/** Tags, edited in place as words between commas. */
export function TagsFact(props: { run: RunDetail }) {
  const { run } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const update = useUpdateRun();
  const save = () => {
    const tags = [
      ...new Set(
        (draft ?? '')
          .split(',')
          .map((tag) => tag.trim())
          .filter((tag) => tag !== ''),
      ),
    ];
    update.mutate({ runId: run.id, changes: { tags } }, { onSuccess: () => setDraft(null) });
  };
  const more = run.tags.length - SHOWN;
  return (
    <div className={classNames(styles.fact, styles.tagsFact)}>
      <span className={styles.factLabel}>Tags</span>
      <span>
        <button
          type="button"
          className={styles.factButton}
          aria-expanded={draft !== null}
          title={run.tags.length === 0 ? 'Add tags' : run.tags.join(', ')}
          onClick={() => setDraft(draft === null ? run.tags.join(', ') : null)}
        >
          {run.tags.length === 0 ? <span className={styles.quiet}>none</span> : null}
          {run.tags.slice(0, SHOWN).map((tag) => (
            <Chip key={tag}>{tag}</Chip>
          ))}
          {more > 0 ? <Chip>{`+${more}`}</Chip> : null}
        </button>
      </span>
      {draft === null ? null : (
        <form
          className={styles.editor}
          aria-label="Tags"
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            setDraft(null);
          }}
        >
          <TextInput
            aria-label="Tags, with commas between"
            value={draft}
            onChange={(event) => setDraft(event.currentTarget.value)}
          />
          <div className={styles.editorButtons}>
            <Button kind="primary" type="submit">
              Save tags
            </Button>
            <Button kind="quiet" onClick={() => setDraft(null)}>
              Cancel
            </Button>
          </div>
          {update.error === null ? null : <ProblemLine error={update.error} />}
        </form>
      )}
    </div>
  );
}
