import type { RunDetail } from '@misstep/contract';
import { addRecordCounts, type RecordCounts, type UnusedState } from '@misstep/model';
import { countOf, formatCount } from '../../ui/format-count.ts';

export const STATE_WORDS: Readonly<Record<UnusedState, string>> = {
  setAside: 'set aside',
  notUnderstood: 'not understood',
  malformed: 'malformed',
};

/** The records of all the run's sources together. */
export function recordsOf(run: Pick<RunDetail, 'sources'>): RecordCounts {
  return addRecordCounts(run.sources.map(({ records }) => records));
}

/** The four counts, which add up to the first. */
export function accountSentence(counts: RecordCounts): string {
  const { total, understood, setAside, notUnderstood, malformed } = counts;
  const parts = [
    `${formatCount(understood)} understood`,
    setAside === null ? 'set aside not counted' : `${formatCount(setAside)} set aside`,
    `${formatCount(notUnderstood)} not understood`,
    `${formatCount(malformed)} malformed`,
  ];
  return `${countOf(total, 'record')}: ${parts.join(', ')}`;
}

/** What was lost: null where nothing was. */
export function lossWords({
  notUnderstood,
  malformed,
}: Pick<RecordCounts, 'notUnderstood' | 'malformed'>): string | null {
  if (notUnderstood + malformed === 0) return null;
  if (notUnderstood === 0) return `${countOf(malformed, 'record')} malformed`;
  const words = `${countOf(notUnderstood, 'record')} not understood`;
  return malformed === 0 ? words : `${words}, ${formatCount(malformed)} malformed`;
}

/** The same in a few words, for where all is well. */
export function accountWords({ total, setAside }: RecordCounts): string {
  return setAside === null || setAside === 0
    ? `${countOf(total, 'record')} understood`
    : `${formatCount(setAside)} of ${countOf(total, 'record')} set aside`;
}
