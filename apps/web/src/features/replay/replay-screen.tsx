import type { RunDetail, StepDetail } from '@misstep/contract';
import type { Replay } from '@misstep/model';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useReplays } from '../../api/replays.ts';
import { useRun } from '../../api/runs.ts';
import { useDraftToCompare } from '../../state/draft-to-compare.ts';
import { returnFocusTo } from '../../state/return-focus.ts';
import { useKeys } from '../../state/use-keys.ts';
import { useTitle } from '../../state/use-title.ts';
import { Segment } from '../../ui/segment.tsx';
import text from '../../ui/text.module.css';
import { useMedia } from '../../ui/use-media.ts';
import { AddressFault } from '../shell/address-fault.tsx';
import { StatusItem, StatusItems } from '../shell/status-items.tsx';
import { useStep } from '../step-panel/use-step.ts';
import { ComparisonColumn } from './comparison-column.tsx';
import { DraftColumn } from './draft-column.tsx';
import type { RowPlace } from './frame-span.ts';
import { FramesColumn } from './frames-column.tsx';
import { delayBetween } from './pins.tsx';
import { nameOf, ReplayHeader } from './replay-header.tsx';
import styles from './replay-screen.module.css';
import { serverWords } from './server-words.ts';
import { type Draft, needsTypedName, readOnlyHintOf, useDraft, whyNotSend } from './use-draft.ts';
import { usePreparedTime } from './use-prepared-time.ts';
import { refreshLists, useCancelReplay, useReplay, useSendOnce } from './use-replay.ts';

const ROUTE = '/runs/$runId/replay/$stepId' as const;

/** One recorded call, sent again: draft, frames, comparison. Opening it sends nothing. */
export function ReplayScreen() {
  const { runId, stepId } = useParams({ from: ROUTE });
  const run = useRun(runId);
  const step = useStep(runId, stepId, true);
  const error = run.error ?? step.error;
  if (error !== null) {
    return (
      <AddressFault
        kind={run.error === null ? 'step' : 'run'}
        id={run.error === null ? stepId : runId}
        error={error}
        title="This call can’t be shown"
        onRetry={() => {
          void run.refetch();
          void step.refetch();
        }}
      />
    );
  }
  if (run.data === undefined || step.data === undefined) {
    return (
      <div className={styles.screen}>
        <div className={styles.header}>
          <h1 className={text.hidden}>Replay</h1>
        </div>
        <div className={styles.column} role="status">
          <p className={styles.empty}>Loading the call.</p>
        </div>
      </div>
    );
  }
  return <ReplayOf key={stepId} run={run.data} step={step.data} />;
}

