import type { ZipEntry } from './zip-directory.ts';

/**
 * What is to become of an entry: read by itself, joined in order with others into one recording,
 * read along with others, or set aside (why).
 */
export interface EntryUse {
  readonly entry: ZipEntry;
  readonly use:
    | { readonly kind: 'part' }
    | { readonly kind: 'joined'; readonly name: string }
    | { readonly kind: 'shared' }
    | { readonly kind: 'setAside'; readonly reason: string };
}

const JOURNAL_START = '_journal/start.json';
const HEADER = 'header.json';
/** `events/event-00003-<id>.json`: the number is the order. */
const EVENT_FILE = /^(.*\/)?event[-_]\d+[-_][^/]*\.json$/;

/**
 * An evaluation log of Inspect (`.eval`) holds a file a sample, and the evaluation's own facts in
 * `header.json`, or in the journal where it never ended. A conversation of OpenHands holds a file
 * an event. In any other container each file may be a recording.
 */
export function usesOf(entries: readonly ZipEntry[]): EntryUse[] {
  const files = entries.filter(({ name }) => !name.endsWith('/'));
  const names = new Set(files.map(({ name }) => name));
  const isInspect =
    (names.has(HEADER) || names.has(JOURNAL_START)) &&
    [...names].some((name) => isSample(name) || name === JOURNAL_START);
  const header = names.has(HEADER) ? HEADER : JOURNAL_START;
  return files.map((entry) => ({
    entry,
    use: isInspect ? inspectUse(entry.name, header) : plainUse(entry.name),
  }));
}

function isSample(name: string): boolean {
  return /^samples\/[^/]+\.json$/.test(name);
}

function inspectUse(name: string, header: string): EntryUse['use'] {
  if (name === header) return { kind: 'shared' };
  if (isSample(name)) return { kind: 'part' };
  if (name.startsWith('_journal/')) return setAside("the evaluation's journal, said elsewhere");
  if (name === 'summaries.json') return setAside('summaries of the samples');
  if (name === 'reductions.json') return setAside('scores of samples over epochs');
  return { kind: 'part' };
}

function plainUse(name: string): EntryUse['use'] {
  const isMeta = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$)/.test(name);
  if (isMeta) return setAside('a note of the file manager');
  const event = EVENT_FILE.exec(name);
  return event === null ? { kind: 'part' } : { kind: 'joined', name: `${event[1] ?? ''}events` };
}

function setAside(reason: string): EntryUse['use'] {
  return { kind: 'setAside', reason };
}
