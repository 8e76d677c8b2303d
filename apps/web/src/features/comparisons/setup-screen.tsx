import type { StepDetail } from '@misstep/contract';
import type { ExperimentRequest } from '@misstep/model';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useExperiment, usePlan } from '../../api/experiments.ts';
import { useReplays, useReplaysOfTool } from '../../api/replays.ts';
import { useRun } from '../../api/runs.ts';
import { useTargets } from '../../api/targets.ts';
import { useChosenTargets } from '../../state/chosen-target.ts';
import { useDraftToCompare } from '../../state/draft-to-compare.ts';
import { preferredTarget } from '../../state/preferred-target.ts';
import { useKeys } from '../../state/use-keys.ts';
import { useTitle } from '../../state/use-title.ts';
import { Notice } from '../../ui/notice.tsx';
import { directionOf } from '../../ui/text-direction.ts';
import { AddressFault } from '../shell/address-fault.tsx';
import { StatusItem, StatusItems } from '../shell/status-items.tsx';
import { useStep } from '../step-panel/use-step.ts';
import { visibleLine } from '../step-panel/visible-text.ts';
import styles from './experiment.module.css';
import { PlanPanel } from './plan-panel.tsx';
import { SetupForm } from './setup-form.tsx';
import { newSetup, requestOf, type Setup, setupOfRequest } from './setup-model.ts';
import { useSettled } from './use-settled.ts';

const ROUTE = '/comparisons/new' as const;

/** A comparison before it begins: what is asked, and what that would send. Opening it sends nothing. */
export function SetupScreen() {
  const search = useSearch({ from: ROUTE });
  const from = useExperiment(search.from ?? null);
  const runId = search.run ?? from.data?.runId ?? null;
  const stepId = search.step ?? from.data?.stepId ?? null;
  if (search.from !== undefined && from.data === undefined) {
    return from.isError ? (
      <Place>
        <AddressFault
          kind="comparison"
          id={search.from}
          title="This comparison can’t be begun again"
          error={from.error}
        />
      </Place>
    ) : (
      <div className={styles.screen} />
    );
  }
  if (runId === null || stepId === null) {
    return (
      <Place>
        <Notice title="A new comparison" note="no call chosen" level={1}>
          <span>
            Open a <Link to="/runs">run</Link>, choose a tool call, and on its Replay screen press
            “Send 3 times” or “Compare two calls”.
          </span>
        </Notice>
      </Place>
    );
  }
  const { request } = from.data?.plan ?? { request: null };
  return (
    <SetupOfCall key={`${stepId} ${search.from}`} runId={runId} stepId={stepId} again={request} />
  );
}

function Place(props: { children: React.ReactNode }) {
  return <div className={styles.place}>{props.children}</div>;
}

function SetupOfCall(props: { runId: string; stepId: string; again: ExperimentRequest | null }) {
  const { runId, stepId } = props;
  const run = useRun(runId);
  const step = useStep(runId, stepId, true);
  const targets = useTargets();
  const replays = useReplays({ runId, stepId });
  const ofTool = useReplaysOfTool(step.data?.tool ?? null);
  const { target: asked } = useSearch({ from: ROUTE });
  const remembered = useChosenTargets((state) => state.byStep.get(stepId) ?? null);
  const error = run.error ?? step.error ?? targets.error;
  if (error !== null) {
    return (
      <Place>
        <AddressFault
          kind={run.error === null ? 'step' : 'run'}
          id={run.error === null ? stepId : runId}
          title="This call can’t be compared"
          error={error}
        />
      </Place>
    );
  }
  const list = targets.data?.targets;
  if (
    run.data === undefined ||
    step.data === undefined ||
    list === undefined ||
    replays.isPending ||
    ofTool.isPending
  ) {
    return (
      <div className={styles.screen}>
        <div className={styles.header} />
        <div className={styles.column} />
      </div>
    );
  }
  const target = preferredTarget(list, {
    chosen: [asked, remembered],
    replays: replays.data?.replays ?? [],
    ofTool: ofTool.replays,
    recordedServer: step.data.server,
  });
  return (
    <Ready
      title={run.data.title}
      step={step.data}
      targetName={target?.name ?? ''}
      again={props.again}
    />
  );
}

function Ready(props: {
  title: string;
  step: StepDetail;
  targetName: string;
  again: ExperimentRequest | null;
}) {
  const { step } = props;
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate();
  const kept = useDraftToCompare((state) => state.draft);
  const draftText = kept?.stepId === step.id ? kept.text : null;
  const [setup, setSetup] = useState<Setup>(() =>
    props.again !== null
      ? {
          ...setupOfRequest(props.again),
          ...(search.kind === undefined ? {} : { kind: search.kind }),
          ...(search.argument === undefined ? {} : { argument: search.argument }),
        }
      : newSetup({
          kind: search.kind ?? 'attribute',
          stepId: step.id,
          targetName: props.targetName,
          a: search.a ?? 'recorded',
          b: search.b ?? '',
          draftText,
          times: search.times,
        }),
  );
  const { request, missing } = requestOf(setup);
  const settled = useSettled(request, 250);
  const plan = usePlan(step.runId, settled);
  const isCurrent = JSON.stringify(settled) === JSON.stringify(request);
  const back = () =>
    void navigate({
      to: '/runs/$runId/replay/$stepId',
      params: { runId: step.runId, stepId: step.id },
      search: {},
    });
  useTitle('New comparison');
  useKeys({
    title: 'New comparison',
    hints: [{ caps: ['Esc'], words: 'back to the call' }],
    handlers: { escape: back },
  });
  const shown = isCurrent ? (plan.data ?? null) : null;
  return (
    <div className={styles.screen}>
      <header className={styles.header}>
        <div className={styles.path}>
          <Link to="/runs/$runId" params={{ runId: step.runId }} dir={directionOf(props.title)}>
            {visibleLine(props.title)}
          </Link>
          <span className={styles.slash}>/</span>
          <Link
            to="/runs/$runId/replay/$stepId"
            params={{ runId: step.runId, stepId: step.id }}
            search={{}}
          >
            {`step ${step.seq}`}
          </Link>
          <span className={styles.slash}>/</span>
          <h1 className={styles.title}>New comparison</h1>
        </div>
        <span className={styles.spacer} />
        <span className={styles.subject}>
          <span className={styles.mono}>{visibleLine(step.tool ?? step.name)}</span>
        </span>
      </header>
      <div className={styles.columns}>
        <section className={styles.column} aria-label="What is asked">
          <SetupForm step={step} setup={setup} onChange={setSetup} plan={plan.data ?? null} />
        </section>
        <PlanPanel
          key={shown?.sha256 ?? 'none'}
          runId={step.runId}
          plan={shown}
          missing={missing}
          isPlanning={request !== null && shown === null && !plan.isError}
          error={isCurrent && missing === null ? plan.error : null}
        />
      </div>
      <StatusItems>
        <StatusItem>nothing is being sent</StatusItem>
      </StatusItems>
    </div>
  );
}
