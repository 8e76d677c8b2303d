import type { Replay, ServerAsk } from '@misstep/model';
import { useEffect, useMemo, useState } from 'react';
import { problemOf } from '../../../api/problem.ts';
import { Button } from '../../../ui/button.tsx';
import { countOf, formatBytes } from '../../../ui/format-count.ts';
import { PanelHead } from '../../../ui/panel-head.tsx';
import { VisibleText } from '../../step-panel/visible-text-view.tsx';
import { Worded } from '../../step-panel/worded.tsx';
import { RawAnswer, RootsAnswer, SampleAnswer, UrlAnswer } from './ask-answers.tsx';
import { AskForm } from './ask-form.tsx';
import styles from './asks.module.css';
import { latestProgress } from './notifications.ts';
import { type AskContent, readAsk } from './read-ask.ts';
import { ShownTextView } from './shown-text-view.tsx';
import { type Answer, useAnswerAsk } from './use-answer-ask.ts';

/** What the server wants while a replay is out: its progress, and the oldest open ask. */
export function AskArea(props: { running: Replay | null }) {
  const { running } = props;
  if (running === null) return null;
  const open = running.asks.filter((ask) => ask.answer === null && ask.endedUnanswered === null);
  const [first] = open;
  const progress = latestProgress(running.frames);
  return (
    <>
      {progress === null ? null : (
        <div className={styles.progress} role="status">
          <span className={styles.secondary}>progress</span>
          <VisibleText text={progress} />
        </div>
      )}
      {first === undefined ? null : (
        <AskPanel
          key={`${running.id}-${first.ordinal}`}
          ask={first}
          replay={running}
          waiting={open.length - 1}
        />
      )}
    </>
  );
}

function AskPanel(props: { ask: ServerAsk; replay: Replay; waiting: number }) {
  const { ask, replay } = props;
  const { method, paramsText, paramsOmittedBytes } = ask;
  // Asks come anew with every poll; the text of one never changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  const content = useMemo(() => readAsk(ask), [method, paramsText, paramsOmittedBytes]);
  const [isRaw, setIsRaw] = useState(content.kind === 'other');
  const answer = useAnswerAsk(replay.id, ask.ordinal);
  const send = (given: Answer) => answer.mutate(given);
  const isBusy = answer.isPending;
  return (
    <section className={styles.area} aria-label="The server asks">
      <PanelHead
        title="The server asks"
        note={
          props.waiting === 0 ? undefined : `${countOf(props.waiting, 'more', 'more')} after it`
        }
      >
        {content.kind === 'other' ? null : (
          <Button small kind="quiet" aria-pressed={isRaw} onClick={() => setIsRaw(!isRaw)}>
            Raw JSON
          </Button>
        )}
      </PanelHead>
      <div className={styles.ask}>
        <span className={styles.mono} role="status">
          <VisibleText text={method.slice(0, 200)} />
        </span>
        <DefaultLine ask={ask} startedAt={replay.startedAt} />
      </div>
      {isRaw ? (
        <>
          <Params content={content} ask={ask} />
          <RawAnswer initial={ask.defaultAnswer} isBusy={isBusy} onAnswer={send} />
        </>
      ) : (
        <Typed content={content} isBusy={isBusy} onAnswer={send} />
      )}
      {answer.error === null ? null : (
        <p className={`${styles.ask} ${styles.error}`} role="alert">
          <Worded text={problemOf(answer.error).message} />
        </p>
      )}
    </section>
  );
}

function Typed(props: {
  content: AskContent;
  isBusy: boolean;
  onAnswer: (answer: Answer) => void;
}) {
  const { content, ...rest } = props;
  switch (content.kind) {
    case 'form':
      return <AskForm content={content} {...rest} />;
    case 'url':
      return <UrlAnswer content={content} {...rest} />;
    case 'sample':
      return <SampleAnswer content={content} {...rest} />;
    case 'roots':
      return <RootsAnswer {...rest} />;
    case 'other':
      return null;
  }
}

/** What was asked, as it is written; for asks that have no form of their own, or beside raw JSON. */
function Params(props: { content: AskContent; ask: ServerAsk }) {
  const { ask, content } = props;
  const written = ask.paramsText ?? '';
  const params =
    content.kind === 'other'
      ? content.params
      : { text: written.slice(0, 8000), omitted: Math.max(0, written.length - 8000) };
  return (
    <div className={styles.ask}>
      {params === null ? (
        <span className={styles.secondary}>no params</span>
      ) : (
        <div className={`${styles.text} ${styles.mono}`}>
          <ShownTextView value={params} />
        </div>
      )}
      {ask.paramsOmittedBytes === 0 ? null : (
        <span className={styles.secondary}>
          {`${formatBytes(ask.paramsOmittedBytes)} more, in the frame log only`}
        </span>
      )}
    </div>
  );
}

/** What goes out without an answer, and when, by the clock of this page. */
function DefaultLine(props: { ask: ServerAsk; startedAt: string }) {
  const { ask, startedAt } = props;
  const dueAt = Date.parse(startedAt) + ask.atNs / 1e6 + ask.defaultAfterMs;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((dueAt - now) / 1000));
  return (
    <span className={styles.secondary}>
      {`Without an answer in ${seconds} s it gets the ${ask.defaultAnswer.kind} `}
      <span className={styles.mono}>
        <VisibleText text={ask.defaultAnswer.text} />
      </span>
    </span>
  );
}
