import type { RunDetail } from '@misstep/contract';
import { EVIDENCE_GRADES } from '@misstep/model';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { EvidenceGradeLabel } from '../../ui/evidence.tsx';
import { countOf, formatCount, formatTokens } from '../../ui/format-count.ts';
import { formatLongDuration } from '../../ui/format-time.ts';
import { NotRecorded } from '../../ui/not-recorded.tsx';
import { RunCostText } from '../prices/run-cost.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { AuditFact } from './audit-fact.tsx';
import { ExternalMarkFact } from './external-mark-fact.tsx';
import { NotesFact } from './notes-fact.tsx';
import { OutcomeFact } from './outcome-fact.tsx';
import { RunActions } from './run-actions.tsx';
import type { RunAside } from './run-aside.ts';
import styles from './run-header.module.css';
import { startedText, totalDurationNs } from './started-text.ts';
import { TagsFact } from './tags-fact.tsx';
import { TitleEditor } from './title-editor.tsx';

/** Who and what the run is. Undefined while it loads: the same height, nothing in it yet. */
export function RunHeader(props: {
  run: RunDetail | undefined;
  aside: RunAside;
  onAside: (aside: RunAside) => void;
}) {
  const { run, aside, onAside } = props;
  const toggle = (each: RunAside) => () => onAside(aside === each ? null : each);
  return (
    <header className={styles.header}>
      <div className={styles.title}>
        <div className={styles.titleLine}>
          <Link to="/runs">Runs</Link>
          <span className={styles.slash}>/</span>
          {run === undefined ? (
            <h1 className={styles.loading}>Loading the run</h1>
          ) : (
            <TitleEditor key={run.id} run={run} />
          )}
        </div>
        <div className={styles.origin} title={run === undefined ? undefined : originText(run)}>
          {run === undefined ? null : originText(run)}
        </div>
      </div>
      {run === undefined ? null : (
        <>
          <OutcomeFact run={run} />
          <ExternalMarkFact
            run={run}
            shown={aside === 'externalMarks'}
            onShow={toggle('externalMarks')}
          />
          <Fact label="Duration">
            <Duration run={run} />
          </Fact>
          <Fact label="Tokens, cost" minor>
            <Tokens run={run} />
            {', '}
            <Link to="/prices" className={styles.costLink}>
              <RunCostText cost={run.cost} />
            </Link>
          </Fact>
          <Fact label={`Evidence of ${countOf(run.stepCount, 'step')}`} minor>
            <span className={styles.grades}>
              {EVIDENCE_GRADES.map((grade, index) => {
                const count = run.evidenceCounts[index] ?? 0;
                return count === 0 ? null : (
                  <span key={grade} title={`${formatCount(count)} ${grade}`}>
                    <EvidenceGradeLabel grade={grade}>{formatCount(count)}</EvidenceGradeLabel>
                  </span>
                );
              })}
            </span>
          </Fact>
          <AuditFact runId={run.id} shown={aside === 'audit'} onShow={toggle('audit')} />
          <NotesFact run={run} shown={aside === 'notes'} onShow={toggle('notes')} />
          <TagsFact run={run} />
          <RunActions run={run} />
        </>
      )}
    </header>
  );
}

/** A label over a value. */
export function Fact(props: { label: string; minor?: boolean; children: ReactNode }) {
  return (
    <div className={classNames(styles.fact, props.minor && styles.minor)}>
      <span className={styles.factLabel}>{props.label}</span>
      <span>{props.children}</span>
    </div>
  );
}

function originText(run: RunDetail): string {
  const parts = [
    run.formatTitle,
    run.client,
    run.model,
    startedText(run, new Date().getFullYear()),
  ].filter((part): part is string => part !== null && part !== '');
  return visibleLine([...new Set(parts)].join(', '));
}

function Duration(props: { run: RunDetail }) {
  const totalNs = totalDurationNs(props.run);
  if (totalNs === null) {
    return (
      <NotRecorded title="the source holds no times: steps stand in their order">
        order only, no times recorded
      </NotRecorded>
    );
  }
  const { activeNs } = props.run;
  return (
    <>
      {formatLongDuration(totalNs)}
      {activeNs === null ? null : (
        <span className={styles.quiet}>{` (${formatLongDuration(activeNs)} active)`}</span>
      )}
    </>
  );
}

function Tokens(props: { run: RunDetail }) {
  const { inputTokens, outputTokens } = props.run;
  if (inputTokens === null && outputTokens === null) {
    return <NotRecorded title="the source holds no token counts" />;
  }
  const words = `${inputTokens ?? 'unknown'} in, ${outputTokens ?? 'unknown'} out`;
  return <span title={words}>{formatTokens((inputTokens ?? 0) + (outputTokens ?? 0))}</span>;
}
