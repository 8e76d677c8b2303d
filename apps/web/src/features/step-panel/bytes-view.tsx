import { useEffect, useRef, useState } from 'react';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import styles from './bytes.module.css';
import { type BytesForm, BytesSegment } from './bytes-segment.tsx';
import { HexView } from './hex-view.tsx';
import { VisibleText } from './visible-text-view.tsx';

const SHOWN_BYTES = 65_536;
/** Bytes of the window that stand before a lit stretch which lies beyond its first part. */
const LEAD_BYTES = 2048;

/** A stretch of the text, in UTF-16 units and in bytes; ends are exclusive. */
export interface LitText {
  readonly text: { readonly start: number; readonly end: number };
  readonly bytes: { readonly start: number; readonly end: number };
}

/** A frame's text or its bytes. `text` is what the server sent of it; the rest is counted. */
export function RawBytes(props: {
  title: string;
  text: string;
  sizeBytes: number;
  omittedBytes: number;
  validUtf8: boolean;
  bytesPerRow: number;
  /** The selected value's stretch; it is lit and scrolled to. */
  lit?: LitText | null;
}) {
  const [view, setView] = useState<BytesForm>('text');
  const box = useRef<HTMLDivElement>(null);
  const lit = props.lit ?? null;
  const litStart = lit?.bytes.start ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lit stretch and the view move the scroll.
  useEffect(() => {
    const mark = box.current?.querySelector('[data-lit]');
    const scroller = mark?.closest('[role=region]');
    if (!(mark instanceof HTMLElement) || scroller == null) return;
    const offset = mark.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    scroller.scrollTop += offset - scroller.clientHeight / 2;
  }, [litStart, view, props.text]);
  const bytes = new TextEncoder().encode(props.text);
  const from =
    litStart === null || litStart < SHOWN_BYTES
      ? 0
      : Math.floor((litStart - LEAD_BYTES) / props.bytesPerRow) * props.bytesPerRow;
  const shown = bytes.subarray(from, from + SHOWN_BYTES);
  const after = props.omittedBytes + (view === 'hex' ? bytes.length - from - shown.length : 0);
  const cut = cutWords(view === 'hex' ? from : 0, after);
  return (
    <div ref={box}>
      <PanelHead title={props.title} level={3} note={`${formatCount(props.sizeBytes)} B`}>
        <BytesSegment value={view} onChange={setView} />
      </PanelHead>
      {cut === '' ? null : <p className={styles.remark}>{cut}</p>}
      {props.validUtf8 ? null : (
        <p className={styles.remark}>
          These bytes are not UTF-8: what can't be read is shown as U+FFFD, in hex too.
        </p>
      )}
      {view === 'hex' ? (
        <HexView
          bytes={shown}
          offset={from}
          bytesPerRow={props.bytesPerRow}
          lit={lit?.bytes ?? null}
          isWire
        />
      ) : (
        <div
          className={styles.raw}
          tabIndex={0}
          role="region"
          aria-label={`${props.title}, ${countOf(props.sizeBytes, 'byte')}`}
        >
          <LitWords text={props.text} lit={lit} />
        </div>
      )}
    </div>
  );
}

/** On a line of its own: in the head's note a narrow column would cut it. */
function cutWords(before: number, after: number): string {
  return [
    ...(before > 0 ? [`The first ${countOf(before, 'byte')} not shown.`] : []),
    ...(after > 0 ? [`The last ${countOf(after, 'byte')} not shown.`] : []),
  ].join(' ');
}

function LitWords(props: { text: string; lit: LitText | null }) {
  const { text, lit } = props;
  if (lit === null) return <VisibleText text={text} />;
  const { start, end } = lit.text;
  return (
    <>
      <VisibleText text={text.slice(0, start)} />
      <mark data-lit className={styles.litWire}>
        <VisibleText text={text.slice(start, end)} />
      </mark>
      <VisibleText text={text.slice(end)} />
    </>
  );
}
