import type { ImportState, SourceFate } from '@misstep/contract';
import { sourceCount } from '../../api/imports.ts';
import { countOf, formatBytes, formatCount } from '../../ui/format-count.ts';
import { formatTimeLeft } from '../../ui/format-time.ts';

export const FATE_WORDS: Readonly<Record<SourceFate, string>> = {
  imported: 'imported',
  known: 'known already',
  setAside: 'set aside',
  failed: 'failed',
};

/** What people look for first comes first. */
export const FATE_ORDER = ['failed', 'setAside', 'imported', 'known'] as const;

/** `3 failed, 340 imported, 2 known already`: what needs a look first, where a row is narrow; without those of which there are none. */
export function fatesText(fates: ImportState['summary']['fates']): string {
  return (['failed', 'imported', 'known', 'setAside'] as const)
    .filter((fate) => fates[fate] > 0)
    .map((fate) => `${formatCount(fates[fate])} ${FATE_WORDS[fate]}`)
    .join(', ');
}

export function sumFates(imports: readonly ImportState[]): ImportState['summary']['fates'] {
  const sum = { imported: 0, known: 0, setAside: 0, failed: 0 };
  for (const { summary } of imports) {
    for (const fate of FATE_ORDER) sum[fate] += summary.fates[fate];
  }
  return sum;
}

/** What is being done, and of how many files it is done. */
export function phaseWords(state: ImportState): string {
  const { phase, fileCount, receivedFiles, recognisedFiles } = state;
  const of = (done: number) =>
    fileCount === 1 ? '' : `, ${formatCount(done)} of ${countOf(fileCount, 'file')}`;
  switch (phase) {
    case 'receiving':
      return `receiving${of(receivedFiles)}`;
    case 'waiting':
      return 'waiting for another import';
    case 'recognising':
      return `recognising${of(recognisedFiles)}`;
    case 'reading':
      return 'reading';
    case 'saving':
      return 'saving the steps';
    case 'ending':
      return 'cancelling';
    default:
      return '';
  }
}

/** Bytes a second and the time left by that; empty while neither can be said. */
export function rateWords(state: ImportState): string {
  const { readBytes, sizeBytes, remainingMs } = state;
  if (remainingMs === null || remainingMs <= 0 || readBytes >= sizeBytes) return '';
  // The rate that the time left was worked out from: of this phase, not of the whole import.
  const rate = ((sizeBytes - readBytes) / remainingMs) * 1000;
  return `${formatBytes(rate)}/s, ${formatTimeLeft(remainingMs)}`;
}

/** What is kept of an import that was cancelled. */
export function keptWords(state: ImportState): string {
  const { runCount, fates } = state.summary;
  const kept = fates.imported + fates.known;
  if (state.phase === 'ending') return 'cancelling: what was saved before is kept';
  if (runCount === 0) return 'cancelled, nothing was kept';
  const of = state.fileCount > 1 ? ` of ${countOf(kept, 'source')} read before` : '';
  return `cancelled, ${countOf(runCount, 'run')}${of} ${runCount === 1 ? 'is' : 'are'} kept`;
}

/** An ended import in a few words: losses are said elsewhere. */
export function endedWords(state: ImportState): string {
  const { summary } = state;
  const { fates, records, runCount, remarkCount } = summary;
  const count = sourceCount(state);
  const notes = remarkCount > 0 ? countOf(remarkCount, 'note') : '';
  if (count > 1) return [fatesText(fates), notes].filter((part) => part !== '').join(', ');
  const words = [
    fates.known > 0 ? 'imported before, nothing changed' : '',
    runCount === 0 ? 'no run in it' : '',
    notes,
  ].filter((part) => part !== '');
  if (words.length > 0) return words.join(', ');
  const { setAside, total } = records;
  return setAside !== null && setAside > 0
    ? `${countOf(total, 'record')}, ${formatCount(setAside)} set aside`
    : `${countOf(total, 'record')}, all understood`;
}
