import type { RunDetail } from '@misstep/contract';
import { Link } from '@tanstack/react-router';
import { countOf } from '../../ui/format-count.ts';
import { ExternalMarkEntry } from './external-mark-entry.tsx';
import list from './panel-list.module.css';
import { RunPanel } from './run-panel.tsx';

/** Every judgement that the file itself holds, in the step panel's place; each leads to its step. */
export function ExternalMarksList(props: { run: RunDetail; onClose: () => void }) {
  const { id, externalMarks } = props.run;
  return (
    <RunPanel
      title="External marks"
      note="from the file, nobody's mark here"
      onClose={props.onClose}
    >
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
    </RunPanel>
  );
}
