import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { countOf } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import { LeftOutField, mayLeaveOut } from './left-out-field.tsx';
import styles from './replay-screen.module.css';
import type { Draft } from './use-draft.ts';

interface SplitSendProps {
  readonly draft: Draft;
  readonly needsName: boolean;
  readonly isBusy: boolean;
}

/** While a split is open, the place of Send is its own: one name field, one button, for all of it. */
export function SplitSendArea(props: SplitSendProps) {
  const { draft, needsName } = props;
  const { split } = draft;
  const [typed, setTyped] = useState('');
  const [sendsLeftOut, setSendsLeftOut] = useState(false);
  const total = split.calls.length;
  const done = split.calls.filter(({ state }) => state === 'done').length;
  const blocked = whyNot(props, typed);
  if (split.state === 'sending') {
    return (
      <div className={styles.foot}>
        <Button kind="primary" className={styles.send ?? ''} unavailable>
          {`${done} of ${total} answered or ended`}
        </Button>
        <Button className={styles.cancelButton ?? ''} onClick={split.stop}>
          Stop
        </Button>
      </div>
    );
  }
  return (
    <>
      <div className={`${styles.notice} ${styles.confirm}`}>
        <Icon name="lock" />
        <div className={styles.noticeWords}>
          <span className={styles.strong}>
            {`Split: ${countOf(total, 'call')} to ${draft.target?.name ?? 'no server'}, one after the other.`}
          </span>
          <span className={styles.secondary}>
            {needsName ? 'Type the tool name to allow all of it.' : 'No name is asked for.'}
          </span>
          {needsName ? (
            <span className={styles.field}>
              <TextInput
                mono
                aria-label={`Type the tool name to allow all ${total} sends`}
                placeholder={draft.tool}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            </span>
          ) : null}
          {mayLeaveOut(draft.target) ? (
            <LeftOutField sends={sendsLeftOut} onChange={setSendsLeftOut} />
          ) : null}
        </div>
      </div>
      <div className={styles.foot}>
        <Button
          kind="primary"
          className={styles.send ?? ''}
          unavailable={blocked !== null}
          title={blocked ?? 'One after the other, each once'}
          onClick={() => split.send(typed === '' ? null : typed, sendsLeftOut)}
        >
          <Icon name="play" small />
          {`Send all ${total}`}
        </Button>
        <Button className={styles.cancelButton ?? ''} onClick={split.close}>
          Close the split
        </Button>
      </div>
      {blocked === null ? null : (
        <p className={styles.why} role="status">
          {blocked}
        </p>
      )}
    </>
  );
}

function whyNot({ draft, needsName, isBusy }: SplitSendProps, typed: string): string | null {
  if (isBusy) return 'Another replay is being sent.';
  if (draft.target === null) return 'No server is configured.';
  if (draft.target.confirmedAt === null) return 'The server is not confirmed yet.';
  if (needsName && typed !== draft.tool) return 'Type the tool name to allow all of it.';
  return null;
}
