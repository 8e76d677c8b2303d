import { existsSync } from 'node:fs';
import type {
  ImportIssue,
  RecordCounts,
  Run,
  SourceHash,
  UnusedGroup,
  UnusedRecord,
} from '@misstep/model';
import type { Database } from '../database.ts';
import { EVIDENCE_ORDER } from '../evidence-order.ts';
import { Failure } from '../failure.ts';
import type { FrameRow } from '../frame-row.ts';
import { layout } from '../layout.ts';
import { splitNanoseconds } from '../nanoseconds.ts';
import type { RunToSave } from '../store.ts';
import { encodeText, encodeTextOrNull } from '../stored-text.ts';
import type { GatheredRows } from './gathered-rows.ts';
import type { GatheredSteps } from './gathered-steps.ts';
import { insertIssues } from './import-issue.ts';
import { insertRecordNumbers } from './record-number.ts';
import { findRunKey } from './run-key.ts';
import { releaseSources } from './source.ts';
import { insertUnused } from './unused-record.ts';

/** An import gathered in the worker, its steps in the form of rows already. */
export interface GatheredImport {
  readonly format: string;
  readonly formatRevision: number;
  readonly runs: readonly GatheredRun[];
  readonly sources: readonly GatheredSource[];
  readonly issues: readonly ImportIssue[];
}

interface GatheredRun {
  readonly run: Run;
  readonly tools: RunToSave['tools'];
  readonly sources: RunToSave['sources'];
  readonly externalMarks?: RunToSave['externalMarks'];
  readonly startedAtText: string | null;
  readonly steps: GatheredSteps;
  readonly frames: GatheredRows<FrameRow>;
}

interface GatheredSource {
  readonly sha256: SourceHash;
  readonly records: RecordCounts;
  readonly lineage: SourceHash;
  readonly unlisted: readonly UnusedGroup[];
  readonly links?: readonly string[];
  readonly numbers?: Float64Array;
  readonly unused: UnusedRecord[];
  readonly isSaved?: boolean;
}

/** Some megabytes. */
const LARGE_RUN_ROWS = 5000;

/** All or nothing. SOURCE_NOT_FOUND where a source has no row or no file. */
export function saveImport(
  database: Database,
  gathered: GatheredImport,
  process: string,
  nowMs: number,
  isSmall = false,
): void {
  if (gathered.runs.some((run) => run.steps.count + run.frames.count > LARGE_RUN_ROWS)) {
    // So that it can be cut again if this import fills the disk.
    database.emptyLog();
  }
  const work = () => {
    const named = [
      ...gathered.sources.map((source) => source.sha256),
      ...gathered.runs.flatMap((run) => run.sources.map((source) => source.sha256)),
    ];
    for (const sha256 of new Set(named)) requireSource(database, sha256);
    requireIssuesPlaced(gathered);
    for (const source of gathered.sources.filter(({ isSaved }) => isSaved !== true))
      saveReading(database, gathered, source);
    for (const run of gathered.runs) saveRun(database, gathered, run, nowMs);
    releaseSources(database, named, process);
  };
  // Small ones come by the thousand: they wait for the disk together.
  if (isSmall) database.writeSoon(work);
  else database.write(work);
}

function requireSource(database: Database, sha256: SourceHash): void {
  const row = database.first(
    database.builder.selectFrom('sources').select('sha256').where('sha256', '=', sha256),
  );
  if (row !== undefined && existsSync(layout.source(database.dataFolder, sha256))) return;
  throw new Failure('SOURCE_NOT_FOUND', `The source ${sha256} isn't in the data folder.`, {
    sha256,
  });
}

/** An issue of no source of the import would never be shown. */
function requireIssuesPlaced(gathered: GatheredImport): void {
  const hashes = new Set(gathered.sources.map((source) => source.sha256));
  const lost = gathered.issues.find((issue) => !hashes.has(issue.sha256));
  if (lost === undefined) return;
  throw new Failure('INTERNAL', `The issue ${lost.code} is of no source of its import.`);
}

function saveReading(database: Database, gathered: GatheredImport, source: GatheredSource): void {
  const { sha256, records, unused, unlisted } = source;
  const { format } = gathered;
  const { builder } = database;
  // What an earlier revision made of it goes with its row.
  database.run(
    builder.deleteFrom('sourceReadings').where('sha256', '=', sha256).where('format', '=', format),
  );
  database.run(
    builder.insertInto('sourceReadings').values({
      sha256,
      format,
      formatRevision: gathered.formatRevision,
      lineage: source.lineage,
      recordsTotal: records.total,
      recordsUnderstood: records.understood,
      recordsSetAside: records.setAside,
      recordsNotUnderstood: records.notUnderstood,
      recordsMalformed: records.malformed,
      unlistedJson: JSON.stringify(unlisted),
    }),
  );
  for (const link of new Set(source.links ?? [])) {
    database.run(
      builder.insertInto('sourceLinks').values({ format, link: encodeText(link), sha256 }),
    );
  }
  if (source.numbers !== undefined) {
    insertRecordNumbers(database, format, sha256, source.numbers);
  }
  insertUnused(database, format, sha256, unused);
  const issues = gathered.issues.filter((issue) => issue.sha256 === sha256);
  insertIssues(database, format, sha256, issues);
}

