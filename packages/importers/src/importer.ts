import type {
  EvidenceGrade,
  ExternalMark,
  ImportIssue,
  RecordCounts,
  RunClock,
  RunFrame,
  SourceHash,
  Step,
  UnusedGroup,
  UnusedRecord,
} from '@misstep/model';

/** Random access to the bytes of one source. Browser-safe: the caller brings the reading. */
export interface SourceReader {
  readonly sha256: SourceHash;
  /** File name as the person gave it; a hint for titles, never for the choice of format. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Fewer bytes than asked for only at the end of the source. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** The beginning of a source, for the choice of format. */
export interface SourceHead {
  readonly name: string;
  readonly sizeBytes: number;
  /** HEAD_BYTES from the start at most, more only where the first line is longer. */
  readonly bytes: Uint8Array;
  /** The same decoded, without a byte order mark; a cut character at the end left out. */
  readonly text: string;
  /** True where `bytes` is the whole source. */
  readonly whole: boolean;
  /** Complete lines of `text` that aren't blank, 200 at most. */
  readonly lines: readonly string[];
  /** Each of `lines` read as JSON (plain values, for a look only); undefined = no JSON. */
  readonly lineValues: readonly unknown[];
}

export const HEAD_BYTES = 262_144;

/** What companion sources (sub-agents' files) of a run have in common, and which is the main one. */
export interface SourceGroup {
  /** Sources with equal keys belong to one run. */
  readonly key: string;
  readonly role: 'main' | 'companion';
  /** The companion's own name within the run, e.g. an agent's id; null for the main source. */
  readonly part: string | null;
  /**
   * What it shares with others besides `key`: the session that it was forked from, how a session opens
   * that others may repeat. Sources with a common name are of one run; see docs/decisions/0107.
   */
  readonly links?: readonly string[];
  /** It says itself that it goes on from another, so that it is no run's beginning where that one is here. */
  readonly continues?: boolean;
  /** When its first record was written, in milliseconds since 1970; null or left out = not known. */
  readonly beganAtMs?: number | null;
  /**
   * Numbers of its first records, by which another source that holds one of them is found, and of the
   * record elsewhere that it goes on from; see `numbers` of a result.
   */
  readonly numbers?: readonly number[];
}

export interface ImportInput {
  /** The source that the run is known by: its steps have ids without a part. It was imported first. */
  readonly main: SourceReader;
  /** The main source's group; null or left out where it has none. */
  readonly mainGroup?: SourceGroup | null;
  /**
   * Sources that are main ones of their own and make one run together, in the order in which they go on
   * from one another, whichever was imported first. Left out = the main source alone.
   */
  readonly order?: readonly SourceHash[];
  /** Empty unless the importer's `group` put other sources with this one, or it's a database with a log. */
  readonly companions: readonly { readonly reader: SourceReader; readonly group: SourceGroup }[];
  readonly signal?: AbortSignal;
  /** Documents larger than that are read entry by entry, or refused; 256 MiB if left out. */
  readonly maxDocumentBytes?: number;
  readonly onProgress?: (progress: { readBytes: number; records: number; steps: number }) => void;
}

/** A tool's definition as the recording holds it (from tools/list, or as a model was offered it). */
export interface RecordedTool {
  readonly server: string | null;
  readonly name: string;
  readonly definition: { sha256: SourceHash; offset: number; length: number; pointer: string };
  /** The definition where no bytes of the source are it (JSON in a string): then `definition` says what holds it. */
  readonly definitionText?: string;
  /** True where only the name is recorded, which is what `definition` points at. */
  readonly isNameOnly?: true;
}

export interface RunDraft {
  /**
   * Tells the runs of one source apart and stays the same when the source grows: the agent's
   * own id for the run, or the ordinal of the run in the source.
   */
  readonly key: string;
  /** Of several sources that which the run is known by, where it isn't the one all of them are known by. */
  readonly knownBy?: SourceHash;
  readonly title: string;
  readonly client: string | null;
  readonly model: string | null;
  readonly naturalId: string | null;
  readonly clock: RunClock;
  /** In execution order; `seq` counts from 1 without gaps; parents come before their children. */
  readonly steps: readonly Step[];
  readonly frames: readonly RunFrame[];
  readonly tools: readonly RecordedTool[];
  /** Judgements that the source itself holds; none if left out. */
  readonly externalMarks?: readonly ExternalMark[];
  /** USD that the source states for the run as a whole, as it writes them; none if left out. */
  readonly recordedCostUsd?: string | null;
}

export interface ImportResult {
  readonly runs: readonly RunDraft[];
  /** One entry a source, main and companions. */
  readonly sources: readonly {
    readonly sha256: SourceHash;
    readonly records: RecordCounts;
    /** Those that give the run nothing, in source order; each state up to a bound. */
    readonly unused: readonly UnusedRecord[];
    /** How many more there are beyond that bound. */
    readonly unlisted: readonly UnusedGroup[];
    /**
     * Numbers of records that tell it apart from all but copies (see record-number.ts): sources of one
     * format of which one holds the counterpart of the other's are of one run. None if left out.
     */
    readonly numbers?: Float64Array;
  }[];
  readonly issues: readonly ImportIssue[];
}

/**
 * One format: one file in formats/, named as its id, with fixtures/<id>/ and a page
 * docs/formats/<id>.md. Pure: no clock, no file system, no network.
 */
export interface Importer {
  readonly id: string;
  readonly title: string;
  /** The best grade that this format's values can have. */
  readonly evidence: EvidenceGrade;
  /** Raised when the same bytes give other steps or other accounts, so that stored runs are read anew. */
  readonly revision: number;
  /** 0 = surely not, 1 = surely; decided by content. The highest score reads the source. */
  sniff(head: SourceHead): number;
  /** Null = this source stands alone. `path` as the person gave it, with the folders as far as they are known. */
  group?(head: SourceHead, path: string): SourceGroup | null;
  /**
   * Reads the whole source. Damaged records become issues and counts, never exceptions; the only
   * exceptions are an aborted signal (AbortError) and a reader that fails.
   */
  read(input: ImportInput): Promise<ImportResult>;
}
