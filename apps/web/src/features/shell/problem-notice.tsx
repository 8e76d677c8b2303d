import { problemOf } from '../../api/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import text from '../../ui/text.module.css';
import { Worded, wordedLine } from '../step-panel/worded.tsx';

/** An error in place: what happened, what to do next, and the next step as a button. */
export function ProblemNotice(props: {
  error: unknown;
  /** What was being done: "The run list can't be shown". */
  title: string;
  onRetry?: () => void;
  level?: 1 | 2;
}) {
  const problem = problemOf(props.error);
  return (
    <Notice
      title={props.title}
      note={problem.code}
      icon="cross"
      tone="error"
      level={props.level ?? 2}
    >
      <span>
        <Worded text={problem.message} />
      </span>
      <span className={text.secondary}>
        <Worded text={problem.hint} />
      </span>
      {props.onRetry === undefined ? null : (
        <Button small onClick={props.onRetry}>
          Try again
        </Button>
      )}
    </Notice>
  );
}

/** The same on one line, for rows and forms. */
export function ProblemLine(props: { error: unknown }) {
  const problem = problemOf(props.error);
  const words = `${problem.message} ${problem.hint}`;
  return (
    <span
      role="alert"
      className={`${text.error} ${text.small} ${text.ellipsis}`}
      title={wordedLine(words)}
    >
      <Worded text={words} />
    </span>
  );
}
