import type { Replay } from '@misstep/model';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { Worded } from '../step-panel/worded.tsx';
import styles from './replay-screen.module.css';
import { type Draft, whyNotSend } from './use-draft.ts';

export interface SendAreaProps {
  readonly draft: Draft;
  /** The replay that is on its way; null = none. */
  readonly running: Replay | null;
  readonly isStarting: boolean;
  readonly onSend: () => void;
  /** Opens the plan of several sends; sends nothing. */
  readonly onSendSeveral: () => void;
  readonly onCancel: () => void;
  /** By what the server last said of the tool: true, false, or null = it never said. */
  readonly knownReadOnly: boolean | null;
  readonly needsName: boolean;
  readonly nameField: { current: HTMLInputElement | null };
}

/** The confirmation, in place, and the one button that sends. */
export function SendArea(props: SendAreaProps) {
  const { draft } = props;
  const blocked = whyNotSend(draft, props.needsName);
  const isBusy = props.running !== null || props.isStarting;
  const matches = draft.typedTool === draft.tool;
  const noName = !props.needsName && props.knownReadOnly === true;
  return (
    <>
      {/* What is out is allowed already. */}
      {props.running !== null ? null : (
        <div className={`${styles.notice} ${styles.confirm}`}>
          {isListed(draft) ? (
            <Icon name="lock" />
          ) : (
            <Icon name="warning" className={styles.warning} />
          )}
          <div className={styles.noticeWords}>
            <span className={styles.strong}>{hintWords(props)}</span>
            <span className={styles.secondary}>{askWords(props)}</span>
            <ListFault draft={draft} />
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
      )}
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

/** What clients take offence at in the server's list stands far above: here it is in sight. */
function ListFault({ draft }: { draft: Draft }) {
  const toolList = draft.stepTool?.live?.toolList ?? null;
  if (toolList === null || toolList.reach === null) return null;
  const own = toolList.faults.find((fault) => fault.tool === draft.tool);
  if (own === undefined && toolList.reach !== 'all') return null;
  return (
    <span className={styles.strong}>
      <Worded
        text={`tools/list: ${own?.words ?? 'strict clients would drop all of it (Clients, above)'}`}
      />
    </span>
  );
}

/** False only where the server's list is known and the tool is not in it. */
function isListed({ stepTool }: Draft): boolean {
  return stepTool?.live == null || stepTool.live.definition !== null;
}

function hintWords(props: SendAreaProps): string {
  if (!isListed(props.draft)) {
    return `The server lists no tool named ${visibleLine(props.draft.tool)}: a send ends before the call, and says which names are near.`;
  }
  const hint = props.draft.stepTool?.live?.definition?.destructiveHint ?? null;
  if (hint === true && props.knownReadOnly !== true) {
    return 'destructiveHint: the server says that this tool can destroy.';
  }
  if (props.knownReadOnly === true) {
    return props.draft.target?.trustsReadOnlyHint === true
      ? 'The server says readOnlyHint, and you trust it.'
      : 'The server says readOnlyHint, but you have not said that you trust its hints.';
  }
  return props.knownReadOnly === false
    ? 'No readOnlyHint, so treated as a write.'
    : 'Treated as a write: the server has not been asked yet.';
}

function askWords(props: SendAreaProps): string {
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
