import type { ColumnType, Generated } from 'kysely';

/** Read as bigint always: nanoseconds pass 2^53. */
type Whole = ColumnType<bigint, number | bigint, number | bigint>;
type WholeOrNull = ColumnType<bigint | null, number | bigint | null, number | bigint | null>;
type Key = Generated<bigint>;

/** Columns named `...Json` hold JSON; other text is in the form of stored-text.ts where it is free. */
export interface Tables {
  sources: {
    sha256: string;
    name: string;
    sizeBytes: Whole;
    importedAt: string;
    /** The largest size of source-head.ts that it has, and the hash of that many first bytes. */
    headBytes: Whole;
    headSha256: string;
    /** Hash of the first OPENING_BYTES; null for shorter sources and those from before version 5. */
    openingSha256: string | null;
  };
  /** Sources that a living process is importing; no sweep touches them. */
  sourceClaims: { key: Key; sha256: string; process: string };
  /** What one format made of one source. */
  sourceReadings: {
    sha256: string;
    format: string;
    formatRevision: Whole;
    lineage: string;
    recordsTotal: Whole;
    recordsUnderstood: Whole;
    /** Null where an earlier version counted them as understood. */
    recordsSetAside: WholeOrNull;
    recordsNotUnderstood: Whole;
    recordsMalformed: Whole;
    unlistedJson: string;
  };
  sourceLinks: { format: string; link: string; sha256: string };
  numberedReadings: { key: bigint; format: string; sha256: string };
  recordNumbers: { number: bigint; readingKey: bigint };
  unusedRecords: {
    sha256: string;
    format: string;
    ordinal: Whole;
    offset: Whole;
    length: Whole;
    state: string;
    reason: string;
  };
  importIssues: {
    sha256: string;
    format: string;
    ordinal: Whole;
    code: string;
    message: string;
    offset: WholeOrNull;
  };
  runs: {
    key: Key;
    id: string;
    format: string;
    formatRevision: Whole;
    title: string;
    titleIsRenamed: Whole;
    client: string | null;
    model: string | null;
    naturalId: string | null;
    clock: string;
    startedAtNs: WholeOrNull;
    endedAtNs: WholeOrNull;
    /** Digits of times that an INTEGER can't hold. */
    startedAtDigits: string | null;
    endedAtDigits: string | null;
    startedAtText: string | null;
    stepCount: Whole;
    toolCallCount: Whole;
    modelCallCount: Whole;
    errorCount: Whole;
    inputTokens: WholeOrNull;
    outputTokens: WholeOrNull;
    modelUsageJson: string;
    recordedCostUsd: string | null;
    bestEvidence: string;
    evidenceCountsJson: string;
    calledToolsJson: string;
    externalMarksJson: string;
    unreadCount: Whole;
    frameCount: Whole;
    tagsJson: string;
    outcomeJson: string | null;
    importedAt: string;
    /** Nanoseconds since 1970 by which runs are listed: the start, or the import where it is no instant. */
    listedAtNs: Whole;
    /** Raised with every reading, so that a reader in pages notices that the steps were replaced. */
    reading: Whole;
  };
  runSources: {
    runKey: Whole;
    ordinal: Whole;
    sha256: string;
    role: string;
    part: string | null;
  };
  steps: {
    runKey: Whole;
    seq: Whole;
    id: string;
    parentId: string | null;
    kind: string;
    status: string;
    name: string;
    server: string | null;
    tool: string | null;
    summary: string;
    startedAtNs: WholeOrNull;
    endedAtNs: WholeOrNull;
    evidence: string;
    timeEvidence: string;
    detailsJson: string;
  };
  frames: {
    runKey: Whole;
    ordinal: Whole;
    stepId: string | null;
    frameJson: string;
  };
  tools: { runKey: Whole; ordinal: Whole; toolJson: string };
  marks: {
    key: Key;
    id: string;
    runKey: Whole;
    place: string;
    /** The marked step, or the step before the marked gap. */
    stepId: string | null;
    category: string | null;
    reason: string;
    citationsJson: string;
    author: string;
    createdAt: string;
    supersededAt: string | null;
  };
  targets: {
    name: string;
    addressJson: string;
    settingsJson: string;
    /** The address that was confirmed; a confirmation holds for no other. */
    confirmedAddressJson: string | null;
    confirmedAt: string | null;
    trustsReadOnlyHint: Whole;
    createdAt: string;
  };
  replays: {
    key: Key;
    id: string;
    runKey: Whole;
    stepId: string;
    stepSeq: Whole;
    targetName: string;
    tool: string;
    argumentsText: string;
    idempotencyKey: string;
    transport: string;
    startedAt: string;
    /** The process that runs it; once that is gone without an end, the replay is interrupted. */
    process: string;
    outcome: string | null;
    outcomeSentence: string | null;
    receiptText: string | null;
    comparisonJson: string | null;
    /** The experiment that it is a call of; null = sent by itself. */
    experimentId: string | null;
    /** Milliseconds from the first edit, or from opening the draft, to the send; null = not measured. */
    preparedMs: WholeOrNull;
    preparedFrom: string | null;
    /** `KeptPlaces` of the model; null = from before they were noted. */
    secretPlacesJson: string | null;
  };
  experiments: {
    key: Key;
    id: string;
    runKey: Whole;
    kind: string;
    stepId: string;
    stepSeq: Whole;
    targetName: string;
    tool: string;
    planJson: string;
    confirmedTool: string | null;
    idempotencyKey: string;
    startedAt: string;
    /** The process that runs it; once that is gone without an end, the experiment is interrupted. */
    process: string;
    ending: string | null;
    reason: string | null;
    endedAt: string | null;
    /** What was known after the last call. */
    matrixJson: string;
    /** As of a replay. */
    secretPlacesJson: string | null;
  };
  experimentSends: {
    experimentKey: Whole;
    ordinal: Whole;
    plannedId: string;
    label: string;
    /** Null = a call at once, whose frames are in the experiment's own log. */
    replayId: string | null;
    outcome: string;
    callDurationNs: WholeOrNull;
    server: string | null;
    toolSha256: string | null;
  };
  followedFolders: {
    key: Key;
    id: string;
    path: string;
    placeId: string | null;
    followedAt: string;
  };
  /** Files of a followed folder as they were when they were read last. */
  followedFiles: {
    folderKey: Whole;
    path: string;
    sizeBytes: Whole;
    modifiedMs: number;
    inode: string;
    runIdsJson: string;
  };
  /** Files whose rows are gone; unlinked after the commit, or at the next start. */
  doomedFiles: { path: string };
  settings: { key: string; value: string };
}
