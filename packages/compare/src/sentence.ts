import type { Verdict, VersionName } from '@misstep/model';

/** Weightiest first: what the whole is called when rows disagree. */
const WEIGHT: readonly Verdict[] = [
  'server differs now',
  'altered in transcript',
  'missing in transcript',
  'cannot tell',
  'elided in transcript',
  'formatting only',
  'same',
];

export function weightiest(counts: Partial<Record<Verdict, number>>): Verdict {
  return WEIGHT.find((verdict) => (counts[verdict] ?? 0) > 0) ?? 'same';
}

/**
 * One sentence for the whole comparison, in the order in which a reader needs its parts. Where the
 * call was edited a difference is not laid to the server.
 */
export function summarise(
  counts: Partial<Record<Verdict, number>>,
  about: { readonly columns?: readonly VersionName[] | undefined; readonly inputsEdited: boolean },
): string {
  const { columns = ['transcript', 'replayed'], inputsEdited } = about;
  const hasTranscript = columns.includes('transcript');
  const recorded = hasTranscript && !columns.includes('wire') ? 'transcript' : 'recorded wire';
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total === (counts.same ?? 0)) {
    const inAll = total === 1 ? 'in its one value' : `in all ${total} values`;
    return columns.length === 3
      ? `Transcript, recorded wire and live answer are the same, ${inAll}.`
      : `The live answer is the same as the ${recorded}, ${inAll}.`;
  }
  const parts: string[] = [];
  const differing = (n: number) =>
    `${values(n)} ${n === 1 ? 'differs' : 'differ'} ${
      inputsEdited
        ? `from the ${recorded}, and the call was edited, so the edit may be why`
        : 'on the server now'
    }`;
  if (columns.length === 2) add(parts, counts['server differs now'], differing);
  // With the wire between them, what the transcript did is certain, and why a person looks.
  const faults: string[] = [];
  add(faults, counts['altered in transcript'], (n) => `altered ${values(n)}`);
  add(faults, counts['missing in transcript'], (n) => `left out ${values(n)} without saying so`);
  add(
    faults,
    counts['elided in transcript'],
    (n) => `left out ${values(n)} that the server sent, and says so`,
  );
  if (faults.length > 0) parts.push(`the transcript ${faults.join('; ')}`);
  if (columns.length === 3) add(parts, counts['server differs now'], differing);
  add(parts, counts['cannot tell'], (n) => `of ${values(n)} nothing can be told`);
  add(
    parts,
    counts['formatting only'],
    (n) => `${values(n)} ${n === 1 ? 'is' : 'are'} only written differently`,
  );
  add(parts, counts.same, (n) => `${values(n)} ${n === 1 ? 'is' : 'are'} the same`);
  const sentence = parts.join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function add(parts: string[], count: number | undefined, words: (count: number) => string): void {
  if (count !== undefined && count > 0) parts.push(words(count));
}

function values(count: number): string {
  return count === 1 ? '1 value' : `${count} values`;
}
