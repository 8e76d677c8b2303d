import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { useTitle } from '../../state/use-title.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import text from '../../ui/text.module.css';
import styles from './fault-screens.module.css';
import { ProblemNotice } from './problem-notice.tsx';

/** An address that leads nowhere. */
export function NotFound() {
  useTitle('Nothing is at this address');
  return (
    <div className={styles.page}>
      <Notice title="Nothing is at this address" icon="unknown" level={1}>
        <span>Misstep has no page of this name.</span>
        <span className={text.secondary}>The link may be cut, or it is of another version.</span>
        <Link to="/runs">All runs</Link>
      </Notice>
    </div>
  );
}

/** A screen that failed while it was drawn. */
export function ScreenFault(props: ErrorComponentProps) {
  useTitle('This screen failed');
  return (
    <div className={styles.page}>
      <ProblemNotice
        error={props.error}
        title="This screen failed"
        level={1}
        onRetry={props.reset}
      />
      <Button small kind="quiet" onClick={() => window.location.reload()}>
        Reload the page
      </Button>
    </div>
  );
}
