import { Link } from '@tanstack/react-router';
import { problemOf } from '../../api/problem.ts';
import { useTitle } from '../../state/use-title.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import text from '../../ui/text.module.css';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './fault-screens.module.css';
import { ProblemNotice } from './problem-notice.tsx';

/** What an address can name, where it may have gone, and the list of all that are there. */
const KINDS = {
  run: { gone: 'It may have been deleted.', to: '/runs', words: 'All runs' },
  step: {
    gone: 'The run may have been deleted, or read anew from a longer recording.',
    to: '/runs',
    words: 'All runs',
  },
  import: {
    gone: 'It was dismissed, or Misstep was started anew since; its runs stay.',
    to: '/runs',
    words: 'All runs',
  },
  replay: { gone: 'It may have gone with its run.', to: '/replays', words: 'All replays' },
  comparison: {
    gone: 'It may have gone with its run.',
    to: '/comparisons',
    words: 'All comparisons',
  },
} as const;
export type AddressKind = keyof typeof KINDS;

const MOST_SHOWN = 60;

/** True where the address is at fault, and trying again would change nothing. */
export function isAddressFault(error: unknown): boolean {
  const { code } = problemOf(error);
  return code === 'REQUEST_INVALID' || code.endsWith('_NOT_FOUND');
}

/** A place that is not there in a plain sentence, with the way back; other errors as they are. */
export function AddressFault(props: {
  kind: AddressKind;
  /** What the address has in the place of an id. */
  id: string;
  /** Null = it is known that there is none. */
  error: unknown;
  title: string;
  onRetry?: () => void;
}) {
  const { kind, error } = props;
  useTitle(props.title);
  const { gone, to, words } = KINDS[kind];
  const id = visibleLine(props.id);
  const shown = id.length > MOST_SHOWN ? `${id.slice(0, MOST_SHOWN)}…` : id;
  return (
    <div className={styles.page}>
      {error === null || isAddressFault(error) ? (
        <Notice title={props.title} icon="unknown" level={1}>
          <span title={id}>{`There is no ${kind} “${shown}” here.`}</span>
          <span className={text.secondary}>{`The link may be cut. ${gone}`}</span>
          <Link to={to}>{words}</Link>
        </Notice>
      ) : (
        <>
          <ProblemNotice
            error={error}
            title={props.title}
            level={1}
            {...(props.onRetry === undefined ? {} : { onRetry: props.onRetry })}
          />
          <Link to={to}>{words}</Link>
        </>
      )}
      <Button small kind="quiet" onClick={() => window.history.back()}>
        Back to where you were
      </Button>
    </div>
  );
}
