import type {
  Experiment,
  ExperimentEnding,
  ExperimentPlan,
  ExperimentSend,
  ExternalMark,
  FrameTransport,
  ImportIssue,
  KeptPlaces,
  Mark,
  MarkDraft,
  Outcome,
  Receipt,
  RecordCounts,
  Replay,
  Run,
  RunFrame,
  RunId,
  SourceHash,
  Step,
  StepId,
  Target,
  TargetName,
  Ulid,
  UnusedGroup,
  UnusedRecord,
} from '@misstep/model';
import type { FrameRow } from './frame-row.ts';
import type { SourceLookUp } from './queries/source.ts';
import type { SourceHead } from './source-head.ts';
import type { StepRow } from './step-row.ts';
import type { ToolToSave } from './tool-to-save.ts';
import type { UnusedFilter, UnusedPage } from './unused-page.ts';

/** A source as the store keeps it: a file named by its SHA-256, never rewritten. */
export interface StoredSource {
  readonly sha256: SourceHash;
  readonly name: string;
  readonly sizeBytes: number;
  readonly importedAt: string;
}

/** Where a source's bytes come in; nothing is visible to others before `finish`. */
export interface SourceWriter {
  write(chunk: Uint8Array): Promise<void>;
  /** Flushed to disk and in its place when this resolves; the same bytes twice are one file. */
  finish(): Promise<StoredSource>;
  abort(): Promise<void>;
}

/** Steps as rows that come in pieces, so that a long run is never in memory as a whole. */
export interface StepPieces {
  /** As the source writes the run's start. */
  readonly startedAtText: string | null;
  /** Rows that encodeStep made, in execution order. */
  pieces(): AsyncIterable<readonly StepRow[]>;
}

/** Frames as rows that come in pieces. */
export interface FramePieces {
  /** Rows that encodeFrame made, in the order of the source. */
  pieces(): AsyncIterable<readonly FrameRow[]>;
}

export interface RunToSave {
  readonly run: Run;
  readonly steps: readonly Step[] | StepPieces;
  readonly frames: readonly RunFrame[] | FramePieces;
  readonly tools: readonly ToolToSave[];
  readonly sources: readonly {
    sha256: SourceHash;
    role: 'main' | 'companion' | 'container';
    part: string | null;
  }[];
  /** Judgements that the source itself holds. */
  readonly externalMarks?: readonly ExternalMark[];
}

export interface ImportToSave {
  readonly format: string;
  readonly formatRevision: number;
  readonly runs: readonly RunToSave[];
  readonly sources: readonly {
    sha256: SourceHash;
    records: RecordCounts;
    unused: readonly UnusedRecord[];
    /** Records beyond those, by what they have in common. */
    unlisted: readonly UnusedGroup[];
    /** The first source of the line of which this one is a grown version; itself if none. */
    lineage: SourceHash;
    /** Its reading by this format was saved just before, and stays; `unused` is empty then. */
    isSaved?: boolean;
    /** Names that it shares with other sources of its run; none if left out. */
    links?: readonly string[];
    /** Numbers of its records by which others that hold one of them are found; none if left out. */
    numbers?: Float64Array;
  }[];
  readonly issues: readonly ImportIssue[];
}

/** A run with what people added to it. */
export interface StoredRun {
  readonly run: Run;
  readonly tags: readonly string[];
  readonly outcome: Outcome | null;
  readonly mark: Mark | null;
  readonly markSeq: number | null;
  readonly startedAtText: string | null;
  readonly unreadCount: number;
  readonly importedAt: string;
}

export interface StoredRunDetail extends StoredRun {
  readonly sources: readonly (StoredSource & {
    role: 'main' | 'companion' | 'container';
    part: string | null;
    records: RecordCounts;
  })[];
  readonly issues: readonly ImportIssue[];
  readonly issuesOmitted: number;
  readonly externalMarks: readonly ExternalMark[];
  readonly evidenceCounts: readonly number[];
  readonly frameCount: number;
  readonly replayCount: number;
}

/** A folder whose new and grown files are imported while the app runs. */
export interface FollowedFolder {
  readonly id: Ulid;
  readonly path: string;
  /** The known place that it is; null = a folder that the person named. */
  readonly placeId: string | null;
  readonly followedAt: string;
}

/** A file of a followed folder as it was when it was read last. */
export interface FollowedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly inode: string;
  readonly runIds: readonly RunId[];
}

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/**
 * Everything that is kept. Asynchronous and silent about SQLite: another engine may stand behind
 * it. Methods throw MisstepError with the codes of the catalogue (RUN_NOT_FOUND, DISK_FULL,
 * DATA_FOLDER_READ_ONLY ...). What a resolved promise acknowledged survives the death of the
 * process.
 */
export interface Store {
  readonly dataFolder: string;
  /** For targets that name no working folder; inside the data folder, empty. */
  readonly targetFolder: string;

