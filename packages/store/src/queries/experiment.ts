import type {
  Experiment,
  ExperimentEnding,
  ExperimentPlan,
  ExperimentSend,
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
import type { ExperimentEnd, NewExperiment, StoredExperiment } from '../store.ts';
import { decodeText, decodeTextOrNull, encodeText, encodeTextOrNull } from '../stored-text.ts';
import type { Tables } from '../tables.ts';
import { findRunningReplay } from './replay.ts';
import { runKeyOf } from './run-key.ts';
import { findRunningExperiment } from './running-experiment.ts';
import { requireSteps } from './step.ts';

/**
 * RUN_NOT_FOUND, STEP_NOT_FOUND; REPLAY_REFUSED where the key was used before, or where a replay
 * or another experiment to the same target runs, in whichever process.
 */
export function createExperiment(
  database: Database,
  experiment: NewExperiment,
  process: string,
): void {
  database.write(() => {
    const runKey = runKeyOf(database, experiment.runId);
    requireSteps(database, runKey, [experiment.stepId]);
    const { targetName } = experiment;
    const former = findExperimentByKey(database, experiment.idempotencyKey);
    if (former !== null) throw busy('This experiment was asked for before.', former.id);
    const replay = findRunningReplay(database, (each) => each.targetName === targetName);
    if (replay !== null) {
      throw busy(
        `Replay ${replay.id} to ${targetName} is running, so nothing was sent. Wait for it or cancel it.`,
      );
    }
    const running = findRunningExperiment(database, (each) => each.targetName === targetName);
    if (running !== null) throw busy(runningWords(running.id, targetName), running.id);
    database.run(
      database.builder.insertInto('experiments').values({
        id: experiment.id,
        runKey,
        kind: experiment.plan.kind,
        stepId: experiment.stepId,
        stepSeq: experiment.stepSeq,
        targetName,
        tool: encodeText(experiment.tool),
        planJson: JSON.stringify(experiment.plan),
        confirmedTool: encodeTextOrNull(experiment.confirmedTool),
        idempotencyKey: encodeText(experiment.idempotencyKey),
        startedAt: experiment.startedAt,
        process,
        ending: null,
        reason: null,
        endedAt: null,
        matrixJson: JSON.stringify(experiment.matrix),
        secretPlacesJson: placesText(experiment.secretPlaces),
      }),
    );
  });
}

/** One call and what is known with it, in one transaction. EXPERIMENT_NOT_FOUND. */
export function recordExperimentSend(
  database: Database,
  experimentId: Ulid,
  send: ExperimentSend,
  matrix: Experiment['matrix'],
): void {
  database.write(() => {
    const { key } = rowOf(database, experimentId);
    database.run(
      database.builder.insertInto('experimentSends').values({
        experimentKey: key,
        ordinal: send.ordinal,
        plannedId: encodeText(send.id),
        label: encodeText(send.label),
        replayId: send.replayId,
        outcome: send.outcome,
        callDurationNs: send.callDurationNs,
        server: encodeTextOrNull(send.server),
        toolSha256: send.toolSha256,
      }),
    );
    database.run(
      database.builder
        .updateTable('experiments')
        .set({ matrixJson: JSON.stringify(matrix) })
        .where('key', '=', key)
        .where('ending', 'is', null),
    );
  });
}

/** An experiment ends once: its record is never rewritten. EXPERIMENT_NOT_FOUND. */
export function finishExperiment(database: Database, experimentId: Ulid, end: ExperimentEnd): void {
  database.write(() => {
    const { changes } = database.run(
      database.builder
        .updateTable('experiments')
        .set({
          ending: end.ending,
          reason: encodeTextOrNull(end.reason),
          endedAt: end.endedAt,
          matrixJson: JSON.stringify(end.matrix),
          ...(end.secretPlaces == null ? {} : { secretPlacesJson: placesText(end.secretPlaces) }),
        })
        .where('id', '=', experimentId)
        .where('ending', 'is', null),
    );
    if (changes === 1) return;
    rowOf(database, experimentId);
    throw new Failure('INTERNAL', `Experiment ${experimentId} has ended before.`);
  });
}

/** EXPERIMENT_NOT_FOUND. One whose process has died since is ended here. */
export function getExperiment(database: Database, experimentId: Ulid): StoredExperiment {
  let row = rowOf(database, experimentId);
  if (row.ending === null && !isProcessAlive(row.process)) {
    interruptOrphanedExperiments(database);
    row = rowOf(database, experimentId);
  }
  return readExperiment(database, row);
}

export function findExperimentByKey(
  database: Database,
  idempotencyKey: string,
): StoredExperiment | null {
  const row = database.first(
    selectExperiments(database).where(
      'experiments.idempotencyKey',
      '=',
      encodeText(idempotencyKey),
    ),
  );
  return row === undefined ? null : readExperiment(database, row);
}

/** Newest first. */
export function listExperiments(
  database: Database,
  filter: { runId?: RunId; limit: number },
): { total: number; experiments: StoredExperiment[] } {
  return database.read(() => {
    const { runId } = filter;
    let counted = database.builder
      .selectFrom('experiments')
      .innerJoin('runs', 'runs.key', 'runKey');
    let listed = selectExperiments(database);
    if (runId !== undefined) {
      counted = counted.where('runs.id', '=', runId);
      listed = listed.where('runs.id', '=', runId);
    }
    const total = database.first(counted.select((column) => column.fn.countAll<bigint>().as('n')));
    const rows = database.all(listed.orderBy('experiments.key', 'desc').limit(filter.limit));
    return {
      total: Number(total?.n ?? 0),
      experiments: rows.map((row) => readExperiment(database, row)),
    };
  });
}

/** Ends the experiments whose process is gone; what was kept stays. */
export function interruptOrphanedExperiments(database: Database): number {
  const running = database.all(
    database.builder
      .selectFrom('experiments')
      .select('process')
      .distinct()
      .where('ending', 'is', null),
  );
  const dead = goneProcesses(running);
  if (dead.length === 0) return 0;
  return database.write(
    () =>
      database.run(
        database.builder
          .updateTable('experiments')
          .set({
            ending: 'interrupted',
            reason:
              'Misstep ended while this ran; the calls kept are those whose end was known. One more may have been sent: it stands among the replays as interrupted.',
          })
          .where('process', 'in', dead)
          .where('ending', 'is', null),
      ).changes,
  );
}

function selectExperiments(database: Database) {
  return database.builder
    .selectFrom('experiments')
    .innerJoin('runs', 'runs.key', 'runKey')
    .selectAll('experiments')
    .select('runs.id as runId');
}

type Row = Selectable<Tables['experiments']> & { runId: string };

function rowOf(database: Database, experimentId: Ulid): Row {
  const row = database.first(
    selectExperiments(database).where('experiments.id', '=', experimentId),
  );
  if (row !== undefined) return row;
  throw new Failure('EXPERIMENT_NOT_FOUND', `There is no experiment ${experimentId}.`, {
    experimentId,
  });
}

function readExperiment(database: Database, row: Row): StoredExperiment {
  // The casts give back the types of createExperiment, recordExperimentSend and finishExperiment.
  const id = row.id as Ulid;
  const sends = database.all(
    database.builder
      .selectFrom('experimentSends')
      .selectAll()
      .where('experimentKey', '=', row.key)
      .orderBy('ordinal'),
  );
  return {
    id,
    runId: row.runId as RunId,
    stepId: row.stepId as StepId,
    stepSeq: Number(row.stepSeq),
    targetName: row.targetName as TargetName,
    tool: decodeText(row.tool),
    plan: JSON.parse(row.planJson) as ExperimentPlan,
    confirmedTool: decodeTextOrNull(row.confirmedTool),
    idempotencyKey: decodeText(row.idempotencyKey),
    startedAt: row.startedAt,
    ending: row.ending as ExperimentEnding | null,
    reason: decodeTextOrNull(row.reason),
    endedAt: row.endedAt,
    matrix: JSON.parse(row.matrixJson) as Experiment['matrix'],
    secretPlaces: readPlaces(row.secretPlacesJson),
    frameLogPath: layout.experimentFrameLog(database.dataFolder, id),
    sends: sends.map((send) => ({
      ordinal: Number(send.ordinal),
      id: decodeText(send.plannedId),
      label: decodeText(send.label),
      replayId: send.replayId as Ulid | null,
      outcome: send.outcome as ReplayOutcome,
      callDurationNs: send.callDurationNs === null ? null : Number(send.callDurationNs),
      server: decodeTextOrNull(send.server),
      toolSha256: send.toolSha256,
    })),
  };
}

function runningWords(id: string, targetName: string): string {
  return `Experiment ${id} on ${targetName} is running, so nothing was sent. Wait for it or stop it.`;
}

function busy(sentence: string, experimentId: string | null = null): Failure {
  return new Failure('REPLAY_REFUSED', sentence, {
    reason: 'alreadyRunning',
    sentence,
    ...(experimentId === null ? {} : { experimentId }),
  });
}
