import type { StepDetail } from '@misstep/contract';
import type { Replay } from '@misstep/model';
import { lazy, Suspense, useEffect, useId, useMemo, useRef } from 'react';
import { useKeys } from '../../state/use-keys.ts';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { ArgumentIssues, spanOfIssue } from './argument-issues.tsx';
import editorStyles from './arguments-editor.module.css';
import type { EditorHandle } from './arguments-editor.tsx';
import { AskArea } from './asks/ask-area.tsx';
import { ChangeList } from './change-list.tsx';
import { ClientsPanel } from './clients-panel.tsx';
import { DefinitionLine } from './definition-line.tsx';
import { layOutArguments, type TextSpan } from './draft-arguments.ts';
import { DriftNotice } from './drift-notice.tsx';
import { Pins } from './pins.tsx';
import { RefusalNotice } from './refusal-notice.tsx';
import styles from './replay-screen.module.css';
import { readArgumentsSchema } from './schema-options.ts';
import { SendArea } from './send-area.tsx';
import { serverWords } from './server-words.ts';
import { SplitPanel } from './split-panel.tsx';
import { SplitSendArea } from './split-send-area.tsx';
import { TargetChoice } from './target-choice.tsx';
import { type Draft, definitionText, needsTypedName } from './use-draft.ts';

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
  /** Sends once although a conforming client leaves the tool out. */
  readonly onSendAnyway: () => void;
  /** Opens the plan of several sends; sends nothing. */
  readonly onSendSeveral: () => void;
  readonly onCancel: () => void;
  /** By the last receipt from this server: true, false, or null = it never said. */
  readonly knownReadOnly: boolean | null;
  readonly answersAs: string | null;
  /** How long after the run's start the recorded call came; null = not recorded. */
  readonly recordedDelayNs: number | null;
}

/** The next call: where to, with what, what is held still, and the one button that sends. */
export function DraftColumn(props: DraftColumnProps) {
  const { draft, step } = props;
  const nameField = useRef<HTMLInputElement>(null);
  const editor = useRef<EditorHandle>(null);
  // Opened by a key, nothing has focus: here the text is one Tab away, and letters are still keys.
  const argumentsHead = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) {
      argumentsHead.current?.focus({ preventScroll: true });
    }
  }, []);
  const issuesId = useId();
  const needsName = needsTypedName(draft, props.knownReadOnly);
  const isBusy = props.running !== null || props.isStarting;
  const definition = definitionText(draft.stepTool);
  const schema = useMemo(
    () => (definition === null ? null : readArgumentsSchema(definition)),
    [definition],
  );
  const faults = useFaults(draft);
  const editorPanel = useRef<HTMLDivElement>(null);
  useKeys({
    title: 'Arguments',
    panel: editorPanel,
    hints: [
      { caps: ['Ctrl', 'Enter'], words: 'send once' },
      { caps: ['Ctrl', 'Space'], words: 'what the schema offers' },
      { caps: ['Esc'], words: 'leave the text' },
    ],
    // The editor itself takes them; here they are only told.
    handlers: {},
  });
  return (
    <section className={styles.column} aria-label="Draft">
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
        <TargetChoice
          draft={draft}
          answersAs={props.answersAs ?? serverWords(draft.stepTool?.live?.server)}
        />
        <DefinitionLine draft={draft} isBusy={isBusy || draft.split.state === 'sending'} />
        {draft.stepTool === null ? null : <DriftNotice stepTool={draft.stepTool} />}
        {draft.recorded.gap === null ? null : (
          <div className={styles.notice}>
            <Icon name="warning" className={styles.warning} />
            <div className={styles.noticeWords}>
              <span className={styles.strong}>{draft.recorded.gap.title}</span>
              <span className={styles.secondary}>{draft.recorded.gap.words}</span>
            </div>
          </div>
        )}
        <div ref={argumentsHead} tabIndex={-1} className={styles.focusable}>
          <PanelHead title="Arguments" note="text, sent as typed">
            {draft.isEdited ? <span className={styles.edited}>{editedWords(draft)}</span> : null}
            {draft.problem !== null || layOutArguments(draft.text) === draft.text ? null : (
              <Button
                small
                kind="quiet"
                title="Puts one value on a line: the same values, other bytes"
                onClick={() => draft.setText(layOutArguments(draft.text))}
              >
                Over lines
              </Button>
            )}
          </PanelHead>
        </div>
        <div ref={editorPanel}>
          <Suspense fallback={<div className={editorStyles.waiting} />}>
            <ArgumentsEditor
              key={step.id}
              text={draft.text}
              recorded={draft.recorded.text}
              faults={faults}
              schema={schema}
              describedBy={issuesId}
              handle={editor}
              onChange={draft.setText}
              onSend={props.onSend}
            />
          </Suspense>
        </div>
        <ArgumentIssues id={issuesId} draft={draft} editor={editor} />
        <ChangeList draft={draft} editor={editor} />
        <SplitPanel draft={draft} />
        <Pins draft={draft} recordedDelayNs={props.recordedDelayNs} />
        <ClientsPanel draft={draft} />
      </div>
      <AskArea running={props.running} />
      {props.sendError === null ? null : (
        <RefusalNotice
          error={props.sendError}
          onEdit={() => editor.current?.focus()}
          onTypeName={() => nameField.current?.focus()}
          onSendAnyway={props.onSendAnyway}
        />
      )}
      {draft.split.state === 'planned' || draft.split.state === 'sending' ? (
        <SplitSendArea draft={draft} needsName={needsName} isBusy={isBusy} />
      ) : (
        <SendArea {...props} needsName={needsName} nameField={nameField} />
      )}
    </section>
  );
}

function editedWords({ changes }: Draft): string {
  if (changes === null) return 'edited';
  return changes.onlyLayout
    ? 'white space edited'
    : `${countOf(changes.values.length, 'value')} edited`;
}

/** What is underlined; null while the schema has not seen the present text yet. */
function useFaults(draft: Draft): readonly TextSpan[] | null {
  const { problem, checked, text, stepTool } = draft;
  const hasSchema = definitionText(stepTool) !== null;
  return useMemo(() => {
    if (problem !== null) return [problem];
    if (!hasSchema) return [];
    if (checked === null || checked.text !== text) return null;
    return checked.check.strict.issues.map(spanOfIssue);
  }, [problem, checked, text, hasSchema]);
}
