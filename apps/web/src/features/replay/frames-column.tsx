import type { StepDetail } from '@misstep/contract';
import type { Replay, ReplayEvent, ReplayFrame } from '@misstep/model';
import { useMemo, useState } from 'react';
import { useReceiptAccount } from '../../api/replay-account.ts';
import { useJoinedCall } from '../../api/wire.ts';
import { countOf, formatBytes, formatCount } from '../../ui/format-count.ts';
import { formatStepDuration } from '../../ui/format-time.ts';
import { Icon } from '../../ui/icon.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { Segment } from '../../ui/segment.tsx';
import bytes from '../step-panel/bytes.module.css';
import { type LitText, RawBytes } from '../step-panel/bytes-view.tsx';
import { StepFrames } from '../step-panel/step-frames.tsx';
import { VisibleText } from '../step-panel/visible-text-view.tsx';
import { AskHistory } from './asks/ask-history.tsx';
import { atText } from './at-text.ts';
import { answerFrameOf, byteSpanOf, type RowPlace, spanInFrame } from './frame-span.ts';
import { NotSentAgain } from './not-sent-again.tsx';
import styles from './replay-screen.module.css';

/** Every frame as it crossed the transport, the bytes of one of them, and what the process said. */
export function FramesColumn(props: {
  step: StepDetail;
  replay: Replay | null;
  name: string | null;
  isHidden: boolean;
  /** Where the selected value of the comparison stands; it is lit. */
  place: RowPlace | null;
}) {
  const { replay, step, place } = props;
  const [wantsRecorded, setWantsRecorded] = useState(false);
  const joined = useJoinedCall(step.runId, step.id);
  const hasRecorded = step.frameCount > 0 || joined !== null;
  const showsRecorded = hasRecorded && (wantsRecorded || replay === null);
  const frames = replay?.frames ?? [];
  const [chosen, setChosen] = useState<number | null>(null);
  const answer = answerFrameOf(replay);
  const selected = frames.find((frame) => frame.seq === chosen) ?? answer ?? insteadOf(frames);
  const isAnswer = selected !== undefined && selected === answer;
  const lit = useMemo(
    () => (isAnswer ? litIn(selected.text, place?.replayed ?? null) : null),
    [isAnswer, selected?.text, place],
  );
  const account = useReceiptAccount(replay).data;
  return (
    <section
      className={styles.column}
      aria-label="Frames"
      data-hidden={props.isHidden ? 'yes' : 'no'}
    >
      <PanelHead
        title="Frames"
        note={replay === null || showsRecorded ? undefined : framesNote(replay)}
      >
        {hasRecorded && replay !== null ? (
          <Segment
            label="Frames of"
            small
            options={[
              { value: 'replay', label: props.name ?? 'replay' },
              { value: 'recorded', label: 'recorded' },
            ]}
            value={showsRecorded ? 'recorded' : 'replay'}
            onChange={(value) => setWantsRecorded(value === 'recorded')}
          />
        ) : null}
      </PanelHead>
      {showsRecorded ? (
        <div className={styles.scroll}>
          <StepFrames
            runId={step.runId}
            stepId={step.id}
            ownCount={step.frameCount}
            litIn={(text) => litIn(text, place?.wire ?? null)}
          />
        </div>
      ) : replay === null ? (
        <p className={styles.empty}>
          Nothing was sent yet. Frames appear here as they cross the transport. The recording holds
          no frames of this call.
        </p>
      ) : (
        <>
          <div className={styles.frames} role="region" aria-label="List of frames" tabIndex={0}>
            {frames.map((frame) => (
              <FrameRow
                key={frame.seq}
                frame={frame}
                answers={requestOf(frame, frames)}
                isSelected={frame === selected}
                onSelect={() => setChosen(frame.seq)}
              />
            ))}
          </div>
          <div className={styles.scroll}>
            {selected === undefined ? null : (
              <>
                {selected.remark === null ? null : (
                  <p className={bytes.remark}>{selected.remark}</p>
                )}
                <RawBytes
                  key={selected.seq}
                  title="Raw bytes"
                  text={selected.text}
                  sizeBytes={selected.sizeBytes}
                  omittedBytes={selected.textOmittedBytes}
                  validUtf8={selected.validUtf8}
                  bytesPerRow={10}
                  lit={lit}
                />
              </>
            )}
            <Events events={replay.events} />
            <AskHistory replay={replay} />
            {account === undefined ? null : (
              <NotSentAgain account={account} name={props.name ?? 'the replay'} />
            )}
          </div>
        </>
      )}
    </section>
  );
}

