import {
  addRecordCounts,
  adviceOn,
  type ImportIssue,
  MisstepError,
  type RecordCounts,
  type SourceHash,
  type UnusedRecord,
} from '@misstep/model';
import type { StoredSource } from '@misstep/store';
import { failedOutcome, type SourceOutcome } from '../outcome.ts';
import type { RecognisedSource } from '../recognise-source.ts';
import type { Holder, Leaf } from './expand-sources.ts';
import type { UnpackedPart, UnpackedSource } from './unpack-source.ts';

/** What became of the entries of one container. */
export interface ContainerReading {
  readonly sha256: SourceHash;
  readonly records: RecordCounts;
  readonly unused: readonly UnusedRecord[];
  readonly issues: readonly ImportIssue[];
  /** The same reading by the same format was saved with another part: what is unused is left out. */
  readonly isSaved: boolean;
}

interface GivenFile {
  readonly path: string;
  readonly source: StoredSource;
  readonly holders: Map<SourceHash, UnpackedSource>;
  /** Why nothing can be read of a container in which there is nothing. */
  barren: MisstepError | null;
  readonly outcomes: SourceOutcome[];
  readonly left: {
    readonly path: string;
    readonly source: StoredSource;
    readonly error: MisstepError;
  }[];
}

/** Outcomes of the parts of containers, put together to one for each file that was given. */
export class GivenFiles {
  readonly #files = new Map<string, GivenFile>();
  readonly #byLeaf = new Map<string, GivenFile>();
  /** Parts that are no recording, by the container that holds them. */
  readonly #left = new Map<SourceHash, UnusedRecord[]>();
  readonly #saved = new Set<string>();
  readonly #onOutcome: (outcome: SourceOutcome) => void;

  constructor(onOutcome: (outcome: SourceOutcome) => void) {
    this.#onOutcome = onOutcome;
  }

  expect({ path, source }: Pick<GivenFile, 'path' | 'source'>, leafPath: string): void {
    const file = this.#files.get(path) ?? {
      path,
      source,
      holders: new Map(),
      outcomes: [],
      left: [],
      barren: null,
    };
    this.#files.set(path, file);
    this.#byLeaf.set(leafPath, file);
  }

  /** A part that no importer reads, or that is not what its name says. */
  leave(
    leafPath: string,
    { source, holders, barren }: Leaf,
    error: MisstepError,
    broken: string | null = null,
  ): void {
    const file = this.#byLeaf.get(leafPath);
    if (barren === null) file?.left.push({ path: leafPath, source, error });
    else if (file !== undefined) file.barren ??= error;
    for (const { container, unpacked } of holders) file?.holders.set(container.sha256, unpacked);
    if (barren !== null) file?.holders.set(source.sha256, barren);
    const [holder] = holders;
    if (holder === undefined) return;
    const { container, unpacked } = holder;
    const part = partOf(unpacked, source);
    // A whole file that is compressed has no entries to account for.
    if (part === undefined || unpacked.records.total === 0) return;
    const left = part.entries.map(({ name, offset, length }) => ({
      sha256: container.sha256,
      offset,
      length,
      state: broken === null ? ('notUnderstood' as const) : ('malformed' as const),
      reason: `${name}: ${broken ?? 'no format recognises it'}`,
    }));
    const others = this.#left.get(container.sha256);
    if (others === undefined) this.#left.set(container.sha256, left);
    else others.push(...left);
  }

  take(outcome: SourceOutcome): void {
    const file = this.#byLeaf.get(outcome.path);
    if (file === undefined) this.#onOutcome(outcome);
    else file.outcomes.push(outcome);
  }

  readingsOf(members: readonly RecognisedSource[], format: string): ContainerReading[] {
    return holdersOf(members).map(({ container, unpacked }) => {
      const reading = this.#readingOf(container.sha256, unpacked);
      // Thousands of parts beside thousands of entries that are none: once is enough.
      const isSaved = this.#saved.has(`${format} ${container.sha256}`);
      return isSaved ? { ...reading, unused: [], issues: [], isSaved } : reading;
    });
  }

  /** Nothing more is found of a container once its parts are read. */
  noteSaved(readings: readonly ContainerReading[], format: string): void {
    for (const { sha256 } of readings) this.#saved.add(`${format} ${sha256}`);
  }

  /** Notes the containers of what is read now. */
  hold({ path, leaf }: RecognisedSource): void {
    const file = this.#byLeaf.get(path);
    for (const { container, unpacked } of leaf.holders) {
      file?.holders.set(container.sha256, unpacked);
    }
  }

  finish(): void {
    for (const file of this.#files.values()) this.#onOutcome(this.#outcomeOf(file));
  }

  /** What was read before it was cancelled: those runs stay, and are told. */
  finishCancelled(): void {
    for (const file of this.#files.values()) {
      if (file.outcomes.length > 0) this.#onOutcome(this.#outcomeOf(file));
    }
  }

  #readingOf(sha256: SourceHash, unpacked: UnpackedSource): ContainerReading {
    const left = this.#left.get(sha256) ?? [];
    const { records } = unpacked;
    const broken = left.filter(({ state }) => state === 'malformed').length;
    return {
      sha256,
      records: {
        ...records,
        understood: records.understood - left.length,
        notUnderstood: records.notUnderstood + left.length - broken,
        malformed: records.malformed + broken,
      },
      unused: [...unpacked.unused, ...left],
      issues: unpacked.issues.map((issue) => ({ ...issue, sha256, offset: null })),
      isSaved: false,
    };
  }

  #outcomeOf({ path, source, holders, outcomes, left, barren }: GivenFile): SourceOutcome {
    const readings = [...holders].map(([sha256, unpacked]) => this.#readingOf(sha256, unpacked));
    const read = outcomes.filter(({ error }) => error === null);
    const first = read[0] ?? outcomes[0];
    const records = addRecordCounts([...readings, ...outcomes].map((each) => each.records));
    const parts = [
      ...outcomes,
      ...left.map((each) => failedOutcome(each.path, each.source, each.error)),
    ];
    const issues = [
      ...readings.flatMap((reading) => issuesOf(reading)),
      ...outcomes.flatMap((outcome) => partIssues(outcome, path)),
    ];
    const unread = read.length > 0 ? null : (outcomes[0]?.error ?? left[0]?.error ?? barren);
    const error = unread === null ? null : withOmitted(unread, readings);
    if (first === undefined) {
      const failed = error ?? new MisstepError('IMPORT_UNREADABLE', `${path} holds no recording.`);
      const outcome = failedOutcome(path, source, failed);
      const told = { ...outcome, records, issues: [...outcome.issues, ...issues] };
      return parts.length === 0 ? told : { ...told, parts };
    }
    return {
      path,
      source: { sha256: source.sha256, sizeBytes: source.sizeBytes },
      format: first.format,
      formatScore: first.formatScore,
      scores: first.scores,
      alreadyImported: read.length > 0 && read.every(({ alreadyImported }) => alreadyImported),
      runs: uniqueRuns(outcomes),
      records,
      issues,
      error,
      parts,
    };
  }
}

