import { rmSync } from 'node:fs';
import type {
  Comparison,
  FrameTransport,
  Receipt,
  ReplayOutcome,
  RunId,
  StepId,
  TargetName,
  Ulid,
} from '@misstep/model';
import type { Selectable } from 'kysely';
import type { Database } from '../database.ts';
import { Failure } from '../failure.ts';
import { layout } from '../layout.ts';
import { goneProcesses, isProcessAlive } from '../process-token.ts';
import { placesText, readPlaces } from '../secret-places-text.ts';
import type { NewReplay, ReplayEnd, StoredReplay } from '../store.ts';
import { decodeText, decodeTextOrNull, encodeText, encodeTextOrNull } from '../stored-text.ts';
import type { Tables } from '../tables.ts';
import { runKeyOf } from './run-key.ts';
import { findRunningExperiment } from './running-experiment.ts';
import { requireSteps } from './step.ts';

/**
 * RUN_NOT_FOUND, STEP_NOT_FOUND; REPLAY_REFUSED where the key was used before, or where another
 * replay to the same target runs, in whichever process.
 */
export function createReplay(database: Database, replay: NewReplay, process: string): void {
  database.write(() => {
    const runKey = runKeyOf(database, replay.runId);
    requireSteps(database, runKey, [replay.stepId]);
    const former = findReplayByKey(database, replay.idempotencyKey);
    if (former !== null) {
      throw new Failure('REPLAY_REFUSED', 'This replay was asked for before.', {
        reason: 'alreadyRunning',
        replayId: former.id,
      });
    }
    const running = findRunningReplay(database, (each) => each.targetName === replay.targetName);
    if (running !== null) {
      const sentence = `Replay ${running.id} to ${replay.targetName} is running, so nothing was sent. Wait for it or cancel it.`;
      throw new Failure('REPLAY_REFUSED', sentence, {
        reason: 'alreadyRunning',
        sentence,
        replayId: running.id,
      });
    }
    const experiment = findRunningExperiment(
      database,
      (each) => each.targetName === replay.targetName && each.id !== replay.experimentId,
    );
    if (experiment !== null) {
      const sentence = `Experiment ${experiment.id} on ${replay.targetName} is running, so nothing was sent. Wait for it or stop it.`;
      throw new Failure('REPLAY_REFUSED', sentence, {
        reason: 'alreadyRunning',
        sentence,
        experimentId: experiment.id,
      });
    }
    database.run(
      database.builder.insertInto('replays').values({
        id: replay.id,
        runKey,
        stepId: replay.stepId,
        stepSeq: replay.stepSeq,
        targetName: replay.targetName,
        tool: encodeText(replay.tool),
        argumentsText: encodeText(replay.argumentsText),
        idempotencyKey: encodeText(replay.idempotencyKey),
        transport: replay.transport,
        startedAt: replay.startedAt,
        process,
        outcome: null,
        outcomeSentence: null,
        receiptText: null,
        comparisonJson: null,
        experimentId: replay.experimentId,
        preparedMs: replay.prepared?.ms ?? null,
        preparedFrom: replay.prepared?.from ?? null,
        secretPlacesJson: placesText(replay.secretPlaces),
      }),
    );
  });
}

/** A replay ends once: its record is never rewritten. REPLAY_NOT_FOUND. */
export function finishReplay(database: Database, replayId: Ulid, end: ReplayEnd): void {
  database.write(() => {
    const { changes } = database.run(
      database.builder
        .updateTable('replays')
        .set({
          outcome: end.outcome,
          outcomeSentence: encodeText(end.outcomeSentence),
          receiptText: encodeTextOrNull(end.receiptText),
          comparisonJson: end.comparison === null ? null : JSON.stringify(end.comparison),
          ...(end.secretPlaces == null ? {} : { secretPlacesJson: placesText(end.secretPlaces) }),
        })
        .where('id', '=', replayId)
        .where('outcome', 'is', null),
    );
    if (changes === 1) return;
    getReplay(database, replayId);
    throw new Failure('INTERNAL', `Replay ${replayId} has ended before.`, { replayId });
  });
}

/** Forgets a replay of which nothing was sent, and its frame log; one that ended stays. */
export function discardReplay(database: Database, replayId: Ulid): void {
  database.write(() => {
    const { changes } = database.run(
      database.builder
        .deleteFrom('replays')
        .where('id', '=', replayId)
        .where('outcome', 'is', null),
    );
    if (changes === 1) rmSync(layout.frameLog(database.dataFolder, replayId), { force: true });
  });
}

/** REPLAY_NOT_FOUND. One whose process has died since is ended here. */
export function getReplay(database: Database, replayId: Ulid): StoredReplay {
  const find = () => database.first(selectReplays(database).where('replays.id', '=', replayId));
  let row = find();
  if (row !== undefined && row.outcome === null && !isProcessAlive(row.process)) {
    interruptOrphanedReplays(database);
    row = find();
  }
  if (row === undefined) {
    throw new Failure('REPLAY_NOT_FOUND', `There is no replay ${replayId}.`, { replayId });
  }
  return readReplay(database, row);
}

