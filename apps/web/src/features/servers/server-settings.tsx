import type { TargetView } from '@misstep/contract';
import { useState } from 'react';
import { useRemoveTargetSecret, useUpdateTarget } from '../../api/targets.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import text from '../../ui/text.module.css';
import { ProblemLine } from '../shell/problem-notice.tsx';
import { RevisionField } from './revision-field.tsx';
import { readSecretDrafts, type SecretDraft, secretProblem } from './secret-draft.ts';
import { SecretFields } from './secret-fields.tsx';
import styles from './server-settings.module.css';
import { SignInSettings } from './sign-in-settings.tsx';

/** What goes to a server besides the call: its values, revision and sign-in, changed in place. */
export function ServerSettings(props: { target: TargetView }) {
  const { target } = props;
  const update = useUpdateTarget();
  const kind = target.address.transport === 'stdio' ? 'environment' : 'header';
  const [drafts, setDrafts] = useState<readonly SecretDraft[]>([]);
  const problem = secretProblem(drafts, kind);
  const secrets = readSecretDrafts(drafts, kind);
  const save = () => {
    if (problem !== null || secrets.length === 0 || update.isPending) return;
    update.mutate({ name: target.name, body: { secrets } }, { onSuccess: () => setDrafts([]) });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: several small forms, not one.
    <div role="group" aria-label={`Settings of ${target.name}`} className={styles.settings}>
      <RevisionField
        value={target.settings.protocolRevision}
        onChange={(protocolRevision) =>
          update.mutate({ name: target.name, body: { protocolRevision } })
        }
      />
      {target.secrets.length === 0 ? null : (
        <ul className={styles.secrets} aria-label="Values">
          {target.secrets.map((secret) => (
            <SecretItem key={secret.name} target={target} secret={secret} />
          ))}
        </ul>
      )}
      <form
        aria-label={`Add ${kind === 'environment' ? 'variables' : 'headers'} to ${target.name}`}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <SecretFields
          kind={kind}
          drafts={drafts}
          onChange={setDrafts}
          error={drafts.length === 0 ? null : problem}
        />
        {drafts.length === 0 ? null : (
          <span className={styles.foot}>
            <Button
              type="submit"
              kind="primary"
              small
              unavailable={problem !== null || secrets.length === 0 || update.isPending}
            >
              Keep
            </Button>
            <span className={text.tertiary}>
              a new name changes what you confirm, so you are asked again
            </span>
          </span>
        )}
      </form>
      {kind === 'header' ? <SignInSettings target={target} /> : null}
      {update.isError ? <ProblemLine error={update.error} /> : null}
    </div>
  );
}

const STATES = {
  set: 'set',
  missing: 'no value yet: nothing can be sent',
  otherAddress: 'given for another address: give it again',
} as const;

/** One name; its value can be replaced or forgotten, never seen. */
function SecretItem(props: { target: TargetView; secret: TargetView['secrets'][number] }) {
  const { target, secret } = props;
  const update = useUpdateTarget();
  const remove = useRemoveTargetSecret();
  const [value, setValue] = useState<string | null>(secret.state === 'set' ? null : '');
  const save = () => {
    if (value === null || value === '' || update.isPending) return;
    update.mutate(
      { name: target.name, body: { secrets: [{ kind: secret.kind, name: secret.name, value }] } },
      { onSuccess: () => setValue(null) },
    );
  };
  return (
    <li className={styles.secret}>
      <code className={`${text.mono} ${text.ellipsis}`} title={secret.name}>
        {secret.name}
      </code>
      {value === null ? (
        <span className={text.secondary}>{STATES[secret.state]}</span>
      ) : (
        <form
          className={styles.replace}
          aria-label={`Value of ${secret.name}`}
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <TextInput
            mono
            type="password"
            aria-label={`New value of ${secret.name}`}
            placeholder={secret.state === 'set' ? 'new value' : STATES[secret.state]}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
          <Button type="submit" small kind="primary" unavailable={value === '' || update.isPending}>
            Keep
          </Button>
        </form>
      )}
      <span className={styles.actions}>
        {value === null ? (
          <Button
            small
            kind="quiet"
            aria-label={`Replace the value of ${secret.name}`}
            onClick={() => setValue('')}
          >
            Replace
          </Button>
        ) : null}
        <Button
          small
          kind="quiet"
          aria-label={`Forget ${secret.name}`}
          unavailable={remove.isPending}
          onClick={() =>
            remove.mutate({ name: target.name, kind: secret.kind, secretName: secret.name })
          }
        >
          Forget
        </Button>
      </span>
      {update.isError ? <ProblemLine error={update.error} /> : null}
      {remove.isError ? <ProblemLine error={remove.error} /> : null}
    </li>
  );
}
