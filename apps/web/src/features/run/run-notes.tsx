import type { RunDetail } from '@misstep/contract';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { Advice } from '../import/remark-list.tsx';
import { sourceName } from '../step-panel/evidence-tab.tsx';
import { OriginBytes } from '../step-panel/origin-bytes.tsx';
import { VisibleText } from '../step-panel/visible-text-view.tsx';
import { Worded } from '../step-panel/worded.tsx';
import list from './panel-list.module.css';
import styles from './run-notes.module.css';
import { RunPanel } from './run-panel.tsx';

const PAGE = 50;

/** What the import had to say of the run's sources, each with its place and the bytes there. */
export function RunNotes(props: { run: RunDetail; onClose: () => void }) {
  const { run } = props;
  const { issues, issuesOmitted } = run;
  const [shown, setShown] = useState(PAGE);
  const [open, setOpen] = useState<number | null>(null);
  const left = issues.length - shown;
  return (
    <RunPanel
      title="Notes of the import"
      note="what reading this run came upon"
      onClose={props.onClose}
    >
      <div className={list.list} tabIndex={0} role="region" aria-label="List of notes">
        <ul>
          {issues.slice(0, shown).map((issue, index) => {
            const { code, message, sha256, offset } = issue;
            const isOpen = open === index;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: two notes may say the same, and their order never changes.
              <li key={`${code} ${index}`} className={styles.note}>
                <h3>{code}</h3>
                <p>
                  <bdi>
                    <Worded text={message} />
                  </bdi>
                </p>
                <Advice code={code} />
                <p className={styles.place}>
                  <span>
                    <VisibleText text={sourceName(run, issue)} />
                  </span>
                  {offset === null ? (
                    <span>concerns the whole of it</span>
                  ) : (
                    <Button
                      small
                      aria-expanded={isOpen}
                      aria-label={`at byte ${formatCount(offset)}, ${code}`}
                      onClick={() => setOpen(isOpen ? null : index)}
                    >
                      {`at byte ${formatCount(offset)}`}
                    </Button>
                  )}
                </p>
                {isOpen && offset !== null ? (
                  <OriginBytes
                    origin={{ sha256, offset, length: 1, pointer: '' }}
                    lit="the byte that the note names is lit"
                  />
                ) : null}
              </li>
            );
          })}
        </ul>
        <footer className={list.foot}>
          {`${formatCount(Math.min(shown, issues.length))} of ${countOf(noteCount(run), 'note')}`}
          {issuesOmitted > 0 ? `, ${formatCount(issuesOmitted)} counted and not listed` : null}
          {left > 0 ? (
            <Button small onClick={() => setShown(shown + PAGE)}>
              {`Show ${formatCount(Math.min(PAGE, left))} more`}
            </Button>
          ) : null}
        </footer>
      </div>
    </RunPanel>
  );
}

export function noteCount(run: Pick<RunDetail, 'issues' | 'issuesOmitted'>): number {
  return run.issues.length + run.issuesOmitted;
}
