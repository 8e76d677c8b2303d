import type { TargetView } from '@misstep/contract';
import { useState } from 'react';
import { useSignOut, useStartSignIn } from '../../api/targets.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import text from '../../ui/text.module.css';
import { ProblemLine } from '../shell/problem-notice.tsx';
import styles from './server-settings.module.css';
import { hasOwnAuthorization, signInWords } from './sign-in-words.ts';

/** Signing in by OAuth: begun here, done in a tab of the authorization server. */
export function SignInSettings(props: { target: TargetView }) {
  const { target } = props;
  const start = useStartSignIn();
  const signOut = useSignOut();
  const [clientId, setClientId] = useState('');
  const [clientSecret, setClientSecret] = useState('');
  const { state, problem } = target.signIn;
  const begun = state === 'waiting' ? start.data : undefined;
  const canBegin = target.confirmedAt !== null && !hasOwnAuthorization(target);
  return (
    <Field label="Sign-in" group note={problem ?? signInWords(target)}>
      {() => (
        <span className={styles.signIn}>
          {begun === undefined ? (
            <>
              <Button
                small
                unavailable={!canBegin || start.isPending}
                title={canBegin ? undefined : signInWords(target)}
                onClick={() => {
                  start.mutate({ name: target.name, clientId: clientId.trim(), clientSecret });
                  setClientSecret('');
                }}
              >
                {state === 'signedOut' ? 'Sign in' : 'Sign in again'}
              </Button>
              <TextInput
                mono
                className={styles.clientId}
                aria-label="Client id"
                placeholder="client id, if you were given one"
                value={clientId}
                onChange={(event) => setClientId(event.currentTarget.value)}
              />
              {clientId.trim() === '' ? null : (
                <TextInput
                  mono
                  type="password"
                  autoComplete="off"
                  className={styles.clientId}
                  aria-label="Client secret"
                  placeholder="its secret, if it has one"
                  value={clientSecret}
                  onChange={(event) => setClientSecret(event.currentTarget.value)}
                />
              )}
            </>
          ) : (
            <a
              className={buttonClass({ kind: 'primary', small: true })}
              href={httpOnly(begun.authorizationUrl)}
              target="_blank"
              rel="noopener noreferrer"
            >
              Go to {begun.authority}
            </a>
          )}
          {state === 'signedOut' ? null : (
            <Button
              small
              kind="quiet"
              unavailable={signOut.isPending}
              onClick={() => signOut.mutate(target.name)}
            >
              {state === 'waiting' ? 'Stop waiting' : 'Sign out'}
            </Button>
          )}
          {begun?.secretGoesTo == null ? null : (
            <span>The client’s secret will be sent to {begun.secretGoesTo}.</span>
          )}
          {signOut.data?.revocation == null ? null : (
            <span role="status">{signOut.data.revocation.sentence}</span>
          )}
          {start.isError ? <ProblemLine error={start.error} /> : null}
          {signOut.isError ? <ProblemLine error={signOut.error} /> : null}
          <span className={text.hidden} role="status">
            {signInWords(target)}
          </span>
        </span>
      )}
    </Field>
  );
}

/** The server checked it already; a link is no place to rely on that alone. */
function httpOnly(url: string): string | undefined {
  return /^https?:\/\//i.test(url) ? url : undefined;
}