/** The stretch of a value in a frame's text, lit in text and hex. */
function litIn(text: string, pointer: string | null): LitText | null {
  const span = pointer === null ? null : spanInFrame(text, pointer);
  return span === null ? null : { text: span, bytes: byteSpanOf(text, span) };
}

function framesNote(replay: Replay): string {
  const lastNs = Math.max(0, ...replay.frames.map((frame) => frame.atNs));
  return `${countOf(replay.frames.length, 'frame')}, ${formatStepDuration(replay.receipt?.durationNs ?? lastNs)}`;
}

/** The method that a response answers, by its id; null = it answers none of them. */
function requestOf(frame: ReplayFrame, frames: readonly ReplayFrame[]): string | null {
  if (frame.kind !== 'response' && frame.kind !== 'error') return null;
  const request = frames.find(
    (each) =>
      each.kind === 'request' && each.idText === frame.idText && each.direction !== frame.direction,
  );
  return request?.method ?? null;
}

function FrameRow(props: {
  frame: ReplayFrame;
  answers: string | null;
  isSelected: boolean;
  onSelect: () => void;
}) {
  const { frame } = props;
  return (
    <button
      type="button"
      className={bytes.frame}
      aria-pressed={props.isSelected}
      title={frame.remark ?? undefined}
      onClick={props.onSelect}
    >
      <span className={bytes.at}>{atText(frame.atNs)}</span>
      <Icon name={frame.direction === 'client-to-server' ? 'out' : 'in'} small />
      <span className={bytes.method}>
        <b>{frame.method ?? frame.kind}</b>
        {props.answers === null ? null : <span>{` to ${props.answers}`}</span>}
        {frame.remark === null ? null : <span>{` ${frame.remark}`}</span>}
      </span>
      <span className={bytes.size} title={`${formatCount(frame.sizeBytes)} bytes`}>
        {formatBytes(frame.sizeBytes)}
      </span>
      <span className={bytes.id} title={frame.idText ?? undefined}>
        {frame.idText ?? ''}
      </span>
    </button>
  );
}

const EVENT_WORDS: Readonly<Record<ReplayEvent['kind'], string>> = {
  started: 'started',
  stderr: '',
  stderrOmitted: 'stderr left out',
  note: 'note',
  http: 'http',
  exit: 'exit',
  cancel: 'cancelled',
  timeout: 'timed out',
  error: 'error',
};

function Events(props: { events: readonly ReplayEvent[] }) {
  const lines = props.events.filter((event) => event.kind === 'stderr').length;
  const others = props.events.length - lines;
  return (
    <>
      <PanelHead
        title="stderr and process"
        level={3}
        note={`${countOf(lines, 'write')} to stderr, ${countOf(others, 'event')}`}
      >
        <span className={styles.quiet}>same clock as frames</span>
      </PanelHead>
      {props.events.length === 0 ? (
        <p className={styles.empty}>The server wrote nothing to stderr.</p>
      ) : null}
      {props.events.map((event, order) => (
        // Events never change their place: they are only added to.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above.
        <div key={order} className={styles.lane}>
          <span>{atText(event.atNs)}</span>
          <span>
            {EVENT_WORDS[event.kind] === '' ? null : (
              <span className={styles.laneKind}>{`${EVENT_WORDS[event.kind]} `}</span>
            )}
            <VisibleText text={event.text} />
          </span>
        </div>
      ))}
    </>
  );
}

/** Without an answer, what the verdict is about: the first unreadable frame after the call. */
function insteadOf(frames: readonly ReplayFrame[]): ReplayFrame | undefined {
  const call = frames.findIndex(
    ({ kind, method }) => kind === 'request' && method === 'tools/call',
  );
  const after = frames.slice(call + 1).filter((each) => each.direction === 'server-to-client');
  const unreadable = after.find(({ kind }) => kind === 'malformed' || kind === 'batch');
  const stray = after.find(({ kind }) => kind === 'response' || kind === 'error');
  return unreadable ?? stray ?? frames.at(-1);
}
