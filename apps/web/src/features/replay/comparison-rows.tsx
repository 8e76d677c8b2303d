import { type BinaryFact, type Comparison, type ComparisonRow, placeOfRow } from '@misstep/model';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Chip } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EvidenceGradeLabel } from '../../ui/evidence.tsx';
import { formatBytes } from '../../ui/format-count.ts';
import { VerdictChip } from '../../ui/verdict-chip.tsx';
import { VisibleText } from '../step-panel/visible-text-view.tsx';
import styles from './comparison.module.css';
import { hitOf, omittedIn, type ShownVersion, textIn } from './shown-versions.ts';

const ROW_PX = 28;
const SHOWN_CHARACTERS = 200;

/** Pointer, each version, verdict: one row a value. */
export function ComparisonRows(props: {
  comparison: Comparison;
  rows: readonly ComparisonRow[];
  /** Index in `rows`; -1 = the selected row is not among them. */
  selected: number;
  onSelect: (row: number) => void;
  versions: readonly ShownVersion[];
  /** Pointer for which `/…` stands. */
  place: string | null;
}) {
  const { rows, selected, versions } = props;
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 20,
    initialRect: { width: 600, height: 400 },
  });
  useEffect(() => {
    if (selected >= 0 && selected < rows.length) {
      virtualizer.scrollToIndex(selected, { align: 'auto' });
    }
  }, [virtualizer, selected, rows.length]);
  // The head is no part of what scrolls: it keeps as much free as the bar takes.
  const [barPx, setBarPx] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null) setBarPx(element.offsetWidth - element.clientWidth);
  });
  const grid = classNames(styles.columns, versions.length === 3 && styles.threeVersions);
  return (
    <div
      className={styles.table}
      role="table"
      aria-label="Comparison"
      aria-rowcount={rows.length + 1}
    >
      <div role="rowgroup">
        <div
          role="row"
          aria-rowindex={1}
          className={classNames(grid, styles.head)}
          style={{ paddingRight: barPx }}
        >
          <span role="columnheader" className={styles.headName}>
            JSON pointer
          </span>
          {versions.map((version) => (
            <span key={version.name} role="columnheader">
              <span className={styles.headWords}>
                {version.isThere ? (
                  <EvidenceGradeLabel grade={version.grade}>{version.title}</EvidenceGradeLabel>
                ) : (
                  <span className={styles.absent}>{version.title}</span>
                )}
                <span className={styles.headNote} title={version.note}>
                  {version.note}
                </span>
              </span>
            </span>
          ))}
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
                comparison={props.comparison}
                grid={grid}
                versions={versions}
                place={props.place}
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
  comparison: Comparison;
  grid: string;
  versions: readonly ShownVersion[];
  place: string | null;
  row: ComparisonRow;
  order: number;
  topPx: number;
  isSelected: boolean;
  onSelect: (row: number) => void;
}) {
  const { row, comparison } = props;
  const at = placeOfRow(row);
  const side = at.side === null ? '' : ` (${at.side})`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: J, K and V move the selection from the keyboard.
    <div
      role="row"
      aria-rowindex={props.order + 2}
      aria-current={props.isSelected ? 'true' : undefined}
      className={classNames(
        props.grid,
        styles.row,
        props.isSelected && styles.selected,
        row.ignoredBy !== undefined && styles.ignoredRow,
      )}
      style={{ transform: `translateY(${props.topPx}px)` }}
      onClick={() => props.onSelect(props.order)}
    >
      <span role="rowheader" className={styles.pointer} title={`${at.pointer}${side}`}>
        <span className={styles.clip}>
          <bdi>{`${shortPointer(at.pointer, props.place)}${side}`}</bdi>
        </span>
      </span>
      {props.versions.map((version) => (
        <span
          key={version.name}
          role="cell"
          className={classNames(
            hitOf(row, version) === 'transcript' && styles.hitTranscript,
            hitOf(row, version) === 'now' && styles.hitNow,
          )}
        >
          <Value
            text={textIn(comparison, row, version)}
            omittedBytes={omittedIn(comparison, row, version)}
            binary={row.binary?.[version.name] ?? null}
            absence={version.isThere ? 'not present' : version.note}
          />
        </span>
      ))}
      <span role="cell" title={row.note ?? undefined}>
        {row.ignoredBy === undefined ? (
          <VerdictChip verdict={row.verdict} edited={comparison.inputsEdited === true} />
        ) : (
          <Chip title={`${row.verdict}; ignored by ${row.ignoredBy}`}>ignored</Chip>
        )}
      </span>
    </div>
  );
}

function shortPointer(pointer: string, place: string | null): string {
  if (pointer === '') return 'the whole';
  if (place === null || !pointer.startsWith(`${place}/`)) return pointer;
  return `/…${pointer.slice(place.length)}`;
}

function Value(props: {
  text: string | null;
  omittedBytes: number;
  binary: BinaryFact | null;
  absence: string;
}) {
  const { text, binary } = props;
  if (text === null) {
    return (
      <span className={styles.absent} title={props.absence}>
        —
      </span>
    );
  }
  if (binary !== null && binary.sizeBytes !== null) {
    const hash = binary.sha256 === null ? '' : ` ${binary.sha256.slice(0, 8)}`;
    return (
      <span className={styles.clip} title={`SHA-256 ${binary.sha256 ?? 'not known'}`}>
        {`${binary.mediaType ?? 'bytes'} ${formatBytes(binary.sizeBytes)}${hash}`}
      </span>
    );
  }
  const hidden = Math.max(0, text.length - SHOWN_CHARACTERS);
  return (
    <span className={styles.clip}>
      <VisibleText text={text.slice(0, SHOWN_CHARACTERS)} />
      {hidden > 0 ? ` +${hidden} characters` : null}
      {props.omittedBytes > 0 ? ` +${props.omittedBytes} bytes` : null}
    </span>
  );
}
