import type { TargetView } from '@misstep/contract';
import { useState } from 'react';
import { useConfirmTarget, useRemoveTarget } from '../../api/targets.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { CheckBox } from '../../ui/field.tsx';
import text from '../../ui/text.module.css';
import { ProblemLine } from '../shell/problem-notice.tsx';
import { factsOf, goesUnencrypted, lackingValues, TRANSPORT_WORDS } from './server-facts.ts';
import { ServerSettings } from './server-settings.tsx';
import styles from './servers-screen.module.css';
import { signInWords } from './sign-in-words.ts';

/** One server with its whole command or URL. Confirming and removing are asked in place. */
export function ServerItem(props: {
  target: TargetView;
  justAdded: boolean;
  /** `revocation` = what became of the tokens of its sign-in; null = it had none. */
  onRemoved: (revocation: string | null) => void;
}) {
  const { target } = props;
  const remove = useRemoveTarget(props.onRemoved);
  const [removing, setRemoving] = useState(false);
  const [open, setOpen] = useState(false);
  const lacking = lackingValues(target);
  const stdio = target.address.transport === 'stdio';
  return (
    <li aria-label={`Server ${target.name}`}>
      <div className={styles.head}>
        <h2 className={styles.name}>{target.name}</h2>
        <Chip icon={stdio ? 'terminal' : 'globe'}>{TRANSPORT_WORDS[target.address.transport]}</Chip>
        {target.settings.protocolRevision === 'auto' ? null : (
          <Chip title="The only revision of MCP that is spoken with it">
            {target.settings.protocolRevision}
          </Chip>
        )}
        {target.confirmedAt === null ? (
          <Chip inferred icon="unknown" title="Nothing can be sent to it yet">
            not confirmed
          </Chip>
        ) : (
          <Chip icon="check">confirmed</Chip>
        )}
        {target.trustsReadOnlyHint ? (
          <Chip title="A tool that it marks readOnlyHint is sent without its name typed">
            read-only hints trusted
          </Chip>
        ) : null}
        {lacking.length === 0 ? null : (
          <Chip tone="truncated" icon="lock" title={`No value for ${lacking.join(', ')}`}>
            {lacking.length === 1 ? 'a value is missing' : `${lacking.length} values are missing`}
          </Chip>
        )}
        {target.signIn.state === 'signedOut' ? null : (
          <Chip
            icon="lock"
            inferred={target.signIn.state !== 'signedIn'}
            title={signInWords(target)}
          >
            {SIGN_IN_CHIPS[target.signIn.state]}
          </Chip>
        )}
        {goesUnencrypted(target) ? (
          <Chip
            tone="truncated"
            icon="warning"
            title="Its URL is http, so values travel in the open"
          >
            not encrypted
          </Chip>
        ) : null}
        <span className={styles.spacer} />
        <Button
          small
          kind="quiet"
          aria-expanded={open}
          aria-label={`Settings of ${target.name}`}
          onClick={() => setOpen(!open)}
        >
          Settings
        </Button>
        {removing ? null : (
          <Button
            small
            kind="quiet"
            aria-label={`Remove ${target.name}`}
            onClick={() => setRemoving(true)}
          >
            Remove
          </Button>
        )}
      </div>
      <code className={styles.command}>{target.description}</code>
      <span className={styles.facts}>{factsOf(target)}</span>
      {open ? <ServerSettings target={target} /> : null}
      {target.confirmedAt === null && !removing ? <ConfirmQuestion target={target} /> : null}
      {removing ? (
        // biome-ignore lint/a11y/useSemanticElements: a question with its answers, not a form's fields.
        <div role="group" aria-label={`Remove ${target.name}`} className={styles.question}>
          <span>
            Misstep forgets this server, its values and its confirmation
            {target.signIn.state === 'signedOut' ? null : ', and has its sign-in revoked'}. Replays
            that were sent to it stay.
          </span>
          <span className={styles.answers}>
            <Button
              kind="primary"
              unavailable={remove.isPending}
              onClick={() => remove.mutate(target.name)}
            >
              Remove {target.name}
            </Button>
            <Button onClick={() => setRemoving(false)}>Keep it</Button>
            {remove.isError ? <ProblemLine error={remove.error} /> : null}
          </span>
        </div>
      ) : null}
    </li>
  );
}

const SIGN_IN_CHIPS = {
  waiting: 'signing in',
  signedIn: 'signed in',
  expired: 'sign-in expired',
  otherAddress: 'sign in again',
} as const;

function ConfirmQuestion(props: { target: TargetView }) {
  const { target } = props;
  const confirm = useConfirmTarget();
  const [trusts, setTrusts] = useState(false);
  const stdio = target.address.transport === 'stdio';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a question with its answer, not a form's fields.
    <div role="group" aria-label={`Confirm ${target.name}`} className={styles.question}>
      <span>
        {stdio
          ? 'Read the whole line. When you send a call, Misstep will run exactly this command, as you, without a shell.'
          : 'Read the whole address. When you send a call, Misstep will connect to exactly this URL.'}
        {target.secrets.length === 0 ? null : ' The values of the names in brackets go with it.'}
      </span>
      <span className={styles.answers}>
        <CheckBox checked={trusts} onChange={setTrusts}>
          Trust this server’s read-only hints
        </CheckBox>
        <span className={text.tertiary}>
          else each send asks you to type the tool, as for a write
        </span>
      </span>
      <span className={styles.answers}>
        <Button
          kind="primary"
          aria-label={`Confirm this ${stdio ? 'command' : 'URL'}: ${target.description}`}
          unavailable={confirm.isPending}
          onClick={() => confirm.mutate({ target, trustsReadOnlyHint: trusts })}
        >
          Confirm this {stdio ? 'command' : 'URL'}
        </Button>
        {confirm.isError ? <ProblemLine error={confirm.error} /> : null}
      </span>
    </div>
  );
}
