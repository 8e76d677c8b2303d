import { printNode } from '@misstep/json';
import { alignItems } from './align.ts';
import { pairVersions } from './pairing.ts';
import { readVersion } from './version.ts';

/** One line of a difference of two texts; `gap` stands for lines that are the same on both sides. */
export interface DifferenceLine {
  readonly kind: 'same' | 'recorded' | 'live' | 'gap';
  /** Line numbers from 1; null where that side has no such line. */
  readonly recordedLine: number | null;
  readonly liveLine: number | null;
  readonly text: string;
  /** Characters that are left out at the end of a long line, or lines of a gap. */
  readonly omitted: number;
}

export interface LineDifference {
  /** How the two texts were brought to lines. */
  readonly reading: string;
  readonly lines: readonly DifferenceLine[];
  /** Lines left out at the end because of a cap. */
  readonly linesOmitted: number;
}

const CONTEXT_LINES = 3;
const MAX_LINES = 2000;
const MAX_LINE_CHARACTERS = 2000;

/**
 * Two results line by line, each brought to the same shape. JSON is laid out one value a line with
 * every token as it was written; a text that was cut stays as it is.
 */
export function differenceOfLines(
  recordedText: string,
  recordedIsCut: boolean,
  liveText: string,
): LineDifference {
  const pairing = pairVersions(
    readVersion(recordedText, recordedIsCut),
    readVersion(liveText, false),
  );
  if (pairing.kind === 'text') {
    return difference(pairing.transcript, pairing.replayed, [...pairing.readings, 'text as it is']);
  }
  const { transcript, replayed, readings } = pairing;
  const live = printNode(replayed.document.text, replayed.root, { indent: 2 });
  if (transcript.elisions.length > 0) {
    return difference(recordedText, live, [
      ...readings,
      'the recorded text is cut and stands as it is; JSON of the live answer one value a line',
    ]);
  }
  const recorded = printNode(transcript.document.text, transcript.root, { indent: 2 });
  return difference(recorded, live, [...readings, 'JSON one value a line, every token as written']);
}

function difference(recorded: string, live: string, readings: readonly string[]): LineDifference {
  const left = recorded.split('\n');
  const right = live.split('\n');
  const all: DifferenceLine[] = [];
  let mine: DifferenceLine[] = [];
  let theirs: DifferenceLine[] = [];
  const flush = () => {
    for (const line of mine) all.push(line);
    for (const line of theirs) all.push(line);
    mine = [];
    theirs = [];
  };
  for (const [a, b] of alignItems(left, right)) {
    const own = a === null ? null : (left[a] ?? '');
    const other = b === null ? null : (right[b] ?? '');
    if (own !== null && own === other) {
      flush();
      all.push(lineOf('same', a, b, own));
      continue;
    }
    if (own !== null) mine.push(lineOf('recorded', a, null, own));
    if (other !== null) theirs.push(lineOf('live', null, b, other));
  }
  flush();
  const folded = fold(all);
  return {
    reading: readings.join('; '),
    lines: folded.slice(0, MAX_LINES),
    linesOmitted: Math.max(0, folded.length - MAX_LINES),
  };
}

function lineOf(
  kind: DifferenceLine['kind'],
  recorded: number | null,
  live: number | null,
  text: string,
): DifferenceLine {
  return {
    kind,
    recordedLine: recorded === null ? null : recorded + 1,
    liveLine: live === null ? null : live + 1,
    text: text.slice(0, MAX_LINE_CHARACTERS),
    omitted: Math.max(0, text.length - MAX_LINE_CHARACTERS),
  };
}

/** Long runs of equal lines become a gap that says how many they are. */
function fold(lines: readonly DifferenceLine[]): DifferenceLine[] {
  const folded: DifferenceLine[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && lines[end]?.kind === 'same') end += 1;
    if (end === at) {
      const line = lines[at];
      if (line !== undefined) folded.push(line);
      at += 1;
      continue;
    }
    const head = at === 0 ? 0 : CONTEXT_LINES;
    const tail = end === lines.length ? 0 : CONTEXT_LINES;
    const hidden = end - at - head - tail;
    if (hidden <= 1) folded.push(...lines.slice(at, end));
    else {
      folded.push(...lines.slice(at, at + head));
      folded.push({ kind: 'gap', recordedLine: null, liveLine: null, text: '', omitted: hidden });
      folded.push(...lines.slice(end - tail, end));
    }
    at = end;
  }
  return folded;
}
