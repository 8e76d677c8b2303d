import type { StepDetail } from '@misstep/contract';
import type { Replay } from '@misstep/model';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { countOf } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import editorStyles from './arguments-editor.module.css';
import { AskArea } from './asks/ask-area.tsx';
import { layOutArguments } from './draft-arguments.ts';
import { Pins } from './pins.tsx';
import { RefusalNotice } from './refusal-notice.tsx';
import styles from './replay-screen.module.css';
import { TargetChoice } from './target-choice.tsx';
import { type Draft, whyNotSend } from './use-draft.ts';

const ArgumentsEditor = lazy(() =>
  import('./arguments-editor.tsx').then((module) => ({ default: module.ArgumentsEditor })),
);

export interface DraftColumnProps {
  readonly step: StepDetail;
  readonly draft: Draft;
  /** `r3`: what the next replay will be called. */
  readonly name: string;
  /** The replay that is on its way; null = none. */
  readonly running: Replay | null;
  readonly isStarting: boolean;
  readonly sendError: unknown;
  readonly onSend: () => void;
  /** Opens the plan of several sends; sends nothing. */
  readonly onSendSeveral: () => void;
  readonly onCancel: () => void;
  /** By the last receipt from this server: true, false, or null = it never said. */
  readonly knownReadOnly: boolean | null;
  readonly answersAs: string | null;
}

/** The next call: where to, with what, what is held still, and the one button that sends. */
export function DraftColumn(props: DraftColumnProps) {
  const { draft, step } = props;
  const nameField = useRef<HTMLInputElement>(null);
  const column = useRef<HTMLElement>(null);
  const needsName = !(draft.target?.trustsReadOnlyHint === true && props.knownReadOnly !== false);
  const focusEditor = () =>
    column.current?.querySelector<HTMLElement>('[contenteditable="true"]')?.focus();
  return (
    <section ref={column} className={styles.column} aria-label="Draft">
      <PanelHead
        title={`Draft ${props.name}`}
        note={props.running === null ? 'not sent' : 'being sent'}
      >
        {draft.isEdited ? (
          <Button small kind="quiet" onClick={() => draft.setText(draft.recorded.text)}>
            Reset to recorded
          </Button>
        ) : null}
      </PanelHead>
      <div className={styles.scroll}>
        <TargetChoice draft={draft} answersAs={props.answersAs} />
        {draft.recorded.gap === null ? null : (
          <div className={styles.notice}>
            <Icon name="warning" className={styles.warning} />
            <div className={styles.noticeWords}>
              <span className={styles.strong}>{draft.recorded.gap.title}</span>
              <span className={styles.secondary}>{draft.recorded.gap.words}</span>
            </div>
          </div>
        )}
        <PanelHead title="Arguments" note="text, sent as typed">
          {draft.isEdited ? <span className={styles.edited}>{editedWords(draft)}</span> : null}
          <Button
            small
            kind="quiet"
            title="Puts one value on a line: the same values, other bytes"
            unavailable={draft.problem !== null || layOutArguments(draft.text) === draft.text}
            onClick={() => draft.setText(layOutArguments(draft.text))}
          >
            Over lines
          </Button>
        </PanelHead>
        <Suspense fallback={<div className={editorStyles.waiting} />}>
          <ArgumentsEditor
            key={step.id}
            text={draft.text}
            recorded={draft.recorded.text}
            problem={draft.problem}
            onChange={draft.setText}
            onSend={props.onSend}
          />
        </Suspense>
        {draft.problem !== null && draft.text !== '' ? (
          <div className={styles.notice} role="status">
            <Icon name="cross" className={styles.error} />
            <span className={styles.noticeWords}>{draft.problem.words}</span>
          </div>
        ) : null}
        {props.sendError === null ? null : (
          <RefusalNotice
            error={props.sendError}
            onEdit={focusEditor}
            onTypeName={() => nameField.current?.focus()}
          />
        )}
        <Pins draft={draft} />
      </div>
      <AskArea running={props.running} />
      <SendArea {...props} needsName={needsName} nameField={nameField} />
    </section>
  );
}

