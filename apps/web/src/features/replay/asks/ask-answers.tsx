import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field, TextArea } from '../../../ui/field.tsx';
import { countOf } from '../../../ui/format-count.ts';
import { Segment } from '../../../ui/segment.tsx';
import { visibleLine } from '../../step-panel/visible-text.ts';
import { VisibleText } from '../../step-panel/visible-text-view.tsx';
import styles from './asks.module.css';
import { type AskContent, rootsText, sampleText } from './read-ask.ts';
import { ShownTextView } from './shown-text-view.tsx';
import type { Answer } from './use-answer-ask.ts';

interface AnswerProps<Kind extends AskContent['kind']> {
  readonly content: Extract<AskContent, { kind: Kind }>;
  readonly isBusy: boolean;
  readonly onAnswer: (answer: Answer) => void;
}

/** An address that the server wants visited. Only the person opens it, and sees all of it first. */
export function UrlAnswer({ content, isBusy, onAnswer }: AnswerProps<'url'>) {
  const action = (name: string) => onAnswer({ kind: 'result', text: `{"action":"${name}"}` });
  return (
    <div className={styles.ask}>
      <div className={styles.message}>
        <ShownTextView value={content.message} />
      </div>
      <div className={`${styles.text} ${styles.mono}`}>
        <VisibleText text={content.url} />
      </div>
      {content.href === null ? (
        <span className={styles.error}>
          Not a web address, so nothing here opens it. It is shown as text only.
        </span>
      ) : (
        <span>
          <a href={content.href} target="_blank" rel="noopener noreferrer">
            Open the address above in a new tab
          </a>
          <span className={styles.secondary}>{` host: ${visibleLine(content.host ?? '')}`}</span>
        </span>
      )}
      <div className={styles.buttons}>
        <Button kind="primary" unavailable={isBusy} onClick={() => action('accept')}>
          Accept
        </Button>
        <Button unavailable={isBusy} onClick={() => action('decline')}>
          Decline
        </Button>
        <Button unavailable={isBusy} onClick={() => action('cancel')}>
          Cancel the ask
        </Button>
      </div>
    </div>
  );
}

/** Messages for a model; the person answers in its place. */
export function SampleAnswer({ content, isBusy, onAnswer }: AnswerProps<'sample'>) {
  const [words, setWords] = useState('');
  return (
    <div className={styles.ask}>
      {content.system === null ? null : (
        <div className={styles.text}>
          <span className={styles.role}>system </span>
          <ShownTextView value={content.system} />
        </div>
      )}
      {content.messages.map((message, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the messages of an ask never change.
        <div key={at} className={styles.text}>
          <span className={styles.role}>{`${visibleLine(message.role)} `}</span>
          <ShownTextView value={message} />
        </div>
      ))}
      {content.messagesOmitted === 0 ? null : (
        <span className={styles.secondary}>
          {`${countOf(content.messagesOmitted, 'message')} more not shown`}
        </span>
      )}
      <Field label="assistant" note="Sent as text, in the role of the model.">
        {(ids) => (
          <TextArea
            {...ids}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
        )}
      </Field>
      <div className={styles.buttons}>
        <Button
          kind="primary"
          unavailable={isBusy}
          onClick={() => onAnswer({ kind: 'result', text: sampleText(words) })}
        >
          Answer
        </Button>
        <Button
          unavailable={isBusy}
          onClick={() =>
            onAnswer({ kind: 'error', text: '{"code":-1,"message":"declined by the person"}' })
          }
        >
          Decline
        </Button>
      </div>
    </div>
  );
}

/** The folders that the server may work in. They are words: nothing is opened or looked up. */
export function RootsAnswer(props: Omit<AnswerProps<'roots'>, 'content'>) {
  const [lines, setLines] = useState('');
  const { isBusy, onAnswer } = props;
  return (
    <div className={styles.ask}>
      <Field label="Folders" note="One a line. They are only told; nothing is opened.">
        {(ids) => (
          <TextArea
            {...ids}
            mono
            value={lines}
            onChange={(event) => setLines(event.currentTarget.value)}
          />
        )}
      </Field>
      <div className={styles.buttons}>
        <Button
          kind="primary"
          unavailable={isBusy}
          onClick={() => onAnswer({ kind: 'result', text: rootsText(lines) })}
        >
          {lines.trim() === '' ? 'Give none' : 'Give these'}
        </Button>
      </div>
    </div>
  );
}

/** Whatever the person wants to answer, as JSON text. */
export function RawAnswer(props: {
  initial: Answer;
  isBusy: boolean;
  onAnswer: (answer: Answer) => void;
}) {
  const [kind, setKind] = useState(props.initial.kind);
  const [text, setText] = useState(props.initial.text);
  return (
    <div className={styles.ask}>
      <Segment
        label="Member of the answer"
        small
        options={[
          { value: 'result', label: 'result' },
          { value: 'error', label: 'error' },
        ]}
        value={kind}
        onChange={setKind}
      />
      <TextArea
        mono
        aria-label="Answer as JSON"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={styles.buttons}>
        <Button
          kind="primary"
          unavailable={props.isBusy}
          onClick={() => props.onAnswer({ kind, text })}
        >
          Send as typed
        </Button>
      </div>
    </div>
  );
}