function saveRun(
  database: Database,
  gathered: GatheredImport,
  saved: GatheredRun,
  nowMs: number,
): void {
  const runKey = putRunRow(database, gathered, saved, nowMs);
  const { builder } = database;
  for (const table of ['steps', 'frames', 'tools', 'runSources'] as const) {
    database.run(builder.deleteFrom(table).where('runKey', '=', runKey));
  }
  saved.steps.saveAs('steps', runKey);
  saved.frames.saveAs('frames', runKey, 'ordinal');
  saved.tools.forEach((tool, ordinal) => {
    const toolJson = JSON.stringify(tool);
    database.run(builder.insertInto('tools').values({ runKey, ordinal, toolJson }));
  });
  saved.sources.forEach(({ sha256, role, part }, ordinal) => {
    database.run(
      builder
        .insertInto('runSources')
        .values({ runKey, ordinal, sha256, role, part: encodeTextOrNull(part) }),
    );
  });
}

/** What people gave a run that exists (title, tags, outcome) stays, and so does its first import. */
function putRunRow(
  database: Database,
  gathered: GatheredImport,
  saved: GatheredRun,
  nowMs: number,
): bigint {
  const { builder } = database;
  const values = readingValues(gathered, saved, nowMs);
  const title = encodeText(saved.run.title);
  const key = findRunKey(database, saved.run.id);
  if (key === null) {
    const inserted = database.run(
      builder.insertInto('runs').values({
        ...values,
        id: saved.run.id,
        title,
        titleIsRenamed: 0,
        tagsJson: '[]',
        outcomeJson: null,
        importedAt: new Date(nowMs).toISOString(),
        reading: 1,
      }),
    );
    return inserted.key;
  }
  const { listedAtNs, ...rest } = values;
  database.run(
    builder
      .updateTable('runs')
      .set((column) => ({
        ...rest,
        ...(startOfInstant(saved.run) === null ? {} : { listedAtNs }),
        reading: column('reading', '+', 1n),
      }))
      .where('key', '=', key),
  );
  database.run(
    builder
      .updateTable('runs')
      .set({ title })
      .where('key', '=', key)
      .where('titleIsRenamed', '=', 0n),
  );
  return key;
}

function readingValues(gathered: GatheredImport, saved: GatheredRun, nowMs: number) {
  const { run, steps, frames } = saved;
  const started = splitNanoseconds(run.startedAtNs);
  const ended = splitNanoseconds(run.endedAtNs);
  const unread = new Map(
    gathered.sources.map((source) => [
      source.sha256,
      source.records.notUnderstood + source.records.malformed,
    ]),
  );
  return {
    format: run.format,
    formatRevision: gathered.formatRevision,
    client: encodeTextOrNull(run.client),
    model: encodeTextOrNull(run.model),
    naturalId: encodeTextOrNull(run.naturalId),
    clock: run.clock,
    startedAtNs: started.column,
    endedAtNs: ended.column,
    startedAtDigits: started.digits,
    endedAtDigits: ended.digits,
    startedAtText: encodeTextOrNull(saved.startedAtText),
    stepCount: run.stepCount,
    toolCallCount: run.toolCallCount,
    modelCallCount: run.modelCallCount,
    errorCount: run.errorCount,
    inputTokens: run.inputTokens,
    outputTokens: run.outputTokens,
    // JSON text escapes the lone surrogates that a model's name may hold.
    modelUsageJson: JSON.stringify(run.modelUsage),
    recordedCostUsd: encodeTextOrNull(run.recordedCostUsd),
    bestEvidence: run.bestEvidence,
    calledToolsJson: JSON.stringify(run.calledTools),
    // JSON text escapes the lone surrogates that SQLite's text can't hold.
    externalMarksJson: JSON.stringify(saved.externalMarks ?? []),
    evidenceCountsJson: JSON.stringify(EVIDENCE_ORDER.map((grade) => steps.countOf(grade))),
    unreadCount: saved.sources.reduce((sum, { sha256 }) => sum + (unread.get(sha256) ?? 0), 0),
    frameCount: frames.count,
    listedAtNs: startOfInstant(run) ?? BigInt(nowMs) * 1_000_000n,
  };
}

/** Null for clocks whose times don't count from 1970. */
function startOfInstant(run: Run): bigint | null {
  const isInstant = run.clock === 'zoned' || run.clock === 'local';
  return isInstant ? splitNanoseconds(run.startedAtNs).column : null;
}
