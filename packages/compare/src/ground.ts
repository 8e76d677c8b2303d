import type { EvidenceGrade } from '@misstep/model';

/** Which two versions are held against each other, and so what a difference between them can mean. */
export interface Ground {
  /** How good the left version is. Left of `wire` there is no rendering that could have altered it. */
  readonly evidence: EvidenceGrade;
  /** What the left version is called in notes, with its article. */
  readonly left: string;
  /** What the right version is called. */
  readonly right: string;
  /**
   * True where the right version is what the server sent in the very call that the left one shows:
   * then every difference is the left version's doing.
   */
  readonly isSameAnswer: boolean;
}

/** A transcript and the answer of another call: two causes are possible. */
export function againstLive(evidence: EvidenceGrade): Ground {
  return {
    evidence,
    left: evidence === 'wire' ? 'the recorded wire' : 'the transcript',
    right: 'the live answer',
    isSameAnswer: false,
  };
}

/** A transcript and the recorded bytes of the same answer. */
export function againstWire(evidence: EvidenceGrade): Ground {
  return { evidence, left: 'the transcript', right: 'the recorded wire', isSameAnswer: true };
}
