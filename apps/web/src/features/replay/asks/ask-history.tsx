import type { Replay, ServerAsk } from '@misstep/model';
import { countOf } from '../../../ui/format-count.ts';
import { formatStepDuration } from '../../../ui/format-time.ts';
import { PanelHead } from '../../../ui/panel-head.tsx';
import { VisibleText } from '../../step-panel/visible-text-view.tsx';
import { atText } from '../at-text.ts';
import lanes from '../replay-screen.module.css';
import { readLogMessages } from './notifications.ts';

const LONGEST_ANSWER = 2000;

/** What the server asked during a replay and who answered, and what it logged through the protocol. */
export function AskHistory(props: { replay: Replay }) {
  const { asks, asksOmitted = 0, receipt, frames } = props.replay;
  const waited = receipt?.asks?.waitedNs ?? null;
  const { messages, omittedCount } = readLogMessages(frames);
  return (
    <>
      {asks.length === 0 ? null : (
        <>
          <PanelHead
            title="Asked by the server"
            level={3}
            note={countOf(asks.length + asksOmitted, 'ask')}
          >
            {waited === null ? null : (
              <span
                className={lanes.quiet}
              >{`${formatStepDuration(waited)} of the call waited`}</span>
            )}
          </PanelHead>
          {asks.map((ask) => (
            <div key={ask.ordinal} className={lanes.lane}>
              <span>{atText(ask.atNs)}</span>
              <span>
                <VisibleText text={ask.method.slice(0, 200)} />
                <span className={lanes.laneKind}>{` ${stateWords(ask)} `}</span>
                {ask.answer === null ? null : <AnswerText text={ask.answer.text} />}
              </span>
            </div>
          ))}
          {asksOmitted === 0 ? null : (
            <p className={lanes.empty}>
              {`${countOf(asksOmitted, 'more ask')}, answered by default at once: too many for a person.`}
            </p>
          )}
        </>
      )}
      {messages.length === 0 ? null : (
        <>
          <PanelHead
            title="Logged by the server"
            level={3}
            note={
              omittedCount === 0
                ? countOf(messages.length, 'message')
                : `last ${messages.length} of ${messages.length + omittedCount}`
            }
          />
          {messages.map((message) => (
            <div key={message.seq} className={lanes.lane}>
              <span>{atText(message.atNs)}</span>
              <span>
                <span className={lanes.laneKind}>
                  <VisibleText text={message.level} />{' '}
                </span>
                <VisibleText text={message.text} />
                {message.omitted === 0 ? null : (
                  <span className={lanes.laneKind}>
                    {` (${countOf(message.omitted, 'character')} more in the frame)`}
                  </span>
                )}
              </span>
            </div>
          ))}
        </>
      )}
    </>
  );
}

function stateWords(ask: ServerAsk): string {
  if (ask.answer !== null) {
    return ask.answer.by === 'person' ? 'answered by a person' : 'answered by default';
  }
  if (ask.endedUnanswered === 'withdrawn') return 'taken back by the server';
  return ask.endedUnanswered === 'replayEnded' ? 'unanswered when the replay ended' : 'waits';
}

function AnswerText(props: { text: string }) {
  const hidden = Math.max(0, props.text.length - LONGEST_ANSWER);
  return (
    <>
      <VisibleText text={props.text.slice(0, LONGEST_ANSWER)} />
      {hidden === 0 ? null : ` (${countOf(hidden, 'character')} more in the frame)`}
    </>
  );
}