function ReplayOf(props: { run: RunDetail; step: StepDetail }) {
  const { run, step } = props;
  const { replay: shownId, target: targetName } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const client = useQueryClient();
  const list = useReplays({ runId: run.id, stepId: step.id });
  const replays = list.data?.replays ?? [];
  const total = list.data?.total ?? 0;
  const draft = useDraft(step, {
    target: targetName ?? null,
    onTarget: (target) =>
      void navigate({ search: (before) => ({ ...before, target }), replace: true }),
  });
  const prepared = usePreparedTime(draft.text);
  const shown = useReplay(shownId ?? null);
  const replay = shownId === undefined ? null : (shown.data ?? null);
  const [runningId, setRunningId] = useState<string | null>(null);
  const running = useReplay(runningId).data ?? null;
  const isOut = running !== null && running.state !== 'done';
  const show = (id: string | undefined) =>
    void navigate({
      search: ({ target }) => ({
        ...(id === undefined ? {} : { replay: id }),
        ...(target === undefined ? {} : { target }),
      }),
      replace: true,
    });
  const send = useSendOnce(run.id, step.id, (started) => {
    setRunningId(started.id);
    show(started.id);
  });
  const cancel = useCancelReplay();
  const name = nameOf(shownId, replays, total);
  const knownReadOnly = readOnlyHintOf(draft) ?? readOnlyOf(replay ?? running, draft.target?.name);
  const needsName = needsTypedName(draft, knownReadOnly);

  // Two presses before the first has drawn are still one send.
  const pressed = useRef(false);
  const sendOnce = (isAnyway = false) => {
    if (pressed.current || send.isPending || isOut || draft.target === null) return;
    if (whyNotSend(draft, needsName) !== null) return;
    pressed.current = true;
    send.mutate(
      {
        targetName: draft.target.name,
        argumentsText: draft.isEdited || !draft.recorded.isWhole ? draft.text : null,
        confirmTool: draft.typedTool === '' ? null : draft.typedTool,
        sendsLeftOut: isAnyway,
        timeoutMs: TIMEOUT_MS,
        prepared: prepared.take(),
        idempotencyKey: crypto.randomUUID(),
      },
      {
        onSettled: () => {
          pressed.current = false;
        },
      },
    );
  };
  const { keep: keepDraft } = useDraftToCompare();
  const draftChoice = draft.isEdited || !draft.recorded.isWhole ? 'draft' : 'recorded';
  const compare = (kind: 'repeat' | 'attribute') => {
    keepDraft(step.id, draft.text);
    const target = draft.target?.name;
    const common = {
      run: run.id,
      step: step.id,
      kind,
      ...(target === undefined ? {} : { target }),
    };
    void navigate({
      to: '/comparisons/new',
      search:
        kind === 'repeat'
          ? { ...common, a: draftChoice, times: 3 }
          : { ...common, a: 'recorded', b: secondCall(draft, replay) },
    });
  };
  const stop = () => {
    if (runningId !== null && isOut) cancel.mutate(runningId);
  };
  const runningState = running?.state;
  useEffect(() => {
    if (runningState !== 'done') return;
    setRunningId(null);
    draft.setTypedTool('');
    void refreshLists(client, run.id);
  }, [runningState, client, run.id, draft.setTypedTool]);

  const step1 = (distance: number) => {
    const at = replays.findIndex((each) => each.id === shownId);
    const next = replays[at < 0 ? (distance > 0 ? 0 : -1) : at + distance];
    if (next !== undefined) show(next.id);
  };
  useKeys({
    title: 'Replay',
    hints: [
      { caps: ['Ctrl', 'Enter'], words: 'send once' },
      { caps: ['[', ']'], words: 'older, newer replay' },
      { caps: ['C'], words: 'compare two calls' },
      ...(replay !== null && replay.comparison !== null
        ? [
            { caps: ['J', 'K'], words: 'row' },
            { caps: ['V'], words: 'next difference' },
            { caps: ['I'], words: 'ignore path' },
          ]
        : []),
      ...(replay?.state === 'done' ? [{ caps: ['M'], words: 'cite in the mark' }] : []),
      { caps: ['Esc'], words: isOut ? 'cancel' : 'back to the run' },
    ],
    inTextFields: ['Ctrl+Enter'],
    handlers: {
      'Ctrl+Enter': () => sendOnce(),
      c: () => compare('attribute'),
      '[': () => step1(1),
      ']': () => step1(-1),
      escape: () => {
        if (isOut) stop();
        else {
          returnFocusTo(step.id);
          void navigate({
            to: '/runs/$runId',
            params: { runId: run.id },
            search: { step: step.id, tab: 'replay' },
          });
        }
      },
    },
  });
  useTitle(`Replay ${step.tool ?? step.name}`);
  const isNarrow = useMedia('(max-width: 1279px)');
  const [side, setSide] = useState<'frames' | 'comparison'>('comparison');
  // A refusal is of the call as it was: whoever changes it has read that.
  const refused = useRef<() => void>(() => undefined);
  refused.current = () => {
    if (send.isError) send.reset();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what a change is.
  useEffect(() => refused.current(), [draft.text, draft.typedTool, draft.target?.name]);
  const [place, setPlace] = useState<RowPlace | null>(null);
  const answersAs = answeredAs([running, replay], draft.target?.name);
  return (
    <div className={styles.screen}>
      <ReplayHeader
        {...props}
        replays={replays}
        total={total}
        shownId={shownId}
        onShow={show}
        onCompare={() => compare('attribute')}
        narrow={
          isNarrow ? (
            <Segment
              label="Beside the draft"
              small
              options={[
                { value: 'comparison', label: 'Comparison' },
                { value: 'frames', label: 'Frames' },
              ]}
              value={side}
              onChange={setSide}
            />
          ) : null
        }
      />
      <div className={styles.columns}>
        <DraftColumn
          step={step}
          draft={draft}
          name={`r${total + (isOut ? 0 : 1)}`}
          running={isOut ? running : null}
          isStarting={send.isPending}
          sendError={send.error}
          onSend={() => sendOnce()}
          onSendAnyway={() => sendOnce(true)}
          onSendSeveral={() => compare('repeat')}
          onCancel={stop}
          knownReadOnly={knownReadOnly}
          answersAs={answersAs}
          recordedDelayNs={delayBetween(run.startedAtNs, step.startedAtNs)}
        />
        <FramesColumn
          key={`frames-${shownId ?? 'draft'}`}
          step={step}
          replay={replay}
          name={name}
          isHidden={isNarrow && side !== 'frames'}
          place={place}
        />
        <ComparisonColumn
          step={step}
          replay={replay}
          name={name}
          isHidden={isNarrow && side !== 'comparison'}
          onPlace={setPlace}
        />
      </div>
      <StatusItems>
        <StatusItem>
          {isOut
            ? running?.state === 'connecting'
              ? 'connecting'
              : 'call sent, waiting for the answer'
            : 'nothing is being sent'}
        </StatusItem>
      </StatusItems>
    </div>
  );
}

/** Half of it is what a person has at least for an ask of the server. */
const TIMEOUT_MS = 120_000;
/** Name and version that this target gave itself in one of these replays; null = in none. */
function answeredAs(replays: readonly (Replay | null)[], target: string | undefined) {
  for (const replay of replays) {
    if (replay === null || replay.targetName !== target) continue;
    const words = serverWords(replay.receipt?.server);
    if (words !== null) return words;
  }
  return null;
}

/** What the server last said of the tool; null = it was not asked yet. */
/** B of a comparison with the recorded call: what differs from it, as it was sent if it was; '' = nothing. */
function secondCall(draft: Draft, replay: Replay | null): string {
  if (replay !== null && replay.argumentsText !== draft.recorded.text) {
    if (!draft.isEdited || replay.argumentsText === draft.text) return replay.id;
  }
  return draft.isEdited ? 'draft' : '';
}

function readOnlyOf(replay: Replay | null, target: string | undefined): boolean | null {
  if (replay === null || replay.receipt === null || replay.targetName !== target) return null;
  if (replay.receipt.toolDefinition.sha256 === null) return null;
  return replay.receipt.toolDefinition.readOnlyHint === true;
}