  createSource(name: string): Promise<SourceWriter>;
  findSource(sha256: SourceHash): Promise<StoredSource | null>;
  readSource(sha256: SourceHash, offset: number, length: number): Promise<Uint8Array>;
  /** Absolute path of the file, for streaming an export; SOURCE_NOT_FOUND if it is gone. */
  sourcePath(sha256: SourceHash): Promise<string>;
  /** Where nothing stands yet and a file may be put that is not needed once this process has ended. */
  scratchPath(): string;
  /** All that an import asks of a source at one go: its runs, its line, and what it may belong to. */
  lookUpSource(
    sha256: SourceHash,
    format: string,
    sizeBytes: number,
    mostLarger: number,
  ): Promise<SourceLookUp>;
  /**
   * Sources that a run of this format was read from and whose head is one of these: candidates
   * for "this file has grown", largest first. A source's head is its largest of HeadHash.
   */
  listSourcesByHead(
    heads: readonly SourceHead[],
    format: string,
  ): Promise<readonly (StoredSource & { lineage: SourceHash })[]>;
  /** Runs read from this source and by which format and revision. */
  findRunsOfSource(
    sha256: SourceHash,
  ): Promise<readonly { runId: RunId; format: string; formatRevision: number }[]>;
  /** Runs of a format with this natural id (an agent's session id). */
  findRunsByNaturalId(format: string, naturalId: string): Promise<readonly StoredRunDetail[]>;
  /** Sources with a run of the format that hold a record with one of these numbers. */
  findSourcesByNumbers(
    format: string,
    numbers: readonly number[] | Float64Array,
  ): Promise<readonly StoredSource[]>;
  /** Runs of which one of the names is the natural id, or is shared by one of their sources; the first saved first. */
  findRunsByLinks(format: string, links: readonly string[]): Promise<readonly StoredRunDetail[]>;
  /**
   * Removes source files that no run needs. A source that was finished and isn't part of a run yet
   * belongs to the import that brought it and stays while the process lives: pass it as `givenUp`
   * once that import is cancelled or has failed. Gives how many were removed.
   */
  sweepSources(givenUp?: readonly SourceHash[]): Promise<number>;

  /**
   * One transaction: all of it or nothing. A run that exists already (same id) has its steps
   * replaced and keeps its title if a person renamed it, tags, outcome, marks and replays.
   */
  saveImport(input: ImportToSave): Promise<void>;

  listRuns(page: Page): Promise<{ total: number; runs: readonly StoredRun[] }>;
  getRun(runId: RunId): Promise<StoredRunDetail>;
  updateRun(
    runId: RunId,
    change: { title?: string; tags?: readonly string[]; outcome?: Outcome | null },
  ): Promise<void>;
  /** Gives how many source files went with it. */
  deleteRun(runId: RunId): Promise<{ sourcesDeleted: number }>;

  /**
   * Every step of a run in execution order, without a cap: rows are small, bodies stay in sources.
   * `keep` gives what is kept of each as it comes, so that a long run needs less than all of it.
   */
  listSteps(runId: RunId, keep?: (step: Step) => Step): Promise<Step[]>;
  getStep(runId: RunId, stepId: StepId): Promise<Step>;
  listFrames(
    runId: RunId,
    filter: Page & { stepId?: StepId },
  ): Promise<{ total: number; frames: readonly RunFrame[] }>;
  listTools(runId: RunId): Promise<RunToSave['tools']>;
  /** Groups are those of the whole run, the largest first; total and records those of the filter. */
  listUnused(runId: RunId, filter: Page & UnusedFilter): Promise<UnusedPage>;

  listMarks(runId: RunId): Promise<readonly Mark[]>;
  /** STEP_NOT_FOUND where the place or a citation names a step that the run doesn't have. */
  putMark(runId: RunId, draft: MarkDraft, author: string): Promise<Mark>;
  removeMark(runId: RunId): Promise<boolean>;

  listTargets(): Promise<readonly Target[]>;
  getTarget(name: TargetName): Promise<Target>;
  addTarget(target: Pick<Target, 'name' | 'address' | 'settings'>): Promise<Target>;
  confirmTarget(name: TargetName, trustsReadOnlyHint: boolean): Promise<Target>;
  /** Changes what is given; `keepsConfirmation` false takes the confirmation back with it. */
  updateTarget(
    name: TargetName,
    change: Partial<Pick<Target, 'address' | 'settings'>>,
    keepsConfirmation: boolean,
  ): Promise<Target>;
  removeTarget(name: TargetName): Promise<void>;

  /** Where a replay's frame log is written while it runs; the file is the record of its frames. */
  createReplay(replay: NewReplay): Promise<{ frameLogPath: string }>;
  finishReplay(replayId: Ulid, end: ReplayEnd): Promise<void>;
  /** Forgets a replay that hasn't ended and of which nothing was sent; its key may be used again. */
  discardReplay(replayId: Ulid): Promise<void>;
  getReplay(replayId: Ulid): Promise<StoredReplay>;
  findReplayByKey(idempotencyKey: string): Promise<StoredReplay | null>;
  /** Their comparisons have no rows here. */
  listReplays(filter: {
    runId?: RunId;
    stepId?: StepId;
    limit: number;
  }): Promise<{ total: number; replays: readonly StoredReplay[] }>;

