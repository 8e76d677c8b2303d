import type { RunDetail, StepDetail } from '@misstep/contract';
import { EVIDENCE_GRADES, STEP_FLAGS } from '@misstep/model';
import { useEffect, useState } from 'react';
import { useJoinedCall, useStepFrames } from '../../api/wire.ts';
import type { RunTab } from '../../state/run-search.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EvidenceGradeLabel } from '../../ui/evidence.tsx';
import { formatBytes } from '../../ui/format-count.ts';
import { formatStepDuration } from '../../ui/format-time.ts';
import { Icon } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Tabs, tabId, tabPanelId } from '../../ui/tabs.tsx';
import text from '../../ui/text.module.css';
import { KIND_ICONS, KIND_WORDS, kindOf, namesTool } from '../call-tree/row-words.ts';
import { StepChipView } from '../call-tree/step-chip-view.tsx';
import { chipsOf, PAIRED_BY_ORDER } from '../call-tree/step-chips.ts';
import { MarkArea, type MarkAreaProps } from '../mark/mark-area.tsx';
import { isMarkOn } from '../mark/mark-place.ts';
import { ReplayTab } from '../replay/replay-tab.tsx';
import { placeText } from '../run/amounts.ts';
import { ExternalMarkEntry } from '../run/external-mark-entry.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { CallTab } from './call-tab.tsx';
import { EvidenceTab } from './evidence-tab.tsx';
import { StepFrames } from './step-frames.tsx';
import styles from './step-panel.module.css';
import { useStep } from './use-step.ts';
import { visibleLine } from './visible-text.ts';

export interface StepPanelProps extends MarkAreaProps {
  readonly run: RunDetail;
  readonly tab: RunTab;
  readonly onTab: (tab: RunTab) => void;
  /** The replay that the address names; null = none. */
  readonly replayId: string | null;
  /** Null where the step is no call. */
  readonly onReplay: (() => void) | null;
}

const ID_BASE = 'step';
/** The line has room for so many; the rest is counted. */
const MOST_CHIPS = 3;

/** One step: head and mark from the tree at once, bodies as they come. */
export function StepPanel(props: StepPanelProps) {
  const { model, index } = props;
  const settled = useSettled(index);
  const stepId = model.skeleton.ids[settled] ?? '';
  const [everythingOf, setEverythingOf] = useState<string | null>(null);
  const step = useStep(props.run.id, stepId, everythingOf === stepId);
  const detail = settled === index && step.data?.id === stepId ? step.data : undefined;
  const joined = useJoinedCall(props.run.id, stepId);
  const onWire = useStepFrames(joined?.runId ?? '', joined?.stepId ?? null).data?.total ?? 0;
  const frames = (detail?.frameCount ?? 0) + onWire;
  const tab = props.tab === 'frames' && detail !== undefined && frames === 0 ? 'call' : props.tab;
  const options = [
    { value: 'call', label: 'Call' },
    ...(frames > 0 || (props.tab === 'frames' && detail === undefined)
      ? [{ value: 'frames', label: 'Frames', count: frames } as const]
      : []),
    {
      value: 'evidence',
      label: 'Evidence',
      count: detail === undefined ? null : detail.moreOrigins.length + 1,
    },
    { value: 'replay', label: 'Replay', count: detail?.replayCount ?? null },
  ] as const;
  return (
    <section className={styles.panel} aria-label={`Step ${index + 1}`}>
      <div>
        <Head {...props} detail={detail} />
        <MarkArea {...props} />
        <ExternalMarks {...props} />
      </div>
      <Tabs
        label="Parts of the step"
        idBase={ID_BASE}
        options={options}
        value={tab}
        onChange={props.onTab}
      />
      <div
        role="tabpanel"
        id={tabPanelId(ID_BASE, tab)}
        aria-labelledby={tabId(ID_BASE, tab)}
        tabIndex={0}
        className={styles.body}
      >
        {step.error !== null ? (
          <ProblemNotice
            error={step.error}
            title="This step can't be shown"
            onRetry={() => void step.refetch()}
          />
        ) : detail === undefined ? (
          <BodySkeleton />
        ) : (
          <TabBody
            key={detail.id}
            {...props}
            tab={tab}
            step={detail}
            onShowAll={everythingOf === stepId ? null : () => setEverythingOf(stepId)}
          />
        )}
      </div>
    </section>
  );
}

/** What the file itself says of this step, below what a person says of it. */
function ExternalMarks({ run, model, index }: StepPanelProps) {
  const stepId = model.skeleton.ids[index];
  return run.externalMarks
    .filter((mark) => mark.stepId !== null && mark.stepId === stepId)
    .map((mark) => (
      <ExternalMarkEntry
        key={`${mark.by} ${mark.origin.sha256} ${mark.origin.offset}`}
        mark={mark}
      />
    ));
}

const SETTLE_MS = 80;

/** Held-down keys pass steps without asking for the body of each; a single move is not delayed. */
function useSettled(index: number): number {
  const [settled, setSettled] = useState(index);
  const [movedAt, setMovedAt] = useState(0);
  const isMoving = index !== settled;
  useEffect(() => {
    if (!isMoving) return;
    const now = performance.now();
    const wait = now - movedAt < SETTLE_MS * 2 ? SETTLE_MS : 0;
    const timer = setTimeout(() => {
      setSettled(index);
      setMovedAt(now);
    }, wait);
    return () => clearTimeout(timer);
  }, [index, isMoving, movedAt]);
  return settled;
}

