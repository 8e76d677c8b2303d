import type { ComparisonRow, EvidenceGrade } from '@misstep/model';
import { EvidenceGradeLabel } from '../../ui/evidence.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { VerdictChip } from '../../ui/verdict-chip.tsx';
import { VisibleText } from '../step-panel/visible-text-view.tsx';
import styles from './comparison.module.css';
import { differenceOf } from './text-difference.ts';

const MOST_CHARACTERS = 20_000;

/** The selected row: both texts under each other, the characters that differ boxed. */
export function RowDetail(props: {
  row: ComparisonRow;
  order: number;
  total: number;
  transcriptGrade: EvidenceGrade;
}) {
  const { row } = props;
  const left = row.transcript;
  const right = row.replayed;
  const difference = left === null || right === null ? null : differenceOf(left, right);
  return (
    <section className={styles.detail} aria-label="Selected value" tabIndex={0}>
      <PanelHead
        title={row.pointer === '' ? 'the whole' : row.pointer}
        level={3}
        note={<VerdictChip verdict={row.verdict} />}
      >
        <span className={styles.fairWords}>{`row ${props.order + 1} of ${props.total}`}</span>
      </PanelHead>
      <div className={styles.aligned}>
        <div>
          <EvidenceGradeLabel grade={props.transcriptGrade}>
            {props.transcriptGrade === 'wire' ? 'Recorded' : 'Transcript'}
          </EvidenceGradeLabel>
          <Aligned
            text={left}
            omittedBytes={row.omittedBytes?.transcript ?? 0}
            from={difference?.start ?? 0}
            to={difference?.leftEnd ?? 0}
            boxed
          />
        </div>
        <div>
          <EvidenceGradeLabel grade="wire">Replayed</EvidenceGradeLabel>
          <Aligned
            text={right}
            omittedBytes={row.omittedBytes?.replayed ?? 0}
            from={difference?.start ?? 0}
            to={difference?.rightEnd ?? 0}
            boxed={false}
          />
        </div>
      </div>
      {row.note === null ? null : <p className={styles.note}>{row.note}</p>}
    </section>
  );
}

function Aligned(props: {
  text: string | null;
  omittedBytes: number;
  from: number;
  to: number;
  boxed: boolean;
}) {
  const { text, omittedBytes, from, to } = props;
  if (text === null) {
    return (
      <span className={styles.absent} title="not present">
        —
      </span>
    );
  }
  const end = Math.min(text.length, MOST_CHARACTERS);
  return (
    <span className={styles.alignedText}>
      <VisibleText text={text.slice(0, Math.min(from, end))} />
      {to > from && from < end ? (
        <em className={props.boxed ? styles.boxed : styles.strong}>
          <VisibleText text={text.slice(from, Math.min(to, end))} />
        </em>
      ) : null}
      <VisibleText text={text.slice(Math.max(from, to), end)} />
      {text.length > end ? ` +${text.length - end} characters` : null}
      {omittedBytes > 0 ? ` + ${omittedBytes} bytes left out` : null}
    </span>
  );
}