function editedWords(draft: Draft): string {
  if (draft.editedValues === null) return 'edited';
  return draft.editedValues === 0
    ? 'white space edited'
    : `${countOf(draft.editedValues, 'value')} edited`;
}

function SendArea(
  props: DraftColumnProps & {
    needsName: boolean;
    nameField: { current: HTMLInputElement | null };
  },
) {
  const { draft } = props;
  const blocked = whyNotSend(draft, props.needsName);
  const isBusy = props.running !== null || props.isStarting;
  const matches = draft.typedTool === draft.tool;
  const noName = !props.needsName && props.knownReadOnly === true;
  return (
    <>
      <div className={`${styles.notice} ${styles.confirm}`}>
        <Icon name="lock" />
        <div className={styles.noticeWords}>
          <span className={styles.strong}>{hintWords(props)}</span>
          <span className={styles.secondary}>{askWords(props)}</span>
          {noName ? null : (
            <span className={styles.field}>
              <TextInput
                ref={props.nameField}
                mono
                aria-label="Type the tool name to allow this send"
                placeholder={draft.tool}
                value={draft.typedTool}
                onChange={(event) => draft.setTypedTool(event.currentTarget.value)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
                    event.preventDefault();
                    props.onSend();
                  }
                }}
              />
              {matches ? (
                <>
                  <Icon name="check" small />
                  <span className={styles.secondary}>matches</span>
                </>
              ) : null}
            </span>
          )}
        </div>
      </div>
      <div className={styles.foot}>
        {isBusy ? (
          <>
            <Button kind="primary" className={styles.send ?? ''} unavailable aria-live="off">
              <Waiting startedAt={props.running?.startedAt ?? null} />
            </Button>
            <Button
              className={styles.cancelButton ?? ''}
              onClick={props.onCancel}
              unavailable={props.running === null}
            >
              Cancel <Kbd>Esc</Kbd>
            </Button>
          </>
        ) : (
          <Button
            kind="primary"
            className={styles.send ?? ''}
            unavailable={blocked !== null}
            title={blocked ?? 'One call, once'}
            onClick={props.onSend}
          >
            <Icon name="play" small />
            Send once <Kbd onFill>Ctrl Enter</Kbd>
          </Button>
        )}
        {isBusy ? null : (
          <Button
            className={styles.cancelButton ?? ''}
            title="Does the answer hold still? Shows the plan first"
            onClick={props.onSendSeveral}
          >
            Send 3 times
          </Button>
        )}
      </div>
      {blocked === null || isBusy ? null : (
        <p className={styles.why} role="status">
          {blocked}
        </p>
      )}
    </>
  );
}

function hintWords(props: DraftColumnProps): string {
  if (props.knownReadOnly === true) {
    return props.draft.target?.trustsReadOnlyHint === true
      ? 'The server says readOnlyHint, and you trust it.'
      : 'The server says readOnlyHint; you have not trusted it in that.';
  }
  return props.knownReadOnly === false
    ? 'No readOnlyHint, so treated as a write.'
    : 'Treated as a write: the server has not been asked yet.';
}

function askWords(props: DraftColumnProps & { needsName: boolean }): string {
  if (props.needsName) return 'Type the tool name to allow this send.';
  return props.knownReadOnly === true
    ? 'No name is asked for.'
    : 'If it says readOnlyHint, which you trust, no name is needed. Else nothing is sent without.';
}

/** `Waiting 1.2 s`, by the clock of this page. */
function Waiting(props: { startedAt: string | null }) {
  const [pressedAt] = useState(() => Date.now());
  const [now, setNow] = useState(pressedAt);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, []);
  const from = props.startedAt === null ? pressedAt : Date.parse(props.startedAt);
  return <>{`Waiting ${(Math.max(0, now - from) / 1000).toFixed(1)} s`}</>;
}
