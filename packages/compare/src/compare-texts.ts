import type { ComparisonRow } from '@misstep/model';
import type { Ground } from './ground.ts';
import { differs, type LeafVerdict, squeeze } from './leaf.ts';

/** Where a renderer begins to say that it cut. */
const FIRST_CUT =
  /…|\.{3}|[[(<]\s*(?:truncated|cut|omitted|elided|persisted-output)|[[(]\s*\+?\d[\d,]*\s*(?:more\s+)?(?:chars|characters|bytes|lines|tokens)|\(\+\d/iu;
/** Fewer shown characters than this are no ground to call two texts different. */
const TELLING_LENGTH = 8;

/** Two results that are no JSON, as one row. */
export function compareTexts(
  transcript: string,
  replayed: string,
  pointer: string,
  transcriptIsCut: boolean,
  ground: Ground,
): ComparisonRow {
  return {
    pointer,
    transcript,
    replayed,
    ...judgeTexts(transcript, replayed, transcriptIsCut, ground),
  };
}

/** Verdict on two texts that are no JSON. */
export function judgeTexts(
  transcript: string,
  replayed: string,
  transcriptIsCut: boolean,
  ground: Ground,
): LeafVerdict {
  if (transcript === replayed) return { verdict: 'same', note: null };
  const live = squeeze(replayed);
  if (squeeze(transcript) === live) return { verdict: 'formatting only', note: 'white space' };
  if (!transcriptIsCut) return differs(ground);
  const cut = FIRST_CUT.exec(transcript);
  const shown = squeeze(cut === null ? transcript : transcript.slice(0, cut.index));
  if (shown !== '' && live.startsWith(shown)) {
    const note = `${ground.right} begins with all that the transcript shows before its cut`;
    return { verdict: 'elided in transcript', note };
  }
  if (ground.isSameAnswer || (cut !== null && shown.length >= TELLING_LENGTH)) {
    const note = 'what the transcript shows before its cut differs already';
    return { ...differs(ground), note };
  }
  return { verdict: 'cannot tell', note: 'the transcript is cut' };
}
