import {
  type BinaryFact,
  type Comparison,
  type ComparisonRow,
  placeOfRow,
  type Replay,
} from '@misstep/model';
import { useMemo } from 'react';
import { EvidenceGradeLabel } from '../../ui/evidence.tsx';
import { formatCount } from '../../ui/format-count.ts';
import { PanelHead } from '../../ui/panel-head.tsx';
import { VerdictChip } from '../../ui/verdict-chip.tsx';
import { VisibleText } from '../step-panel/visible-text-view.tsx';
import { BinaryPreview } from './binary-preview.tsx';
import styles from './comparison.module.css';
import { answerFrameOf, byteSpanOf, placeOf, spanInFrame } from './frame-span.ts';
import { omittedIn, type ShownVersion, textIn } from './shown-versions.ts';
import { differenceOf, type TextDifference } from './text-difference.ts';

const MOST_CHARACTERS = 20_000;

/** The selected row: its texts under each other, the characters that differ boxed. */
export function RowDetail(props: {
  comparison: Comparison;
  row: ComparisonRow;
  order: number;
  total: number;
  versions: readonly ShownVersion[];
  replay: Replay;
}) {
  const { comparison, row, replay } = props;
  const place = placeOfRow(row);
  const versions = props.versions.filter((version) => version.isThere);
  const texts = versions.map((version) => textIn(comparison, row, version));
  // The recorded wire is what both others are held against; else there are only two.
  const middle = versions.findIndex(({ name }) => name === 'wire');
  const base = texts[middle >= 0 ? middle : versions.length - 1] ?? null;
  const bytes = useMemo(() => bytesOf(comparison, row, replay), [comparison, row, replay]);
  return (
    <section className={styles.detail} aria-label="Selected value" tabIndex={0}>
      <PanelHead
        title={`${place.pointer === '' ? 'the whole' : place.pointer}${place.side === null ? '' : ` (${place.side})`}`}
        level={3}
        note={<VerdictChip verdict={row.verdict} edited={comparison.inputsEdited === true} />}
      >
        <span className={styles.fairWords}>
          {`row ${formatCount(props.order + 1)} of ${formatCount(props.total)}${bytes === null ? '' : `, ${bytes}`}`}
        </span>
      </PanelHead>
      <div className={styles.aligned}>
        {versions.map((version, at) => {
          const text = texts[at] ?? null;
          const other =
            at === middle || (middle < 0 && at === versions.length - 1)
              ? differingOther(texts, at)
              : base;
          const difference = text === null || other === null ? null : differenceOf(text, other);
          return (
            <div key={version.name}>
              <EvidenceGradeLabel grade={version.grade}>
                {version.title.split(',')[0] ?? ''}
              </EvidenceGradeLabel>
              <Aligned
                text={text}
                binary={row.binary?.[version.name] ?? null}
                omittedBytes={omittedIn(comparison, row, version)}
                difference={difference}
                boxed={version.name === 'transcript'}
              />
            </div>
          );
        })}
      </div>
      {row.binary === undefined ? null : (
        <BinaryPreview comparison={comparison} row={row} replay={replay} />
      )}
      {row.note === null ? null : <p className={styles.note}>{row.note}</p>}
      {row.ignoredBy === undefined ? null : (
        <p
          className={styles.note}
        >{`Not judged: ignored by the rule ${row.ignoredBy}. I takes the rule away.`}</p>
      )}
    </section>
  );
}

/** The first other version that differs from it: the wire is boxed where either side departs. */
function differingOther(texts: readonly (string | null)[], at: number): string | null {
  const own = texts[at];
  return texts.find((text, index) => index !== at && text !== null && text !== own) ?? own ?? null;
}

/** Where the value stands in the live answer's frame; null = not found in what was sent of it. */
function bytesOf(comparison: Comparison, row: ComparisonRow, replay: Replay): string | null {
  const frame = answerFrameOf(replay);
  const pointer = placeOf(comparison, row).replayed;
  if (frame === null || pointer === null) return null;
  const span = spanInFrame(frame.text, pointer);
  if (span === null) return null;
  const { start, end } = byteSpanOf(frame.text, span);
  // The text of a large frame is cut: where the value ends is then not known here.
  if (frame.textOmittedBytes > 0 && span.end >= frame.text.length) {
    return `from byte ${formatCount(start)}; its end is past what is shown of the frame`;
  }
  return `bytes ${formatCount(start)} to ${formatCount(Math.max(start, end - 1))}`;
}

function Aligned(props: {
  text: string | null;
  binary: BinaryFact | null;
  omittedBytes: number;
  difference: TextDifference | null;
  boxed: boolean;
}) {
  const { text, omittedBytes, difference, binary } = props;
  if (text === null) {
    return (
      <span className={styles.absent} title="not present">
        —
      </span>
    );
  }
  if (binary !== null && binary.sizeBytes !== null) {
    return (
      <span className={styles.alignedText}>
        {`${binary.mediaType ?? 'no media type'}, ${formatCount(binary.sizeBytes)} bytes, SHA-256 ${binary.sha256 ?? 'not known'}`}
      </span>
    );
  }
  const end = Math.min(text.length, MOST_CHARACTERS);
  const from = difference?.start ?? 0;
  const to = difference?.leftEnd ?? 0;
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
