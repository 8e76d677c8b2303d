import type { ComparisonRow, EvidenceGrade } from '@misstep/model';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { EvidenceGradeLabel } from '../../ui/evidence.tsx';
import { VerdictChip } from '../../ui/verdict-chip.tsx';
import { VisibleText } from '../step-panel/visible-text-view.tsx';
import styles from './comparison.module.css';

const ROW_PX = 28;
const SHOWN_CHARACTERS = 200;

/** Pointer, transcript, replay, verdict: one row a value. */
export function ComparisonRows(props: {
  rows: readonly ComparisonRow[];
  selected: number;
  onSelect: (row: number) => void;
  transcriptGrade: EvidenceGrade;
  replayNote: string;
}) {
  const { rows, selected } = props;
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    initialRect: { width: 600, height: 400 },
  });
  useEffect(() => {
    if (selected < rows.length) virtualizer.scrollToIndex(selected, { align: 'auto' });
  }, [virtualizer, selected, rows.length]);
  const isWire = props.transcriptGrade === 'wire';
  return (
    <div
      className={styles.table}
      role="table"
      aria-label="Comparison"
      aria-rowcount={rows.length + 1}
    >
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className={classNames(styles.columns, styles.head)}>
          <span role="columnheader" className={styles.headName}>
            JSON pointer
          </span>
          <span role="columnheader">
            <span>
              <EvidenceGradeLabel grade={props.transcriptGrade}>
                {isWire ? 'Recorded' : 'Transcript'}
              </EvidenceGradeLabel>
              <span className={styles.headNote}>
                {isWire ? 'on the wire' : 'what the agent saw'}
              </span>
            </span>
          </span>
          <span role="columnheader">
            <span>
              <EvidenceGradeLabel grade="wire">Replayed, now</EvidenceGradeLabel>
              <span className={styles.headNote}>{props.replayNote}</span>
            </span>
          </span>
          <span role="columnheader" className={styles.headName}>
            Verdict
          </span>
        </div>
      </div>
      <div ref={box} role="rowgroup" className={styles.rows} tabIndex={0}>
        <div
          role="presentation"
          className={styles.sizer}
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <Row
                key={item.key}
                row={row}
                order={item.index}
                topPx={item.start}
                isSelected={item.index === selected}
                onSelect={props.onSelect}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Row(props: {
  row: ComparisonRow;
  order: number;
  topPx: number;
  isSelected: boolean;
  onSelect: (row: number) => void;
}) {
  const { row } = props;
  const isTranscripts = row.verdict.endsWith('in transcript');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: J, K and V move the selection from the keyboard.
    <div
      role="row"
      aria-rowindex={props.order + 2}
      aria-current={props.isSelected ? 'true' : undefined}
      className={classNames(styles.columns, styles.row, props.isSelected && styles.selected)}
      style={{ transform: `translateY(${props.topPx}px)` }}
      onClick={() => props.onSelect(props.order)}
    >
      <span role="rowheader" className={styles.pointer} title={row.pointer}>
        <bdi className={styles.clip}>{row.pointer === '' ? 'the whole' : row.pointer}</bdi>
      </span>
      <span role="cell" className={classNames(isTranscripts && styles.hitTranscript)}>
        <Value text={row.transcript} />
      </span>
      <span
        role="cell"
        className={classNames(row.verdict === 'server differs now' && styles.hitNow)}
      >
        <Value text={row.replayed} />
      </span>
      <span role="cell" title={row.note ?? undefined}>
        <VerdictChip verdict={row.verdict} />
      </span>
    </div>
  );
}

function Value(props: { text: string | null }) {
  const { text } = props;
  if (text === null) {
    return (
      <span className={styles.absent} title="not present">
        —
      </span>
    );
  }
  return (
    <span className={styles.clip}>
      <VisibleText text={text.slice(0, SHOWN_CHARACTERS)} />
      {text.length > SHOWN_CHARACTERS ? ` +${text.length - SHOWN_CHARACTERS} characters` : null}
    </span>
  );
}
