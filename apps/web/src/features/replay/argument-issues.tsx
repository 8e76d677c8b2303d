import { Icon } from '../../ui/icon.tsx';
import { Worded } from '../step-panel/worded.tsx';
import type { EditorHandle } from './arguments-editor.tsx';
import styles from './draft.module.css';
import type { TextSpan } from './draft-arguments.ts';
import type { Draft } from './use-draft.ts';

const MOST_SHOWN = 4;

/** What the schema forbids in the text, and where. It never stands in the way of a send. */
export function ArgumentIssues(props: {
  id: string;
  draft: Draft;
  editor: { current: EditorHandle | null };
}) {
  const { draft } = props;
  return (
    <div id={props.id} role="status">
      {draft.problem !== null ? (
        draft.text === '' ? null : (
          <div className={styles.notice}>
            <Icon name="cross" className={styles.error} />
            <span className={styles.words}>{draft.problem.words}</span>
          </div>
        )
      ) : (
        <SchemaIssues draft={draft} editor={props.editor} />
      )}
    </div>
  );
}

function SchemaIssues(props: { draft: Draft; editor: { current: EditorHandle | null } }) {
  const { checked } = props.draft;
  const strict = checked?.check.strict;
  if (checked === null || strict === undefined || strict.issues.length === 0) return null;
  const shown = strict.issues.slice(0, MOST_SHOWN);
  const hidden = strict.issues.length - shown.length + strict.issuesOmitted;
  const isCurrent = checked.text === props.draft.text;
  return (
    <div className={styles.notice}>
      <Icon name="cross" className={styles.error} />
      <div className={styles.words}>
        {shown.map((issue, index) => (
          <button
            // Two rules may be broken at one place.
            key={`${issue.schemaPointer} ${issue.pointer}`}
            type="button"
            className={styles.issue}
            title={isCurrent ? `Line ${issue.line}, column ${issue.column}: go there` : undefined}
            onClick={() => {
              if (isCurrent) props.editor.current?.select(spanOfIssue(issue));
            }}
          >
            <Worded text={issue.sentence} />{' '}
            {index === shown.length - 1 ? (
              <span className={styles.secondary}>{lastWords(hidden, checked.check.by)}</span>
            ) : null}
          </button>
        ))}
      </div>
    </div>
  );
}

function lastWords(hidden: number, by: 'live' | 'recorded'): string {
  const more = hidden === 0 ? '' : `${hidden} more. `;
  return by === 'live'
    ? `${more}The schema says so; the server may not.`
    : `${more}The recorded schema says so; the server’s may be another.`;
}

/** Where an issue is underlined: a whole object only at its bracket. */
export function spanOfIssue(issue: { offset: number; length: number; keyword: string }): TextSpan {
  const { offset, length, keyword } = issue;
  const isOfObject = [
    'required',
    'dependentRequired',
    'minProperties',
    'maxProperties',
    'anyOf',
    'oneOf',
    'not',
    'if',
  ];
  return { from: offset, to: offset + (isOfObject.includes(keyword) ? 1 : length) };
}
