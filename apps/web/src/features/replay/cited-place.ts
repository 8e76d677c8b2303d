import type { ValueDetail } from '@misstep/contract';
import { segmentsHeld } from '@misstep/json';
import type { Comparison, ComparisonRow, Ulid } from '@misstep/model';

/** What a link to the mark's form cites, and in words what that is and why. */
export interface CitedPlace {
  readonly cite: string;
  /** Undefined = a place in the recorded result. */
  readonly citeReplay?: Ulid;
  readonly words: string;
}

/**
 * A mark rests on the recording: the value's place in the recorded result, or the nearest place
 * that the step's own result has. What only the live answer holds is cited by its replay.
 */
export function citedPlaceOf(
  comparison: Comparison | null,
  row: ComparisonRow | undefined,
  result: ValueDetail | null,
  replayId: Ulid,
): CitedPlace {
  const ignored = row?.ignoredBy === undefined ? '' : ` This row is ignored by ${row.ignoredBy}.`;
  const text = result?.text ?? null;
  if (text === null || row === undefined) {
    return text === null
      ? {
          cite: '',
          citeReplay: replayId,
          words: 'Cites this replay: the recording holds no result.',
        }
      : { cite: '', words: 'Cites the whole recorded result.' };
  }
  const isLiveOnly = row.transcript === null && (row.wire ?? null) === null;
  if (isLiveOnly) {
    const cite = `${comparison?.rowsBelow ?? ''}${row.pointer}`;
    const place = cite === '' ? 'its answer' : `${cite} in its answer`;
    return {
      cite,
      citeReplay: replayId,
      words: `Cites this replay, ${place}: the recording has nothing there.${ignored}`,
    };
  }
  const wanted =
    row.transcript === null
      ? (row.pointers?.wire ?? row.pointer)
      : (row.pointers?.transcript ?? row.pointer);
  const cite = nearestRecorded(text, wanted, comparison?.rowsBelow ?? '');
  const place = cite === '' ? 'the whole recorded result' : `${cite} of the recorded result`;
  const isExact = cite.endsWith(wanted);
  return {
    cite,
    words: isExact
      ? `Cites ${place}.${ignored}`
      : `Cites ${place}: the step's own result has no place ${wanted}.${ignored}`,
  };
}

/** Rows stand below where the recorded text keeps what was compared; which of these holds most? */
function nearestRecorded(text: string, pointer: string, rowsBelow: string): string {
  let best = '';
  for (const below of ['', rowsBelow, '/structuredContent', '/content/0/text', '/0/text']) {
    const whole = `${below}${pointer}`;
    const held = segmentsHeld(text, whole) ?? 0;
    const segments = whole.split('/');
    if (held === segments.length - 1) return whole;
    const place = segments.slice(0, held + 1).join('/');
    if (place.length > best.length) best = place;
  }
  return best;
}
