import {
  chooseFormat,
  type Importer,
  importerById,
  looksBinary,
  makeSourceHead,
  memorySource,
  type SourceGroup,
  type SourceHead,
  type SourceReader,
} from '@misstep/importers';
import { MisstepError } from '@misstep/model';
import type { Store, StoredSource } from '@misstep/store';
import { bytesAtHand } from './bytes-at-hand.ts';
import { compressionOf } from './compressed-source.ts';
import type { Leaf } from './container/expand-sources.ts';

const EMPTY = {
  hint: 'It holds 0 bytes, so there is nothing to read. Where something should be in it, look at what wrote it.',
};

/** A source whose format is known, before it is read. */
export interface RecognisedSource {
  readonly path: string;
  readonly source: StoredSource;
  readonly importer: Importer;
  readonly score: number;
  readonly scores: readonly { readonly format: string; readonly score: number }[];
  readonly group: SourceGroup | null;
  readonly leaf: Leaf;
}

export async function headOf(store: Store, source: StoredSource): Promise<SourceHead> {
  return makeSourceHead(readerOf(store, source));
}

export function readerOf(store: Store, source: StoredSource): SourceReader {
  const { name, sizeBytes, sha256 } = source;
  const bytes = bytesAtHand(source);
  if (bytes !== null) return memorySource(name, bytes, sha256);
  return {
    name,
    sizeBytes,
    sha256,
    read: (offset, length) => store.readSource(sha256, offset, length),
  };
}

/** Of many small files of one kind the scores are the same, and there are as many as formats. */
const knownScores = new Map<string, RecognisedSource['scores']>();
const MOST_KNOWN = 1000;

function sharedScores(
  found: readonly { readonly id: string; readonly score: number }[],
): RecognisedSource['scores'] {
  const key = found.map(({ id, score }) => `${id} ${score}`).join();
  const known = knownScores.get(key);
  if (known !== undefined) return known;
  const scores = found.map(({ id, score }) => ({ format: id, score }));
  if (knownScores.size >= MOST_KNOWN) knownScores.clear();
  knownScores.set(key, scores);
  return scores;
}

const NO_TEXT = 'Nothing to do if it is a picture or a program; else check that the file is whole.';

/**
 * Chooses the format by content; the person may overrule with `format`. `withLog`: the head of a
 * database together with the log beside it. Throws IMPORT_UNREADABLE
 * for what no format could hold and IMPORT_NO_FORMAT with the scores otherwise.
 */
export async function recogniseSource(
  store: Store,
  path: string,
  leaf: Leaf,
  format: string | null,
  withLog: SourceHead | null = null,
): Promise<RecognisedSource> {
  const { source } = leaf;
  if (source.sizeBytes === 0 && withLog === null) {
    throw new MisstepError('IMPORT_UNREADABLE', `${path} is empty.`, {}, EMPTY);
  }
  const head = withLog ?? (await headOf(store, source));
  const choice = chooseFormat(head);
  const scores = sharedScores(choice.scores);
  const importer = format === null ? choice.importer : importerById(format);
  if (importer === null) {
    if (format !== null) {
      throw new MisstepError('IMPORT_NO_FORMAT', `There is no format "${format}".`, { scores });
    }
    const compression = compressionOf(head.bytes);
    if (compression !== null) {
      throw new MisstepError(
        'IMPORT_UNREADABLE',
        `${path} is compressed (${compression}).`,
        { scores, compression },
        { hint: 'Unpack it and import what is in it.' },
      );
    }
    if (head.text.startsWith('SQLite format 3\u0000')) {
      throw new MisstepError(
        'IMPORT_UNREADABLE',
        `${path} is a database without the tables of a known client.`,
        { scores },
        {
          hint: `While its program runs they may stand in ${path}-wal alone: import both together.`,
        },
      );
    }
    if (looksBinary(head.bytes)) {
      throw new MisstepError(
        'IMPORT_UNREADABLE',
        `${path} is no text, and no recording.`,
        { scores },
        { hint: NO_TEXT },
      );
    }
    const [nearest] = scores;
    const tail =
      nearest === undefined || nearest.score === 0
        ? ''
        : `; the nearest is ${nearest.format}, with a score of ${nearest.score}`;
    throw new MisstepError('IMPORT_NO_FORMAT', `${path} is of no known format${tail}.`, { scores });
  }
  return {
    path,
    source,
    importer,
    score: scores.find((each) => each.format === importer.id)?.score ?? 0,
    scores,
    group: importer.group?.(head, path) ?? null,
    leaf,
  };
}
