import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useConfirmTarget } from '../../api/targets.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox, SelectInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ProblemLine } from '../shell/problem-notice.tsx';
import styles from './replay-screen.module.css';
import type { Draft } from './use-draft.ts';

/** Where the call goes. Only servers that the person configured, and only once they confirmed them. */
export function TargetChoice(props: { draft: Draft; answersAs: string | null }) {
  const { targets, target, chooseTarget } = props.draft;
  if (targets === undefined) return <div className={styles.block} style={{ height: 73 }} />;
  if (target === null) {
    return (
      <div className={styles.notice}>
        <Icon name="terminal" />
        <div className={styles.noticeWords}>
          <span className={styles.strong}>No server is configured.</span>
          <span className={styles.secondary}>
            Add the MCP server that this call went to, by its command or its URL. Nothing in the
            recording can start one.
          </span>
          <Link to="/servers">Add a server</Link>
        </div>
      </div>
    );
  }
  return (
    <>
      <div className={styles.block}>
        <div className={styles.row}>
          <Icon name={target.address.transport === 'stdio' ? 'terminal' : 'globe'} small />
          <SelectInput
            aria-label="Server"
            value={target.name}
            onChange={(event) => chooseTarget(event.currentTarget.value)}
          >
            {targets.map((each) => (
              <option key={each.name} value={each.name}>
                {each.confirmedAt === null ? `${each.name} (not confirmed)` : each.name}
              </option>
            ))}
          </SelectInput>
          <span className={styles.spacer} />
          {props.answersAs === null ? null : (
            <span className={styles.answersAs}>
              <span className={styles.quiet}>answered as </span>
              <span className={styles.strong}>{props.answersAs}</span>
            </span>
          )}
        </div>
        <div className={styles.command} title="What is started, or the address that is called">
          {target.description}
        </div>
      </div>
      {target.confirmedAt === null ? <ConfirmTarget key={target.name} draft={props.draft} /> : null}
    </>
  );
}

function ConfirmTarget(props: { draft: Draft }) {
  const { target } = props.draft;
  const [trusts, setTrusts] = useState(false);
  const confirm = useConfirmTarget();
  if (target === null) return null;
  const isCommand = target.address.transport === 'stdio';
  return (
    <div className={styles.notice}>
      <Icon name="lock" />
      <div className={styles.noticeWords}>
        <span className={styles.strong}>
          {isCommand
            ? 'This command has never been confirmed.'
            : 'This address has never been confirmed.'}
        </span>
        <span className={styles.secondary}>
          {isCommand
            ? 'Sending starts it on this machine, whole as it stands above, with your rights.'
            : 'Sending calls it, whole as it stands above.'}
        </span>
        <CheckBox checked={trusts} onChange={setTrusts}>
          Trust its readOnlyHint: tools that carry it need no typed name
        </CheckBox>
        <Button
          small
          onClick={() => confirm.mutate({ target, trustsReadOnlyHint: trusts })}
          unavailable={confirm.isPending}
        >
          {isCommand ? 'Confirm this command' : 'Confirm this address'}
        </Button>
        {confirm.error === null ? null : <ProblemLine error={confirm.error} />}
      </div>
    </div>
  );
}
