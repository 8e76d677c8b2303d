import { REFUSALS, type Refusal } from '@misstep/model';
import { Link } from '@tanstack/react-router';
import { problemOf } from '../../api/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Worded } from '../step-panel/worded.tsx';
import styles from './replay-screen.module.css';

const TITLES: Readonly<Record<Refusal, string>> = {
  targetNotFound: 'Not sent: the server is no longer configured',
  targetNotConfirmed: 'Not sent: the server is not confirmed',
  argumentsNotCaptured: 'Not sent: arguments were not captured',
  argumentsElided: 'Not sent: the recording cut the arguments',
  argumentsRedacted: 'Not sent: arguments were redacted',
  argumentsNotJson: 'Not sent: the arguments are not JSON',
  argumentsNotObject: 'Not sent: the arguments are no object',
  toolUnknown: 'Not sent: the server has no such tool',
  toolLeftOut: 'Not sent: a conforming client leaves this tool out',
  notConfirmed: 'Not sent: the write was not confirmed',
  alreadyRunning: 'Not sent: a replay on this server is running',
  keyUsed: 'Not sent: another call was sent under this key',
  secretsMissing: 'Not sent: a value for this server is missing',
  signInNeeded: 'Not sent: the sign-in is over',
};

/** Why nothing was sent, in place, with the next step. The draft stays as it is. */
export function RefusalNotice(props: {
  error: unknown;
  onEdit: () => void;
  onTypeName: () => void;
  onSendAnyway: () => void;
}) {
  const problem = problemOf(props.error);
  const reason = REFUSALS.find((each) => each === problem.details.reason);
  return (
    <div className={`${styles.notice} ${styles.refusal}`} role="alert">
      <Icon name="cross" className={styles.error} />
      <div className={styles.noticeWords}>
        <span className={styles.strong}>
          {reason === undefined ? `Not sent: ${problem.code}` : TITLES[reason]}
        </span>
        <span>
          <Worded text={problem.message} />
        </span>
        {reason === undefined ? (
          <span className={styles.secondary}>
            <Worded text={problem.hint} />
          </span>
        ) : null}
        <NextStep {...props} reason={reason} />
      </div>
    </div>
  );
}

function NextStep(props: {
  reason: Refusal | undefined;
  onEdit: () => void;
  onTypeName: () => void;
  onSendAnyway: () => void;
}) {
  switch (props.reason) {
    case 'targetNotFound':
    case 'targetNotConfirmed':
    case 'toolUnknown':
    case 'secretsMissing':
    case 'signInNeeded':
      return <Link to="/servers">Go to the servers</Link>;
    case 'argumentsNotCaptured':
    case 'argumentsElided':
    case 'argumentsRedacted':
    case 'argumentsNotJson':
    case 'argumentsNotObject':
      return (
        <Button small onClick={props.onEdit}>
          Write the arguments
        </Button>
      );
    case 'toolLeftOut':
      return (
        <Button
          small
          onClick={props.onSendAnyway}
          title="One call, once, that no such client makes"
        >
          Send it anyway, once
        </Button>
      );
    case 'notConfirmed':
      return (
        <Button small onClick={props.onTypeName}>
          Type the tool name
        </Button>
      );
    default:
      return null;
  }
}
