import type { EvidenceGrade } from '@misstep/model';
import { countOf } from '../../ui/format-count.ts';
import { type CutInDocument, lastSegment } from './value-lines.ts';

const UNITS: Readonly<Record<CutInDocument['kind'], [string, string]>> = {
  items: ['item', 'items'],
  members: ['member', 'members'],
  characters: ['character', 'characters'],
  lines: ['line', 'lines'],
  bytes: ['byte', 'bytes'],
  tokens: ['token', 'tokens'],
  value: ['value', 'values'],
  tail: ['rest', 'rest'],
};

/** What a recording of this grade is called where something is missing from it. */
export function recordingWord(grade: EvidenceGrade): string {
  if (grade === 'wire') return 'capture';
  return grade === 'logged' ? 'log' : 'transcript';
}

/** `… 20 items not in transcript`: what is missing, and how much where the source says so. */
export function cutWords(cut: CutInDocument, grade: EvidenceGrade): string {
  const where = `not in ${recordingWord(grade)}`;
  if (cut.kind === 'tail') return `… cut off here, the rest ${where}`;
  if (cut.kind === 'value') return `… value of ${lastSegment(cut.pointer)} ${where}`;
  const [one, many] = UNITS[cut.kind];
  if (cut.count === null) return `… ${many} ${where}, it does not say how many`;
  return `… ${countOf(cut.count, one, many)} ${where}`;
}
