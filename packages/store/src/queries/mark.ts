import type { Citation, Mark, MarkDraft, MarkPlace, RunId, StepId, Ulid } from '@misstep/model';
import type { Selectable } from 'kysely';
import type { Database } from '../database.ts';
import { Failure } from '../failure.ts';
import { decodeText, decodeTextOrNull, encodeText, encodeTextOrNull } from '../stored-text.ts';
import type { Tables } from '../tables.ts';
import { createUlid } from '../ulid.ts';
import { runKeyOf } from './run-key.ts';
import { requireSteps } from './step.ts';

export type MarkRow = Selectable<Tables['marks']>;

/** Newest first. RUN_NOT_FOUND. */
export function listMarks(database: Database, runId: RunId): Mark[] {
  return database.read(() => {
    const runKey = runKeyOf(database, runId);
    return database
      .all(
        database.builder
          .selectFrom('marks')
          .selectAll()
          .where('runKey', '=', runKey)
          .orderBy('key', 'desc'),
      )
      .map((row) => readMark(row, runId));
  });
}

/** Supersedes the mark that is current. RUN_NOT_FOUND, STEP_NOT_FOUND, EXPERIMENT_NOT_FOUND, REPLAY_NOT_FOUND. */
export function putMark(
  database: Database,
  runId: RunId,
  draft: MarkDraft,
  author: string,
  nowMs: number,
): Mark {
  const now = new Date(nowMs).toISOString();
  return database.write(() => {
    const runKey = runKeyOf(database, runId);
    const stepId = placeStepId(draft.place);
    const named = draft.citations.map((citation) => citation.stepId);
    requireSteps(database, runKey, stepId === null ? named : [stepId, ...named]);
    requireOfStep(database, runKey, draft.citations);
    supersede(database, runKey, now);
    const mark: Mark = {
      ...draft,
      id: createUlid(nowMs),
      runId,
      author,
      createdAt: now,
      supersededAt: null,
    };
    database.run(
      database.builder.insertInto('marks').values({
        id: mark.id,
        runKey,
        place: draft.place.kind,
        stepId,
        category: encodeTextOrNull(draft.category),
        reason: encodeText(draft.reason),
        citationsJson: JSON.stringify(draft.citations),
        author: encodeText(author),
        createdAt: now,
        supersededAt: null,
      }),
    );
    return mark;
  });
}

/** False where the run had no current mark. RUN_NOT_FOUND. */
export function removeMark(database: Database, runId: RunId, now: string): boolean {
  return database.write(() => supersede(database, runKeyOf(database, runId), now) > 0);
}

export function readMark(row: Omit<MarkRow, 'key' | 'runKey'>, runId: RunId): Mark {
  return {
    // Written by putMark from a draft of these types.
    id: row.id as Ulid,
    runId,
    place: readPlace(row.place, row.stepId as StepId | null),
    category: decodeTextOrNull(row.category),
    reason: decodeText(row.reason),
    citations: JSON.parse(row.citationsJson) as Citation[],
    author: decodeText(row.author),
    createdAt: row.createdAt,
    supersededAt: row.supersededAt,
  };
}

/**
 * seq of the marked step or of the step before the marked gap, 0 before the first; null where
 * there is none, or the step is gone since the run was read anew.
 */
export function readMarkSeq(
  place: string | null,
  stepId: string | null,
  stepSeq: bigint | null,
): number | null {
  if (place === 'gap' && stepId === null) return 0;
  return stepSeq === null ? null : Number(stepSeq);
}

/** A verdict can be cited of an experiment on that very step, and an answer of a replay of it. */
function requireOfStep(database: Database, runKey: bigint, citations: readonly Citation[]): void {
  for (const { experimentId, replayId, stepId } of citations) {
    if (
      experimentId !== undefined &&
      !isOfStep(database, 'experiments', experimentId, runKey, stepId)
    ) {
      throw new Failure(
        'EXPERIMENT_NOT_FOUND',
        `There is no experiment ${experimentId} on step ${stepId} of this run.`,
        { experimentId },
      );
    }
    if (replayId !== undefined && !isOfStep(database, 'replays', replayId, runKey, stepId)) {
      throw new Failure(
        'REPLAY_NOT_FOUND',
        `There is no replay ${replayId} of step ${stepId} of this run.`,
        { replayId },
      );
    }
  }
}

function isOfStep(
  database: Database,
  table: 'experiments' | 'replays',
  id: string,
  runKey: bigint,
  stepId: string,
): boolean {
  const found = database.first(
    database.builder
      .selectFrom(table)
      .select('key')
      .where('runKey', '=', runKey)
      .where('id', '=', id)
      .where('stepId', '=', stepId),
  );
  return found !== undefined;
}

function supersede(database: Database, runKey: bigint, now: string): number {
  return database.run(
    database.builder
      .updateTable('marks')
      .set({ supersededAt: now })
      .where('runKey', '=', runKey)
      .where('supersededAt', 'is', null),
  ).changes;
}

function placeStepId(place: MarkPlace): StepId | null {
  if (place.kind === 'step') return place.stepId;
  return place.kind === 'gap' ? place.afterStepId : null;
}

function readPlace(kind: string, stepId: StepId | null): MarkPlace {
  if (kind === 'noDeviation') return { kind };
  if (kind === 'step' && stepId !== null) return { kind, stepId };
  if (kind === 'gap') return { kind, afterStepId: stepId };
  throw new Failure('DATA_FOLDER_DAMAGED', `A mark has an unknown place "${kind}".`);
}
