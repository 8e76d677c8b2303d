import type { Outcome, Run, RunId } from '@misstep/model';
import type { Database } from '../database.ts';
import { joinNanoseconds } from '../nanoseconds.ts';
import type { StoredRun } from '../store.ts';
import { decodeText, decodeTextOrNull } from '../stored-text.ts';
import { readMark, readMarkSeq } from './mark.ts';

/** Runs with their current mark and its step's seq, in one statement however many there are. */
export function selectRuns(database: Database) {
  return database.builder
    .selectFrom('runs')
    .leftJoin('marks', (join) =>
      join.onRef('marks.runKey', '=', 'runs.key').on('marks.supersededAt', 'is', null),
    )
    .leftJoin('steps', (join) =>
      join.onRef('steps.runKey', '=', 'runs.key').onRef('steps.id', '=', 'marks.stepId'),
    )
    .selectAll('runs')
    .select([
      'marks.id as markId',
      'marks.place as markPlace',
      'marks.stepId as markStepId',
      'marks.category as markCategory',
      'marks.reason as markReason',
      'marks.citationsJson as markCitationsJson',
      'marks.author as markAuthor',
      'marks.createdAt as markCreatedAt',
      'steps.seq as markedSeq',
    ]);
}

type SelectedRuns = ReturnType<typeof selectRuns>;
type RunRow = SelectedRuns extends { execute(): Promise<(infer Row)[]> } ? Row : never;

export function readRun(row: RunRow): StoredRun {
  // The casts give back the types of the run that saveImport wrote.
  const id = row.id as RunId;
  const hasMark = row.markId !== null;
  return {
    run: {
      id,
      title: decodeText(row.title),
      format: row.format,
      client: decodeTextOrNull(row.client),
      model: decodeTextOrNull(row.model),
      naturalId: decodeTextOrNull(row.naturalId),
      clock: row.clock as Run['clock'],
      startedAtNs: joinNanoseconds(row.startedAtNs, row.startedAtDigits),
      endedAtNs: joinNanoseconds(row.endedAtNs, row.endedAtDigits),
      stepCount: Number(row.stepCount),
      toolCallCount: Number(row.toolCallCount),
      modelCallCount: Number(row.modelCallCount),
      errorCount: Number(row.errorCount),
      inputTokens: row.inputTokens === null ? null : Number(row.inputTokens),
      outputTokens: row.outputTokens === null ? null : Number(row.outputTokens),
      // Written by saveImport, or by the migration in the same form.
      modelUsage: JSON.parse(row.modelUsageJson) as Run['modelUsage'],
      recordedCostUsd: decodeTextOrNull(row.recordedCostUsd),
      bestEvidence: row.bestEvidence as Run['bestEvidence'],
      calledTools: JSON.parse(row.calledToolsJson) as string[],
    },
    tags: JSON.parse(row.tagsJson) as string[],
    outcome: row.outcomeJson === null ? null : (JSON.parse(row.outcomeJson) as Outcome),
    mark: hasMark
      ? readMark(
          {
            id: row.markId ?? '',
            place: row.markPlace ?? '',
            stepId: row.markStepId,
            category: row.markCategory,
            reason: row.markReason ?? '',
            citationsJson: row.markCitationsJson ?? '[]',
            author: row.markAuthor ?? '',
            createdAt: row.markCreatedAt ?? '',
            supersededAt: null,
          },
          id,
        )
      : null,
    markSeq: hasMark ? readMarkSeq(row.markPlace, row.markStepId, row.markedSeq) : null,
    startedAtText: decodeTextOrNull(row.startedAtText),
    unreadCount: Number(row.unreadCount),
    importedAt: row.importedAt,
  };
}
