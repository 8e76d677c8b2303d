import { parseJson, stringValue } from '@misstep/json';
import type { Comparison, ComparisonRow, Replay } from '@misstep/model';
import { useMemo } from 'react';
import styles from './comparison.module.css';
import parts from './comparison-parts.module.css';
import { answerFrameOf, placeOf, spanInFrame } from './frame-span.ts';

/** Raster images that a browser draws without running anything; never SVG. */
const DRAWN: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** A small picture of the live answer's image, from the bytes at hand; nothing is loaded for it. */
export function BinaryPreview(props: {
  comparison: Comparison;
  row: ComparisonRow;
  replay: Replay;
}) {
  const { comparison, row, replay } = props;
  const mediaType = row.binary?.replayed?.mediaType ?? null;
  const base64 = useMemo(() => base64Of(comparison, row, replay), [comparison, row, replay]);
  if (row.replayed === null) return null;
  if (mediaType === null || !DRAWN.has(mediaType)) {
    return (
      <p className={styles.note}>{`No preview of ${mediaType ?? 'bytes without a media type'}.`}</p>
    );
  }
  if (base64 === null) {
    return (
      <p className={styles.note}>No preview: the frame is too large to be held in the page.</p>
    );
  }
  return (
    <figure className={parts.preview}>
      <img alt="The live answer’s image, small" src={`data:${mediaType};base64,${base64}`} />
      <figcaption>live answer, from the frame’s own bytes</figcaption>
    </figure>
  );
}

function base64Of(comparison: Comparison, row: ComparisonRow, replay: Replay): string | null {
  const frame = answerFrameOf(replay);
  const pointer = placeOf(comparison, row).replayed;
  if (frame === null || pointer === null || frame.textOmittedBytes > 0) return null;
  const span = spanInFrame(frame.text, pointer);
  const literal = span === null ? null : parseJson(frame.text.slice(span.start, span.end));
  if (literal?.ok !== true || literal.value.root.kind !== 'string') return null;
  const text = stringValue(literal.value, literal.value.root).replace(/[\r\n]+/g, '');
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? text : null;
}
