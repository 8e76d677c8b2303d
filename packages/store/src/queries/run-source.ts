import type { Database } from '../database.ts';
import type { StoredRunDetail } from '../store.ts';
import { decodeText } from '../stored-text.ts';
import { readSourceRow } from './source.ts';

/** With the counts of what the run's format made of each, the main one first as saved. */
export function listRunSources(
  database: Database,
  runKey: bigint,
  format: string,
): StoredRunDetail['sources'] {
  return database
    .all(
      database.builder
        .selectFrom('runSources')
        .innerJoin('sources', 'sources.sha256', 'runSources.sha256')
        .leftJoin('sourceReadings', (join) =>
          join
            .onRef('sourceReadings.sha256', '=', 'runSources.sha256')
            .on('sourceReadings.format', '=', format),
        )
        .selectAll('sources')
        .select([
          'runSources.role',
          'runSources.part',
          'sourceReadings.recordsTotal',
          'sourceReadings.recordsUnderstood',
          'sourceReadings.recordsSetAside',
          'sourceReadings.recordsNotUnderstood',
          'sourceReadings.recordsMalformed',
        ])
        .where('runSources.runKey', '=', runKey)
        .orderBy('runSources.ordinal'),
    )
    .map((row) => ({
      ...readSourceRow(row),
      // Written by saveImport from one of the three.
      role: row.role as 'main' | 'companion' | 'container',
      part: row.part === null ? null : decodeText(row.part),
      records: {
        total: Number(row.recordsTotal ?? 0),
        understood: Number(row.recordsUnderstood ?? 0),
        setAside: row.recordsSetAside === null ? null : Number(row.recordsSetAside),
        notUnderstood: Number(row.recordsNotUnderstood ?? 0),
        malformed: Number(row.recordsMalformed ?? 0),
      },
    }));
}
