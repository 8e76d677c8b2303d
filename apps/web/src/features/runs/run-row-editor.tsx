import type { RunSummary } from '@misstep/contract';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { type RunChanges, useDeleteRun, useRun, useUpdateRun } from '../../api/runs.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { TextInput } from '../../ui/field.tsx';
import { countOf, formatBytes } from '../../ui/format-count.ts';
import { Segment } from '../../ui/segment.tsx';
import { ProblemLine } from '../shell/problem-notice.tsx';
import styles from './run-row-editor.module.css';
import table from './run-table.module.css';

export type RowEditKind = 'title' | 'tags' | 'outcome' | 'delete';

/** What is being changed, in the place of which row. */
export interface RowEdit {
  readonly runId: string;
  readonly kind: RowEditKind;
}

/** Takes a row's place at the same height: renames, tags, judges or deletes its run. */
export function RunRowEditor(props: {
  run: RunSummary;
  kind: RowEditKind;
  id: string;
  index: number;
  top: number;
  current: boolean;
  columnCount: number;
  onClose: () => void;
}) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    row.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, []);
  const Editor = EDITORS[props.kind];
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the controls inside take focus.
    <div
      ref={row}
      role="row"
      id={props.id}
      aria-rowindex={props.index + 2}
      className={classNames(table.row, table.current, styles.row)}
      style={{ top: props.top }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        props.onClose();
      }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the controls inside take focus. */}
      <span role="gridcell" aria-colspan={props.columnCount} className={styles.cell}>
        <Editor run={props.run} onClose={props.onClose} />
      </span>
    </div>
  );
}

interface EditorProps {
  run: RunSummary;
  onClose: () => void;
}

function TitleEditor({ run, onClose }: EditorProps) {
  const [title, setTitle] = useState(run.title);
  return (
    <ChangeForm
      run={run}
      label={`Rename ${run.title}`}
      changes={() => ({ title: title.trim() })}
      missing={title.trim() === '' ? 'A run needs a title.' : null}
      onClose={onClose}
    >
      <TextInput
        data-first
        aria-label="Title"
        className={styles.wide}
        maxLength={300}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
      />
    </ChangeForm>
  );
}

/** "a, b , a" to ["a", "b"]. */
export function readTags(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
}

function TagsEditor({ run, onClose }: EditorProps) {
  const [text, setText] = useState(run.tags.join(', '));
  return (
    <ChangeForm
      run={run}
      label={`Tags of ${run.title}`}
      changes={() => ({ tags: readTags(text) })}
      missing={
        readTags(text).some((tag) => tag.length > 60) ? 'A tag has 60 characters at most.' : null
      }
      onClose={onClose}
    >
      <span className={styles.title} title={run.title}>
        {run.title}
      </span>
      <TextInput
        data-first
        aria-label="Tags, separated by commas"
        placeholder="tags, separated by commas"
        className={styles.wide}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </ChangeForm>
  );
}

const VERDICTS = [
  { value: 'right', label: 'right' },
  { value: 'wrong', label: 'wrong' },
  { value: 'stopped', label: 'stopped' },
  { value: 'notSet', label: 'not set' },
] as const;

function OutcomeEditor({ run, onClose }: EditorProps) {
  const [verdict, setVerdict] = useState<(typeof VERDICTS)[number]['value']>(
    run.outcome?.verdict ?? 'wrong',
  );
  const [text, setText] = useState(run.outcome?.text ?? '');
  return (
    <ChangeForm
      run={run}
      label={`Outcome of ${run.title}`}
      changes={() => ({
        outcome: verdict === 'notSet' ? null : { verdict, text: text.trim() },
      })}
      missing={null}
      onClose={onClose}
    >
      <span className={styles.title} title={run.title}>
        {run.title}
      </span>
      <Segment label="Outcome" options={VERDICTS} value={verdict} onChange={setVerdict} />
      <TextInput
        data-first
        aria-label="Outcome in words"
        placeholder="in your words, e.g. wrong total"
        className={styles.words}
        maxLength={200}
        readOnly={verdict === 'notSet'}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </ChangeForm>
  );
}

function ChangeForm(props: {
  run: RunSummary;
  label: string;
  changes: () => RunChanges;
  missing: string | null;
  onClose: () => void;
  children: ReactNode;
}) {
  const update = useUpdateRun();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (props.missing !== null || update.isPending) return;
    update.mutate(
      { runId: props.run.id, changes: props.changes() },
      { onSuccess: () => props.onClose() },
    );
  };
  return (
    <form className={styles.form} aria-label={props.label} onSubmit={submit}>
      {props.children}
      <Button type="submit" kind="primary" unavailable={props.missing !== null || update.isPending}>
        Save
      </Button>
      <Button onClick={props.onClose}>Cancel</Button>
      {props.missing === null ? null : <span className={styles.note}>{props.missing}</span>}
      {update.isError ? <ProblemLine error={update.error} /> : null}
    </form>
  );
}

function DeleteEditor({ run, onClose }: EditorProps) {
  const detail = useRun(run.id);
  const remove = useDeleteRun();
  const goes = detail.data === undefined ? null : whatGoes(detail.data);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a question with its two answers, not a form's fields.
    <span role="group" aria-label={`Delete ${run.title}`} className={styles.form}>
      <Button
        data-first
        kind="primary"
        unavailable={remove.isPending}
        onClick={() => remove.mutate(run.id, { onSuccess: onClose })}
      >
        Delete run
      </Button>
      <Button onClick={onClose}>Keep it</Button>
      <span className={styles.title} title={run.title}>
        {run.title}
      </span>
      <span className={styles.note} title={goes ?? ''}>
        {goes}
      </span>
      {remove.isError ? <ProblemLine error={remove.error} /> : null}
      {detail.isError ? <ProblemLine error={detail.error} /> : null}
    </span>
  );
}

function whatGoes(run: {
  stepCount: number;
  mark: unknown;
  replayCount: number;
  sources: readonly { sizeBytes: number }[];
}): string {
  const bytes = run.sources.reduce((sum, source) => sum + source.sizeBytes, 0);
  const parts = [
    countOf(run.stepCount, 'step'),
    run.mark === null ? 'no mark' : 'its marks',
    countOf(run.replayCount, 'replay'),
  ];
  return `goes with ${parts.join(', ')}; ${countOf(run.sources.length, 'source')}, ${formatBytes(bytes)}, unless another run needs ${run.sources.length === 1 ? 'it' : 'them'}`;
}

const EDITORS = {
  title: TitleEditor,
  tags: TagsEditor,
  outcome: OutcomeEditor,
  delete: DeleteEditor,
} as const;
