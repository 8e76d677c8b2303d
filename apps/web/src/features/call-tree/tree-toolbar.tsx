import { EVIDENCE_GRADES } from '@misstep/model';
import { type KeyboardEvent, type Ref, useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { EvidenceGradeLabel } from '../../ui/evidence.tsx';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Segment } from '../../ui/segment.tsx';
import type { FindProblem } from './find-query.ts';
import styles from './tree-toolbar.module.css';
import type { TreeView } from './visible-rows.ts';

export interface FindCount {
  /** Which of the matches is selected, from 1; null = none of them. */
  readonly at: number | null;
  readonly matches: number;
}

/** Tree or order, the find box, and what the shapes mean. */
export function TreeToolbar(props: {
  view: TreeView;
  onView: (view: TreeView) => void;
  query: string;
  onQuery: (query: string) => void;
  problem: FindProblem | null;
  count: FindCount | null;
  onFindNext: (direction: 1 | -1) => void;
  onLeaveFind: () => void;
  findRef: Ref<HTMLInputElement>;
  hasMark: boolean;
}) {
  const problemId = useId();
  const { problem } = props;
  const correction = problem?.correction ?? null;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      props.onFindNext(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      // The filter stays; Esc once more, outside the field, takes it away.
      event.preventDefault();
      props.onLeaveFind();
    } else if (event.key === 'Tab' && !event.shiftKey && correction !== null) {
      event.preventDefault();
      props.onQuery(correction);
    }
  };
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Call tree view">
      <Segment
        label="View"
        small
        options={[
          { value: 'tree', label: 'Tree', title: 'By what called what (O)' },
          { value: 'order', label: 'Order', title: 'In the order of execution (O)' },
        ]}
        value={props.view}
        onChange={props.onView}
      />
      <span className={styles.find}>
        <Icon name="search" small />
        <input
          ref={props.findRef}
          type="text"
          aria-label="Find in run"
          aria-describedby={problemId}
          aria-invalid={problem !== null}
          placeholder="Find in run, tool: error: kind:"
          spellCheck={false}
          autoComplete="off"
          className={styles.findInput}
          value={props.query}
          onChange={(event) => props.onQuery(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <span id={problemId} aria-live="polite">
          {problem !== null ? (
            <span className={styles.findProblem}>{problem.message}</span>
          ) : props.count !== null ? (
            <span className={styles.findNote}>{countWords(props.count)}</span>
          ) : null}
        </span>
        {props.query === '' ? <Kbd>/</Kbd> : null}
      </span>
      {problem !== null && correction !== null ? (
        <span className={styles.suggestion}>
          Did you mean
          <Button small onClick={() => props.onQuery(correction)}>
            {problem.correctedTerm}
          </Button>
          <Kbd>Tab</Kbd>
        </span>
      ) : (
        <>
          <span className={styles.spacer} />
          <span className={styles.legend}>
            {props.hasMark ? <span className={styles.laterKey}>after the mark</span> : null}
            {EVIDENCE_GRADES.map((grade) => (
              <EvidenceGradeLabel key={grade} grade={grade} />
            ))}
          </span>
        </>
      )}
    </div>
  );
}

function countWords(count: FindCount): string {
  if (count.matches === 0) return 'no match';
  if (count.at === null) return countOf(count.matches, 'match', 'matches');
  return `${formatCount(count.at)} of ${formatCount(count.matches)}`;
}