/** A container may have twenty thousand, and each may be asked for. */
const partsBySource = new WeakMap<UnpackedSource, Map<StoredSource, UnpackedPart>>();

function partOf(unpacked: UnpackedSource, source: StoredSource): UnpackedPart | undefined {
  const known =
    partsBySource.get(unpacked) ?? new Map(unpacked.parts.map((part) => [part.source, part]));
  partsBySource.set(unpacked, known);
  return known.get(source);
}

/** Where a recording may stand among entries that nobody looked at, a failure says so. */
function withOmitted(error: MisstepError, readings: readonly ContainerReading[]): MisstepError {
  const omitted = readings
    .flatMap(({ issues }) => issues)
    .find(({ code }) => code === 'ENTRIES_OMITTED');
  if (omitted === undefined) return error;
  const { code, message, details } = error;
  const hint = adviceOn(omitted.code) ?? error.hint;
  return new MisstepError(code, `${message} ${omitted.message}`, details, { hint });
}

/** From the innermost out, each container once. */
export function holdersOf(members: readonly RecognisedSource[]): Holder[] {
  const holders = new Map<SourceHash, Holder>();
  for (const holder of members.flatMap(({ leaf }) => leaf.holders)) {
    if (!holders.has(holder.container.sha256)) holders.set(holder.container.sha256, holder);
  }
  return [...holders.values()];
}

/** Why nothing in a container can be read. */
export function barrenError(path: string, { unused, issues }: UnpackedSource): MisstepError {
  const why = unused[0]?.reason ?? issues[0]?.message ?? 'it is empty';
  return new MisstepError(
    'IMPORT_UNREADABLE',
    `${path} holds no recording that can be read (${why}).`,
    {},
    { hint: 'Check that it is whole and that recordings are packed in it.' },
  );
}

function issuesOf({ issues, unused }: ContainerReading): SourceOutcome['issues'] {
  const lost = unused.filter(({ state }) => state !== 'setAside');
  const shown = lost.slice(0, 20).map(({ state, reason, offset }) => ({
    code: state === 'malformed' ? 'RECORD_MALFORMED' : 'RECORD_NOT_UNDERSTOOD',
    message: reason,
    offset,
  }));
  const rest = lost.length - shown.length;
  const omitted =
    rest === 0
      ? []
      : [
          {
            code: 'RECORDS_OMITTED',
            message: `${rest} further entries, not listed.`,
            offset: null,
          },
        ];
  return [
    ...issues.map(({ code, message }) => ({ code, message, offset: null })),
    ...shown,
    ...omitted,
  ];
}

/** Their offsets are places in the unpacked part, not in the file that was given. */
function partIssues({ issues, path }: SourceOutcome, given: string): SourceOutcome['issues'] {
  const part = path.slice(given.length + 1);
  return issues.map(({ code, message, offset }) => ({
    code,
    message: `${part}${offset === null ? '' : ` at byte ${offset}`}: ${message}`,
    offset: null,
  }));
}

function uniqueRuns(outcomes: readonly SourceOutcome[]): SourceOutcome['runs'] {
  const runs = new Map(outcomes.flatMap((outcome) => outcome.runs).map((run) => [run.id, run]));
  return [...runs.values()];
}
