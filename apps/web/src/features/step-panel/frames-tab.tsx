import type { RunFrameDetail } from '@misstep/contract';
import { useState } from 'react';
import { useStepFrames } from '../../api/wire.ts';
import { countOf, formatBytes } from '../../ui/format-count.ts';
import { Icon } from '../../ui/icon.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import styles from './bytes.module.css';
import { type LitText, RawBytes } from './bytes-view.tsx';

/** The recorded frames of a step, on one clock, and the bytes of one of them. */
export function FramesTab(props: {
  runId: string;
  stepId: string;
  /** In place of `Frames`, where they are another run's. */
  title?: string;
  /** Whose they are; absent = of this step. */
  of?: string;
  /** Finds what is lit in a frame's text. */
  litIn?: (text: string) => LitText | null;
}) {
  const { runId, stepId } = props;
  const frames = useStepFrames(runId, stepId);
  const [chosen, setChosen] = useState<number | null>(null);
  if (frames.error !== null) {
    return <ProblemNotice error={frames.error} title="The frames can't be shown" />;
  }
  const list = frames.data?.frames ?? [];
  const total = frames.data?.total ?? 0;
  const selected =
    list.find((frame) => frame.seq === chosen) ??
    list.findLast((frame) => frame.kind === 'response' || frame.kind === 'error') ??
    list.at(-1);
  const zero = list[0];
  return (
    <>
      <PanelHead
        title={props.title ?? 'Frames'}
        level={3}
        note={
          frames.data === undefined
            ? undefined
            : `${list.length} of ${countOf(total, 'frame')} of ${props.of ?? 'this step'}`
        }
      >
        <span className={styles.size}>bytes</span>
        <span className={styles.id}>id</span>
      </PanelHead>
      <div className={styles.frames}>
        {list.map((frame) => (
          <button
            key={frame.seq}
            type="button"
            className={styles.frame}
            aria-pressed={frame === selected}
            onClick={() => setChosen(frame.seq)}
          >
            <span className={styles.at}>{zero === undefined ? '' : sinceText(frame, zero)}</span>
            <Icon name={frame.direction === 'client-to-server' ? 'out' : 'in'} small />
            <span className={styles.method}>
              <b>{frame.method ?? frame.kind}</b>
            </span>
            <span className={styles.size}>{formatBytes(frame.sizeBytes)}</span>
            <span className={styles.id}>{frame.idText ?? ''}</span>
          </button>
        ))}
      </div>
      {selected === undefined ? null : (
        <>
          {selected.remark === null ? null : <p className={styles.remark}>{selected.remark}</p>}
          <RawBytes
            key={selected.seq}
            title="Raw bytes"
            text={selected.text}
            sizeBytes={selected.sizeBytes}
            omittedBytes={selected.omittedBytes}
            validUtf8={!selected.text.includes('\ufffd')}
            bytesPerRow={12}
            lit={props.litIn?.(selected.text) ?? null}
          />
        </>
      )}
    </>
  );
}

/** Milliseconds since the step's first frame, on the clock that both have. */
function sinceText(frame: RunFrameDetail, zero: RunFrameDetail): string {
  const [at, from] =
    frame.monotonicNs !== null && zero.monotonicNs !== null
      ? [frame.monotonicNs, zero.monotonicNs]
      : [frame.wallNs, zero.wallNs];
  if (at === null || from === null) return '—';
  const microseconds = Number((BigInt(at) - BigInt(from)) / 1000n);
  return `${(microseconds / 1000).toFixed(microseconds % 1000 === 0 ? 0 : 2)} ms`;
}
