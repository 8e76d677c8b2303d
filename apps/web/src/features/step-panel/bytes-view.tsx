import { useState } from 'react';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { Segment } from '../../ui/segment.tsx';
import styles from './bytes.module.css';
import { HexView } from './hex-view.tsx';
import { VisibleText } from './visible-text-view.tsx';

const SHOWN_BYTES = 65_536;

/** A frame's text or its bytes. `text` is what the server sent of it; the rest is counted. */
export function RawBytes(props: {
  title: string;
  text: string;
  sizeBytes: number;
  omittedBytes: number;
  validUtf8: boolean;
  bytesPerRow: number;
}) {
  const [view, setView] = useState<'text' | 'hex'>('text');
  const bytes = new TextEncoder().encode(props.text);
  const shown = bytes.subarray(0, SHOWN_BYTES);
  const hidden = props.omittedBytes + (view === 'hex' ? bytes.length - shown.length : 0);
  return (
    <>
      <PanelHead
        title={props.title}
        level={3}
        note={`${formatCount(props.sizeBytes)} B${hidden > 0 ? `, last ${formatCount(hidden)} not shown` : ''}`}
      >
        <Segment
          label="Bytes as"
          small
          options={[
            { value: 'text', label: 'Text' },
            { value: 'hex', label: 'Hex' },
          ]}
          value={view}
          onChange={setView}
        />
      </PanelHead>
      {props.validUtf8 ? null : (
        <p className={styles.remark}>
          These bytes are not UTF-8: what can't be read is shown as U+FFFD, in hex too.
        </p>
      )}
      {view === 'hex' ? (
        <HexView bytes={shown} offset={0} bytesPerRow={props.bytesPerRow} lit={null} />
      ) : (
        <div
          className={styles.raw}
          tabIndex={0}
          role="region"
          aria-label={`${props.title}, ${countOf(props.sizeBytes, 'byte')}`}
        >
          <VisibleText text={props.text} />
        </div>
      )}
    </>
  );
}
