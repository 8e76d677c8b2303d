import { MARK_CATEGORIES, type MarkDraft } from '@misstep/model';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextArea, TextInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Segment } from '../../ui/segment.tsx';
import { ProblemLine } from '../shell/problem-notice.tsx';
import styles from './mark.module.css';
import type { MarkAreaProps } from './mark-area.tsx';
import { draftOf, type MarkForm, noDeviationDraft, toggleCitation } from './mark-draft.ts';
import { citationText, isMarkOn, previousMarkText } from './mark-place.ts';
import { useMarks } from './use-mark.ts';

/** The mark being made. Enter marks from any field; the tree does not move. */
export function MarkFormView(props: MarkAreaProps & { form: MarkForm }) {
  const { form, model, index, run, setMark } = props;
  const seq = index + 1;
  const kind = useRef<HTMLInputElement>(null);
  const kinds = useId();
  const ids = useId();
  useEffect(() => kind.current?.focus(), []);
  const marks = useMarks(run.id);
  const history = previousMarkText(marks.data?.marks ?? [], run.mark?.id ?? null, model.indexOf);
  const previousStepId = model.skeleton.ids[index - 1] ?? null;
  const isMarked = isMarkOn(props.mark, index);
  // The mark shows at once, so the form goes at once: the next key is the tree's again. A mark that
  // could not be kept brings its form back, with what was typed.
  const send = (draft: MarkDraft | null) => {
    setMark.mutate(draft, { onError: () => props.onForm(form) });
    props.onForm(null);
  };
  const submit = () => send(draftOf(form, previousStepId));
  const category = MARK_CATEGORIES.map(String).indexOf(form.category);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      props.onForm(null);
    }
  };
  return (
    <form
      className={styles.form}
      aria-label="Mark"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className={styles.block}>
        <span className={styles.flag}>
          <Icon name="flag" />
        </span>
        <b className={`${styles.title} ${styles.words}`}>
          {`First wrong step: ${form.place === 'step' ? `step ${seq}` : gapWords(seq)}`}
        </b>
        <span className={styles.signed}>{`as ${props.author}`}</span>
      </div>
      <div className={styles.fields}>
        <span className={styles.label}>Place</span>
        <Segment
          label="Place"
          small
          options={[
            { value: 'step', label: 'on this step' },
            { value: 'gap', label: 'on the gap before it', title: 'A call should have been there' },
          ]}
          value={form.place}
          onChange={(place) => props.onForm({ ...form, place })}
        />
        <label className={styles.label} htmlFor={`${ids}-kind`}>
          Kind
        </label>
        <TextInput
          ref={kind}
          id={`${ids}-kind`}
          list={kinds}
          maxLength={80}
          placeholder="choose one of 9, or your own words"
          title={category < 0 ? undefined : `${category + 1} of ${MARK_CATEGORIES.length}`}
          value={form.category}
          onChange={(event) => props.onForm({ ...form, category: event.currentTarget.value })}
        />
        <datalist id={kinds}>
          {MARK_CATEGORIES.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <span className={styles.label}>Cites</span>
        <Citations {...props} />
        <label className={styles.label} htmlFor={`${ids}-reason`}>
          Because
        </label>
        <TextArea
          id={`${ids}-reason`}
          className={styles.area ?? ''}
          maxLength={4000}
          value={form.reason}
          onChange={(event) => props.onForm({ ...form, reason: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            submit();
          }}
        />
      </div>
      <div className={styles.buttons}>
        <Button type="submit" kind="markFilled" unavailable={setMark.isPending}>
          <Icon name="flag" small />
          {form.place === 'step' ? `Mark step ${seq}` : 'Mark the gap'} <Kbd onFill>Enter</Kbd>
        </Button>
        <Button onClick={() => send(noDeviationDraft(form.reason))}>No deviation</Button>
        {isMarked ? <Button onClick={() => send(null)}>Remove</Button> : null}
        <span className={styles.spacer} />
        {history === null ? null : (
          <span className={styles.history} title={history}>
            {history}
          </span>
        )}
      </div>
      {setMark.error === null ? null : (
        <div className={styles.list}>
          <ProblemLine error={setMark.error} />
        </div>
      )}
    </form>
  );
}

function gapWords(seq: number): string {
  return seq === 1 ? 'before step 1' : `after step ${seq - 1}`;
}

function Citations(props: MarkAreaProps & { form: MarkForm }) {
  const { form } = props;
  return (
    <div className={styles.cites}>
      {form.citations.map((citation) => (
        <span
          key={`${citation.stepId}${citation.part}${citation.pointer}${citation.experimentId ?? citation.replayId ?? ''}`}
          className={styles.citation}
        >
          {citationText(citation)}
          <button
            type="button"
            className={styles.remove}
            aria-label={`Remove citation of ${citationText(citation)}`}
            onClick={() => props.onForm(toggleCitation(form, citation))}
          >
            <Icon name="cross" small />
          </button>
        </span>
      ))}
      <span className={styles.hint}>
        {form.citations.length === 0
          ? 'the whole step; pick a value by its flag below'
          : 'picked in the panel'}
      </span>
    </div>
  );
}
