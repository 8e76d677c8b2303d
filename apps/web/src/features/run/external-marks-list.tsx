import type { RunDetail } from '@misstep/contract';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { ExternalMarkEntry } from './external-mark-entry.tsx';
import list from './panel-list.module.css';

/** Every judgement that the file itself holds, in the step panel's place; each leads to its step. */
export function ExternalMarksList(props: { run: RunDetail; onClose: () => void }) {
  const { id, externalMarks } = props.run;
  return (
    <aside className={list.panel} aria-label="External marks">
      <PanelHead title="External marks" note="from the file, nobody's mark here">
        <Button small kind="quiet" onClick={props.onClose}>
          Back to the step
        </Button>
      </PanelHead>
      <div className={list.list} tabIndex={0} role="region" aria-label="List of external marks">
        {externalMarks.map((mark) => (
          <ExternalMarkEntry
            key={`${mark.by} ${mark.origin.sha256} ${mark.origin.offset}`}
            mark={mark}
          >
            {mark.stepId === null ? (
              <span>no step of this run</span>
            ) : (
              <Link
                to="/runs/$runId"
                params={{ runId: id }}
                search={(before) => ({ ...before, step: mark.stepId ?? undefined })}
                onClick={props.onClose}
              >
                {mark.seq === null ? 'its step' : `step ${mark.seq}`}
              </Link>
            )}
          </ExternalMarkEntry>
        ))}
        <footer className={list.foot}>{countOf(externalMarks.length, 'external mark')}</footer>
      </div>
    </aside>
  );
}
