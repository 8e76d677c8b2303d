import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTitle } from '../../state/use-title.ts';
import { AddressFault } from '../shell/address-fault.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import type { RunAside } from './run-aside.ts';
import { RunHeader } from './run-header.tsx';
import styles from './run-screen.module.css';
import { RunView } from './run-view.tsx';
import { useRunModel } from './use-run-model.ts';

/** The run view: who and what at the top, the whole run in a strip, tree and step below. */
export function RunScreen() {
  const { runId } = useParams({ from: '/runs/$runId' });
  // Folds, drafts and scroll belong to one run.
  return <RunOf key={runId} runId={runId} />;
}

function RunOf(props: { runId: string }) {
  const { run, model, error, retry } = useRunModel(props.runId);
  const [aside, setAside] = useState<RunAside>(null);
  useTitle(run === undefined ? 'Run' : visibleLine(run.title));
  if (error !== null && error !== undefined && (run === undefined || model === undefined)) {
    return (
      <AddressFault
        kind="run"
        id={props.runId}
        error={error}
        title="This run can’t be shown"
        onRetry={retry}
      />
    );
  }
  return (
    <div className={styles.screen}>
      <RunHeader run={run} aside={aside} onAside={setAside} />
      {model === undefined || run === undefined ? (
        <>
          <div className={styles.waiting} />
          <div className={styles.waiting} />
        </>
      ) : (
        <RunView run={run} model={model} aside={aside} onAside={setAside} />
      )}
    </div>
  );
}
