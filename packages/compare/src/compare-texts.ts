import type { ComparisonRow, EvidenceGrade } from '@misstep/model';
import { differs, squeeze } from './leaf.ts';

const TAIL_MARKER =
  /\s*(?:…|\.{3})?\s*(?:[[(<]?\s*(?:…|\.{3})?\s*\+?\s*[\d,]*\s*(?:more\s+)?(?:chars?|characters|bytes|lines|tokens)?\s*(?:more|omitted|truncated|elided|cut)?[^\n]{0,40}[\])>]?)?\s*$/iu;

/** Two results that are no JSON, as one row. */
export function compareTexts(
  transcript: string,
  replayed: string,
  pointer: string,
  transcriptIsCut: boolean,
  evidence: EvidenceGrade,
): ComparisonRow {
  const row = { pointer, transcript, replayed };
  if (transcript === replayed) return { ...row, verdict: 'same', note: null };
  if (squeeze(transcript) === squeeze(replayed))
    return { ...row, verdict: 'formatting only', note: 'white space' };
  if (transcriptIsCut) {
    const shown = squeeze(transcript.replace(TAIL_MARKER, ''));
    if (squeeze(replayed).startsWith(shown)) {
      return {
        ...row,
        verdict: 'elided in transcript',
        note: 'the live text begins with all that the transcript shows',
      };
    }
    return { ...row, verdict: 'cannot tell', note: 'the transcript is cut' };
  }
  return { ...row, ...differs(evidence) };
}
