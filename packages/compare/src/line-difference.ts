import { printNode } from '@misstep/json';
import type { BinaryFact } from '@misstep/model';
import { alignItems } from './align.ts';
import { type HashBytes, KEPT_CHARACTERS } from './binary.ts';
import { BinaryLines } from './binary-lines.ts';
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
  /** Of a line that is base64 of an image, audio or other bytes: `text` keeps a beginning of it. */
  readonly binary?: BinaryFact;
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
  /** SHA-256 in hexadecimal, for bytes that stand in a line as base64; absent = no hashes. */
  hash?: HashBytes,
): LineDifference {
  const pairing = pairVersions(
    readVersion(recordedText, recordedIsCut),
    readVersion(liveText, false),
  );
  if (pairing.kind === 'text') {
    const readings = [...pairing.readings, 'text as it is'];
    return difference(pairing.transcript, pairing.replayed, readings, hash);
  }
  const { transcript, replayed, readings } = pairing;
  const live = printNode(replayed.document.text, replayed.root, { indent: 2 });
  if (transcript.elisions.length > 0) {
    const reading =
      'the recorded text is cut and stands as it is; JSON of the live answer one value a line';
    return difference(recordedText, live, [...readings, reading], hash);
  }
  const recorded = printNode(transcript.document.text, transcript.root, { indent: 2 });
  const reading = 'JSON one value a line, every token as written';
  return difference(recorded, live, [...readings, reading], hash);
}

function difference(
  recorded: string,
  live: string,
  readings: readonly string[],
  hash: HashBytes | undefined,
): LineDifference {
  const left = recorded.split('\n');
  const right = live.split('\n');
  const found: FoundLine[] = [];
  let mine: FoundLine[] = [];
  let theirs: FoundLine[] = [];
  const flush = () => {
    for (const line of mine) found.push(line);
    for (const line of theirs) found.push(line);
    mine = [];
    theirs = [];
  };
  for (const [a, b] of alignItems(left, right)) {
    if (a !== null && b !== null && left[a] === right[b]) {
      flush();
      found.push([a, b]);
      continue;
    }
    if (a !== null) mine.push([a, null]);
    if (b !== null) theirs.push([null, b]);
  }
  flush();
  const folded = fold(found);
  const inLeft = new BinaryLines(left, hash);
  const inRight = new BinaryLines(right, hash);
  const lines = folded.slice(0, MAX_LINES).map((line): DifferenceLine => {
    if (typeof line === 'number') {
      return { kind: 'gap', recordedLine: null, liveLine: null, text: '', omitted: line };
    }
    const [a, b] = line;
    const text = (a === null ? right[b ?? 0] : left[a]) ?? '';
    const binary = a === null ? inRight.at(b ?? 0) : inLeft.at(a);
    const kept = binary === null ? MAX_LINE_CHARACTERS : KEPT_CHARACTERS;
    return {
      kind: a === null ? 'live' : b === null ? 'recorded' : 'same',
      recordedLine: a === null ? null : a + 1,
      liveLine: b === null ? null : b + 1,
      text: text.slice(0, kept),
      omitted: Math.max(0, text.length - kept),
      ...(binary === null ? {} : { binary }),
    };
  });
  return {
    reading: readings.join('; '),
    lines,
    linesOmitted: Math.max(0, folded.length - MAX_LINES),
  };
}

/** Index of a line on either side; both where it is the same line. */
type FoundLine = readonly [left: number | null, right: number | null];

/** Long runs of equal lines become a gap, the number of its lines. */
function fold(lines: readonly FoundLine[]): (FoundLine | number)[] {
  const folded: (FoundLine | number)[] = [];
  const isSame = (line: FoundLine | undefined) =>
    line !== undefined && line[0] !== null && line[1] !== null;
  const add = (from: number, to: number) => {
    for (const line of lines.slice(from, to)) folded.push(line);
  };
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && isSame(lines[end])) end += 1;
    if (end === at) {
      add(at, at + 1);
      at += 1;
      continue;
    }
    const head = at === 0 ? 0 : CONTEXT_LINES;
    const tail = end === lines.length ? 0 : CONTEXT_LINES;
    const hidden = end - at - head - tail;
    if (hidden <= 1) add(at, end);
    else {
      add(at, at + head);
      folded.push(hidden);
      add(end - tail, end);
    }
    at = end;
  }
  return folded;
}
