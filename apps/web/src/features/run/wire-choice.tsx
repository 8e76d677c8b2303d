import type { RunDetail, WireJoin } from '@misstep/contract';
import { useState } from 'react';
import { useRuns } from '../../api/runs.ts';
import { useJoinWire, useWire } from '../../api/wire.ts';
import { Button } from '../../ui/button.tsx';
import { SelectInput } from '../../ui/field.tsx';
import { countOf } from '../../ui/format-count.ts';
import { ProblemLine } from '../shell/problem-notice.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './run-header.module.css';
import { startedText } from './started-text.ts';

const SHOWN_REMARKS = 6;

/** Which wire recording is of the same conversation, and what of this run is found on it. */
export function WireChoice(props: { run: RunDetail; onClose: () => void }) {
  const { run, onClose } = props;
  const list = useRuns();
  const joined = useWire(run.id);
  const join = useJoinWire(run.id);
  const [picked, setPicked] = useState<string | null>(null);
  const candidates = (list.data?.runs ?? []).filter(
    ({ id, bestEvidence }) => bestEvidence === 'wire' && id !== run.id,
  );
  const joinedId = joined.data?.wireRun?.id ?? null;
  const chosen = picked ?? joinedId ?? candidates[0]?.id ?? null;
  const problem = list.error ?? joined.error ?? join.error;
  return (
    <div
      className={`${styles.editor} ${styles.atRight}`}
      role="group"
      aria-label="Recorded wire"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <span className={styles.question}>
        Which wire recording is of the same conversation? Comparisons then show three versions.
      </span>
      {run.bestEvidence === 'wire' ? (
        <span className={styles.goes}>
          This run is a wire recording itself. Open the transcript and choose this run there.
        </span>
      ) : candidates.length === 0 ? (
        list.data === undefined ? null : (
          <span>
            No wire recording was imported yet: a frame log, JSON-RPC lines, an HTTP archive.
          </span>
        )
      ) : (
        <SelectInput
          aria-label="Wire recording"
          value={chosen ?? ''}
          onChange={(event) => setPicked(event.currentTarget.value)}
        >
          {candidates.map((each) => (
            <option key={each.id} value={each.id}>
              {[visibleLine(each.title), startedText(each, new Date().getFullYear())]
                .filter((part) => part !== null)
                .join(', ')}
            </option>
          ))}
        </SelectInput>
      )}
      {run.bestEvidence === 'wire' || chosen === null ? null : (
        <Found runId={run.id} wireRunId={chosen} />
      )}
      <div className={styles.editorButtons}>
        {run.bestEvidence === 'wire' || chosen === null ? null : (
          <Button
            kind="primary"
            unavailable={join.isPending || chosen === joinedId}
            onClick={() => join.mutate(chosen, { onSuccess: onClose })}
          >
            {chosen === joinedId ? 'Joined' : 'Join'}
          </Button>
        )}
        {joinedId === null ? null : (
          <Button unavailable={join.isPending} onClick={() => join.mutate(null)}>
            Take away
          </Button>
        )}
        <Button onClick={onClose} ref={(element) => element?.focus()}>
          Close
        </Button>
      </div>
      {problem === null ? null : <ProblemLine error={problem} />}
    </div>
  );
}

function Found(props: { runId: string; wireRunId: string }) {
  const { data, error } = useWire(props.runId, props.wireRunId);
  if (error !== null) return <ProblemLine error={error} />;
  if (data === undefined) return null;
  const remarks = remarksOf(data);
  const more = remarks.length - SHOWN_REMARKS;
  return (
    <>
      <span>
        {`${data.pairedCount} of ${countOf(data.calls.length, 'call')} found on the wire, worked out by tool and arguments`}
      </span>
      {remarks.length === 0 ? null : (
        <ul className={styles.goes}>
          {remarks.slice(0, SHOWN_REMARKS).map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
          {more > 0 ? <li>{`${more} more`}</li> : null}
        </ul>
      )}
    </>
  );
}

function remarksOf({ calls, wireAlone }: WireJoin): string[] {
  const remarks = calls.flatMap(({ seq, tool, remark }) =>
    remark === null ? [] : [`step ${seq}, ${visibleLine(tool)}: ${remark}`],
  );
  if (wireAlone.length > 0) {
    remarks.push(`${countOf(wireAlone.length, 'call')} on the wire only`);
  }
  return remarks;
}