export function findReplayByKey(database: Database, idempotencyKey: string): StoredReplay | null {
  const row = database.first(
    selectReplays(database).where('replays.idempotencyKey', '=', encodeText(idempotencyKey)),
  );
  return row === undefined ? null : readReplay(database, row);
}

/** Newest first. */
export function listReplays(
  database: Database,
  filter: { runId?: RunId; stepId?: StepId; limit: number },
): { total: number; replays: StoredReplay[] } {
  return database.read(() => {
    let query = database.builder.selectFrom('replays').innerJoin('runs', 'runs.key', 'runKey');
    if (filter.runId !== undefined) query = query.where('runs.id', '=', filter.runId);
    if (filter.stepId !== undefined) query = query.where('replays.stepId', '=', filter.stepId);
    const total = database.first(query.select((column) => column.fn.countAll<bigint>().as('n')));
    const rows = database.all(
      query
        .selectAll('replays')
        .select('runs.id as runId')
        .orderBy('replays.key', 'desc')
        .limit(filter.limit),
    );
    return {
      total: Number(total?.n ?? 0),
      replays: rows.map((row) => withoutRows(readReplay(database, row))),
    };
  });
}

/** A list of a hundred comparisons with thousands of rows each is of use to nobody who lists. */
function withoutRows(replay: StoredReplay): StoredReplay {
  const { comparison } = replay;
  return comparison === null ? replay : { ...replay, comparison: { ...comparison, rows: [] } };
}

/** A replay without an end whose process lives; null if there is none. */
export function findRunningReplay(
  database: Database,
  isMeant: (replay: { id: string; runKey: bigint; targetName: string }) => boolean,
): { id: string } | null {
  const unended = database.all(
    database.builder
      .selectFrom('replays')
      .select(['id', 'runKey', 'targetName', 'process'])
      .where('outcome', 'is', null)
      .orderBy('key'),
  );
  return unended.find((each) => isMeant(each) && isProcessAlive(each.process)) ?? null;
}

/** Ends the replays whose process is gone; their frames stay as far as they were written. */
export function interruptOrphanedReplays(database: Database): number {
  const running = database.all(
    database.builder
      .selectFrom('replays')
      .select('process')
      .distinct()
      .where('outcome', 'is', null),
  );
  const dead = goneProcesses(running);
  if (dead.length === 0) return 0;
  return database.write(
    () =>
      database.run(
        database.builder
          .updateTable('replays')
          .set({
            outcome: 'interrupted',
            outcomeSentence:
              'Misstep ended while this replay ran; the frames that had come are kept. The call may have been sent: whether the tool did its work is not known, so check that before you send it again.',
          })
          .where('process', 'in', dead)
          .where('outcome', 'is', null),
      ).changes,
  );
}

function selectReplays(database: Database) {
  return database.builder
    .selectFrom('replays')
    .innerJoin('runs', 'runs.key', 'runKey')
    .selectAll('replays')
    .select('runs.id as runId');
}

function readReplay(
  database: Database,
  row: Selectable<Tables['replays']> & { runId: string },
): StoredReplay {
  // The casts give back the types of createReplay and finishReplay.
  const id = row.id as Ulid;
  const receiptText = decodeTextOrNull(row.receiptText);
  return {
    id,
    runId: row.runId as RunId,
    stepId: row.stepId as StepId,
    stepSeq: Number(row.stepSeq),
    targetName: row.targetName as TargetName,
    tool: decodeText(row.tool),
    argumentsText: decodeText(row.argumentsText),
    idempotencyKey: decodeText(row.idempotencyKey),
    transport: row.transport as FrameTransport,
    startedAt: row.startedAt,
    experimentId: row.experimentId as Ulid | null,
    prepared: preparedOf(row),
    frameLogPath: layout.frameLog(database.dataFolder, id),
    outcome: row.outcome as ReplayOutcome | null,
    outcomeSentence: decodeTextOrNull(row.outcomeSentence),
    receipt: receiptText === null ? null : (JSON.parse(receiptText) as Receipt),
    receiptText,
    comparison: row.comparisonJson === null ? null : (JSON.parse(row.comparisonJson) as Comparison),
    secretPlaces: readPlaces(row.secretPlacesJson),
  };
}

function preparedOf({
  preparedMs,
  preparedFrom,
}: Selectable<Tables['replays']>): NewReplay['prepared'] {
  if (preparedMs === null || (preparedFrom !== 'edit' && preparedFrom !== 'open')) return null;
  return { ms: Number(preparedMs), from: preparedFrom };
}
