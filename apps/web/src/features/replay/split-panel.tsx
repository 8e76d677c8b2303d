import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { countOf } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { VerdictChip } from '../../ui/verdict-chip.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './draft.module.css';
import { OutcomeChip } from './outcome-chip.tsx';
import type { Draft } from './use-draft.ts';
import type { SplitCall } from './use-split.ts';

/** The plan of single-change replays: every text, one confirmation, progress, stop, verdicts. */
export function SplitPanel(props: { draft: Draft; needsName: boolean; isBusy: boolean }) {
  const { draft } = props;
  const { split } = draft;
  const [typed, setTyped] = useState('');
  if (split.state === 'none') return null;
  const done = split.calls.filter(({ state }) => state === 'done').length;
  const total = split.calls.length;
  const blocked = whyNot(props, typed);
  return (
    <section aria-label="Split" className={styles.split}>
      <PanelHead title="Split" note={noteOf(split.state, done, total)}>
        {split.state === 'sending' ? (
          <Button small onClick={split.stop}>
            Stop
          </Button>
        ) : (
          <Button small kind="quiet" onClick={split.close}>
            Close
          </Button>
        )}
      </PanelHead>
      {split.state === 'planned' ? (
        <p className={styles.planWords}>
          {`${countOf(total, 'call')} of `}
          <span className={styles.mono}>{visibleLine(draft.tool)}</span>
          {` to ${draft.target?.name ?? 'no server'}, one after the other. Each makes one change to the recorded arguments.`}
        </p>
      ) : null}
      <ol>
        {split.calls.map((call, at) => (
          <CallRow key={call.change.pointer} call={call} number={at + 1} />
        ))}
      </ol>
      {split.state === 'planned' ? (
        <div className={styles.planFoot}>
          {props.needsName ? (
            <TextInput
              mono
              aria-label={`Type the tool name to allow all ${total} sends`}
              placeholder={draft.tool}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          ) : null}
          <Button
            kind="primary"
            unavailable={blocked !== null}
            title={blocked ?? 'One after the other, each once'}
            onClick={() => split.send(typed === '' ? null : typed)}
          >
            {`Send all ${total}`}
          </Button>
          {blocked === null ? null : <span className={styles.secondary}>{blocked}</span>}
        </div>
      ) : null}
      <span role="status" className={styles.hidden}>
        {split.state === 'over' ? noteOf('over', done, total) : ''}
      </span>
    </section>
  );
}

function whyNot(
  { draft, needsName, isBusy }: Parameters<typeof SplitPanel>[0],
  typed: string,
): string | null {
  if (isBusy) return 'Another replay is being sent.';
  if (draft.target === null) return 'No server is configured.';
  if (draft.target.confirmedAt === null) return 'The server is not confirmed yet.';
  if (needsName && typed !== draft.tool) return 'Type the tool name to allow all of it.';
  return null;
}

function noteOf(state: Draft['split']['state'], done: number, total: number): string {
  if (state === 'planned') return 'planned, nothing is sent yet';
  const words = `${done} of ${total} answered or ended`;
  return state === 'sending' ? `being sent, ${words}` : words;
}

function CallRow(props: { call: SplitCall; number: number }) {
  const { call, number } = props;
  const navigate = useNavigate({ from: '/runs/$runId/replay/$stepId' });
  const { change, argumentsText, replay } = call;
  const pointer = change.pointer === '' ? 'the whole' : visibleLine(change.pointer);
  return (
    <li className={styles.call}>
      <div className={styles.callHead}>
        <span className={styles.number}>{number}</span>
        <span className={styles.callPointer}>{pointer}</span>
        {replay === null ? null : (
          <Button
            small
            kind="quiet"
            aria-label={`Open the replay of ${pointer}`}
            onClick={() => void navigate({ search: { replay: replay.id }, replace: true })}
          >
            Open
          </Button>
        )}
      </div>
      <div className={styles.callState}>
        <CallState call={call} />
      </div>
      {replay === null ? (
        <pre className={styles.callText}>{visibleLines(argumentsText)}</pre>
      ) : (
        <p className={styles.callWords}>
          {replay.comparison?.sentence ?? replay.outcomeSentence ?? ''}
        </p>
      )}
      {call.refusal === null ? null : <p className={styles.refusal}>{call.refusal}</p>}
    </li>
  );
}

/** Line by line as it stands, with what would not be seen named. */
function visibleLines(text: string): string {
  return text.split('\n').map(visibleLine).join('\n');
}

function CallState(props: { call: SplitCall }) {
  const { state, replay } = props.call;
  if (replay !== null && replay.outcome !== null) {
    return (
      <>
        <OutcomeChip outcome={replay.outcome} />
        {replay.comparison === null ? null : <VerdictChip verdict={replay.comparison.verdict} />}
      </>
    );
  }
  const words = {
    planned: '',
    sending: 'waiting',
    done: '',
    refused: 'refused',
    'not known': 'sent, its end is not known',
    'not sent': 'not sent',
  };
  return words[state] === '' ? null : <span className={styles.secondary}>{words[state]}</span>;
}
