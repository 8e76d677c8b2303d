import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { VerdictChip } from '../../ui/verdict-chip.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { Worded } from '../step-panel/worded.tsx';
import styles from './draft.module.css';
import { OutcomeChip } from './outcome-chip.tsx';
import type { Draft } from './use-draft.ts';
import type { SplitCall } from './use-split.ts';

/** The plan of single-change replays: every text, progress, stop, verdicts. It is sent from below. */
export function SplitPanel(props: { draft: Draft }) {
  const { draft } = props;
  const { split } = draft;
  if (split.state === 'none') return null;
  const done = split.calls.filter(({ state }) => state === 'done').length;
  const total = split.calls.length;
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
      <span role="status" className={styles.hidden}>
        {split.state === 'over' ? noteOf('over', done, total) : ''}
      </span>
    </section>
  );
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
            onClick={() =>
              void navigate({
                search: (before) => ({ ...before, replay: replay.id }),
                replace: true,
              })
            }
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
          {replay.comparison?.sentence ?? <Worded text={replay.outcomeSentence ?? ''} />}
        </p>
      )}
      {call.refusal === null ? null : (
        <p className={styles.refusal}>
          <Worded text={call.refusal} />
        </p>
      )}
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
        {replay.comparison === null ? null : (
          <VerdictChip
            verdict={replay.comparison.verdict}
            edited={replay.comparison.inputsEdited === true}
          />
        )}
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
