import type { JsonChange } from '@misstep/json';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { putBack, spanOf, splitDrafts } from './argument-changes.ts';
import type { EditorHandle } from './arguments-editor.tsx';
import styles from './draft.module.css';
import type { Draft } from './use-draft.ts';

const FIRST_SHOWN = 6;
/** As many as the command takes too: nobody reads a longer plan before they confirm it. */
const MOST_SPLIT = 50;

/** What the draft changes in the recorded call, place by place; each can be put back alone. */
export function ChangeList(props: { draft: Draft; editor: { current: EditorHandle | null } }) {
  const { draft } = props;
  const [showsAll, setShowsAll] = useState(false);
  const { changes } = draft;
  if (changes === null || !draft.isEdited) return null;
  if (changes.onlyLayout) {
    return (
      <div className={styles.line}>
        <span className={styles.grow}>Same values; white space or the order of keys differs.</span>
        <Button
          small
          kind="quiet"
          onClick={() => {
            draft.setText(draft.recorded.text);
            requestAnimationFrame(() => props.editor.current?.focus());
          }}
        >
          Put back
        </Button>
      </div>
    );
  }
  const { values } = changes;
  const shown = showsAll ? values : values.slice(0, FIRST_SHOWN);
  return (
    <section aria-label="What is edited">
      <ul>
        {shown.map((change) => (
          <ChangeRow key={change.pointer} change={change} {...props} />
        ))}
      </ul>
      {shown.length < values.length ? (
        <div className={styles.line}>
          <Button small kind="quiet" onClick={() => setShowsAll(true)}>
            {`${values.length - shown.length} more`}
          </Button>
        </div>
      ) : null}
      {values.length > 1 ? <Causes draft={draft} values={values} /> : null}
    </section>
  );
}

function ChangeRow(props: {
  change: JsonChange;
  draft: Draft;
  editor: { current: EditorHandle | null };
}) {
  const { change, draft } = props;
  const { pointer, before, after } = change;
  const name = pointer === '' ? 'the whole' : visibleLine(pointer);
  return (
    <li className={styles.change}>
      <button
        type="button"
        className={styles.pointer}
        title={`${name}: go there in the text`}
        onClick={() => {
          const span = spanOf(draft.text, pointer);
          if (span !== null) props.editor.current?.select(span);
        }}
      >
        {name}
      </button>
      <span className={styles.values} title={`${before ?? 'not there'} → ${after ?? 'taken out'}`}>
        <Value text={before} none="not there" isNow={false} />
        <span aria-hidden="true"> → </span>
        <span className={styles.hidden}> is now </span>
        <Value text={after} none="taken out" isNow />
      </span>
      <Button
        small
        kind="quiet"
        aria-label={`Put back ${name}`}
        title="As it was recorded; the rest of the text stays as it is"
        onClick={() => {
          const text = putBack(draft.text, draft.recorded.text, change);
          draft.setText(text);
          // This row goes, and with it the focus: it moves to what was put back, once it is drawn.
          requestAnimationFrame(() => {
            const span = spanOf(text, pointer);
            if (span !== null) props.editor.current?.select(span);
          });
        }}
      >
        Put back
      </Button>
    </li>
  );
}

function Value(props: { text: string | null; none: string; isNow: boolean }) {
  if (props.text === null) return <span className={styles.none}>{props.none}</span>;
  return (
    <span className={props.isNow ? styles.now : styles.before}>{visibleLine(props.text)}</span>
  );
}

function Causes(props: { draft: Draft; values: readonly JsonChange[] }) {
  const { draft, values } = props;
  const isPlanned = draft.split.state === 'planned' || draft.split.state === 'sending';
  return (
    <div className={styles.notice}>
      <Icon name="warning" className={styles.warning} />
      <div className={styles.words}>
        <span>{`A difference in the result will have ${values.length} possible causes.`}</span>
        {values.length > MOST_SPLIT ? (
          <span className={styles.secondary}>
            {`At most ${MOST_SPLIT} can be sent one by one: put some back first.`}
          </span>
        ) : isPlanned ? null : (
          <Button
            small
            onClick={() => draft.split.plan(splitDrafts(draft.recorded.text, draft.text, values))}
          >
            {`Split into ${countOf(values.length, 'single-change replay')}`}
          </Button>
        )}
      </div>
    </div>
  );
}