function TabBody(props: StepPanelProps & { step: StepDetail; onShowAll: (() => void) | null }) {
  const { step } = props;
  switch (props.tab) {
    case 'frames':
      return <StepFrames runId={props.run.id} stepId={step.id} ownCount={step.frameCount} />;
    case 'evidence':
      return <EvidenceTab run={props.run} step={step} />;
    case 'replay':
      return (
        <ReplayTab
          run={props.run}
          step={step}
          onReplay={props.onReplay}
          replayId={props.replayId}
        />
      );
    default:
      return (
        <CallTab
          model={props.model}
          index={props.index}
          step={step}
          citations={props.form?.citations ?? props.run.mark?.citations ?? []}
          onCite={props.form === null ? null : props.onCite}
          onShowAll={props.onShowAll}
        />
      );
  }
}

function Head(props: StepPanelProps & { detail: StepDetail | undefined }) {
  const { model, index } = props;
  const { skeleton } = model;
  const kind = kindOf(skeleton, index);
  const server = skeleton.servers[index] ?? null;
  const tool = skeleton.tools[index] ?? null;
  const canMark = props.form === null && !isMarkOn(props.mark, index);
  return (
    <div className={styles.head}>
      <div className={styles.line}>
        <Icon name={KIND_ICONS[kind]} />
        {namesTool(skeleton, index) && tool !== null ? (
          <h2 className={`${styles.name} ${styles.machine}`}>
            {server === null ? null : (
              <span className={styles.server}>{`${visibleLine(server)} › `}</span>
            )}
            <span className={styles.tool}>{visibleLine(tool)}</span>
          </h2>
        ) : (
          <h2 className={styles.name}>
            <span className={styles.tool}>{visibleLine(skeleton.names[index] ?? '')}</span>
          </h2>
        )}
        <span className={styles.quiet} title={KIND_WORDS[kind]}>{`step ${index + 1}`}</span>
        <span className={styles.spacer} />
        {canMark ? (
          <Button small onClick={props.onOpenForm}>
            <Icon name="flagOutline" small />
            <span>
              Mark<span className={text.hidden}>{` step ${index + 1}`}</span>
            </span>
            <span aria-hidden="true">
              <Kbd>M</Kbd>
            </span>
          </Button>
        ) : null}
        {props.onReplay === null ? null : (
          <Button small onClick={props.onReplay}>
            Replay <Kbd>R</Kbd>
          </Button>
        )}
      </div>
      <Facts {...props} />
    </div>
  );
}

function Facts(props: StepPanelProps & { detail: StepDetail | undefined }) {
  const { model, index, detail } = props;
  const { skeleton } = model;
  const startNs = skeleton.startsNs[index] ?? null;
  const durationNs = skeleton.durationsNs[index] ?? null;
  const grade = EVIDENCE_GRADES[skeleton.evidence[index] ?? 3] ?? 'derived';
  const chips = chipsOf(
    skeleton.statuses[index] ?? 0,
    // Said in words beside them.
    (skeleton.flags[index] ?? 0) & ~STEP_FLAGS.noTime,
  );
  if (((skeleton.flags[index] ?? 0) & STEP_FLAGS.inferredPairing) !== 0)
    chips.push(PAIRED_BY_ORDER);
  const sizes = sizesText(detail);
  const title =
    detail === undefined
      ? undefined
      : [detail.startedAtText, detail.endedAtText].filter((each) => each !== null).join(' to ') ||
        undefined;
  return (
    <div className={styles.facts}>
      <EvidenceGradeLabel grade={grade} />
      {chips.length === 0 ? null : (
        <span className={styles.chips}>
          {chips.slice(0, MOST_CHIPS).map((chip) => (
            <StepChipView key={chip.word} chip={chip} />
          ))}
          {chips.length > MOST_CHIPS ? (
            <Chip
              title={chips
                .slice(MOST_CHIPS)
                .map(({ word }) => word)
                .join(', ')}
            >
              {`+${chips.length - MOST_CHIPS}`}
            </Chip>
          ) : null}
        </span>
      )}
      <span title={title}>
        {startNs === null ? (
          'no time recorded'
        ) : durationNs === null ? (
          `at ${placeText(startNs)}`
        ) : (
          <>
            {`${placeText(startNs)} to ${placeText(startNs + durationNs)}, `}
            <b className={styles.strong}>{formatStepDuration(durationNs)}</b>
          </>
        )}
      </span>
      {detail?.callId === null || detail === undefined ? null : (
        <span className={styles.id} title={detail.callId}>
          id <span className={styles.mono}>{visibleLine(detail.callId)}</span>
        </span>
      )}
      {sizes === null ? null : <span className={styles.optional}>{sizes}</span>}
    </div>
  );
}

function sizesText(detail: StepDetail | undefined): string | null {
  if (detail === undefined) return null;
  const parts = [
    detail.arguments === null || detail.arguments.text === null
      ? null
      : `${formatBytes(detail.arguments.sizeBytes)} out`,
    detail.result === null || detail.result.text === null
      ? null
      : `${formatBytes(detail.result.sizeBytes)} in`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}

/** Structure first: flat bars where the lines will be. */
function BodySkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {[40, 220, 180, 260, 140].map((width) => (
        <i key={width} style={{ width }} />
      ))}
    </div>
  );
}