  /** Where the frames of calls at once are kept; REPLAY_REFUSED while its target is busy. */
  createExperiment(experiment: NewExperiment): Promise<{ frameLogPath: string }>;
  /** One call as it ended, and what is known with it. */
  recordExperimentSend(
    experimentId: Ulid,
    send: ExperimentSend,
    matrix: Experiment['matrix'],
  ): Promise<void>;
  finishExperiment(experimentId: Ulid, end: ExperimentEnd): Promise<void>;
  getExperiment(experimentId: Ulid): Promise<StoredExperiment>;
  findExperimentByKey(idempotencyKey: string): Promise<StoredExperiment | null>;
  listExperiments(filter: {
    runId?: RunId;
    limit: number;
  }): Promise<{ total: number; experiments: readonly StoredExperiment[] }>;
  /** Rows of which the cost of the loop is made. */
  readLoop(): Promise<LoopFacts>;

  listFollowedFolders(): Promise<FollowedFolder[]>;
  /** Gives the folder as it is followed, which it may have been before under another id. */
  followFolder(folder: FollowedFolder): Promise<FollowedFolder>;
  /** False where it was not followed. What was imported from it stays. */
  unfollowFolder(id: Ulid): Promise<boolean>;
  listFollowedFiles(id: Ulid): Promise<FollowedFile[]>;
  putFollowedFiles(id: Ulid, files: readonly FollowedFile[]): Promise<void>;

  /** Small facts of the app itself, e.g. which run is the demo. */
  getSetting(key: string): Promise<string | null>;
  setSetting(key: string, value: string): Promise<void>;

  stats(): Promise<{ runCount: number; sourceBytes: number }>;
  close(): Promise<void>;
}

export interface NewReplay {
  readonly id: Ulid;
  readonly runId: RunId;
  readonly stepId: StepId;
  readonly stepSeq: number;
  readonly targetName: TargetName;
  readonly tool: string;
  readonly argumentsText: string;
  readonly idempotencyKey: string;
  readonly transport: FrameTransport;
  readonly startedAt: string;
  /** The experiment that it is a call of; null = sent by itself. */
  readonly experimentId: Ulid | null;
  /** How long it was prepared, as the page measured it; null = not measured. */
  readonly prepared: { readonly ms: number; readonly from: 'edit' | 'open' } | null;
  /** Where secrets stand in it, as far as it is there; null or absent = not noted. */
  readonly secretPlaces?: KeptPlaces | null;
}

export interface ReplayEnd {
  readonly outcome: NonNullable<Replay['outcome']>;
  readonly outcomeSentence: string;
  /** JSON text of the receipt exactly as hashed and shown; null where no call was sent. */
  readonly receiptText: string | null;
  readonly comparison: Replay['comparison'];
  /** In place of those that it was begun with; null or absent = those stay. */
  readonly secretPlaces?: KeptPlaces | null;
}

export interface StoredReplay extends NewReplay {
  readonly secretPlaces: KeptPlaces | null;
  readonly frameLogPath: string;
  /** Null while it runs; a replay whose process died reads `interrupted` at the next start. */
  readonly outcome: Replay['outcome'];
  readonly outcomeSentence: string | null;
  readonly receipt: Receipt | null;
  /** As hashed and shown; `receipt` is the same, read. */
  readonly receiptText: string | null;
  readonly comparison: Replay['comparison'];
}

export interface NewExperiment {
  readonly id: Ulid;
  readonly runId: RunId;
  readonly stepId: StepId;
  readonly stepSeq: number;
  readonly targetName: TargetName;
  readonly tool: string;
  readonly plan: ExperimentPlan;
  readonly confirmedTool: string | null;
  readonly idempotencyKey: string;
  readonly startedAt: string;
  readonly matrix: Experiment['matrix'];
  readonly secretPlaces?: KeptPlaces | null;
}

export interface ExperimentEnd {
  readonly ending: ExperimentEnding;
  readonly reason: string | null;
  readonly endedAt: string;
  readonly matrix: Experiment['matrix'];
  readonly secretPlaces?: KeptPlaces | null;
}

export interface StoredExperiment extends NewExperiment {
  readonly secretPlaces: KeptPlaces | null;
  /** Frames of the calls at once; the file is there only where there were any. */
  readonly frameLogPath: string;
  /** Null while it runs; one whose process died reads `interrupted` at the next start. */
  readonly ending: ExperimentEnding | null;
  readonly reason: string | null;
  readonly endedAt: string | null;
  readonly sends: readonly ExperimentSend[];
}

export interface LoopFacts {
  /** Calls at once, which are no replays. */
  readonly atOnceCount: number;
  /** Every replay that has ended. */
  readonly replays: readonly {
    readonly runKey: string;
    readonly tool: string;
    readonly receiptText: string | null;
    readonly outcome: string;
    readonly isInExperiment: boolean;
    readonly preparedMs: number | null;
    readonly preparedFrom: 'edit' | 'open' | null;
  }[];
  /** Runs with a tag `case:NAME`. */
  readonly runs: readonly {
    readonly runKey: string;
    readonly cases: readonly string[];
    readonly tools: readonly string[];
  }[];
}
