import { rmSync } from 'node:fs';
import type { RunId, SourceHash } from '@misstep/model';
import type { Database } from '../database.ts';
import { layout } from '../layout.ts';
import { isProcessAlive } from '../process-token.ts';
import type { SourceHead } from '../source-head.ts';
import type { StoredSource } from '../store.ts';
import { decodeText, encodeText } from '../stored-text.ts';

/** A source that has come in, and how it begins. */
export interface SourceClaim {
  readonly source: StoredSource;
  readonly head: SourceHead;
  readonly opening: SourceHash | null;
}

/**
 * Makes the row of a source before its file is put in place, so that no file is ever without
 * one. A source that no run needs yet is claimed for the process that imports it.
 */
export function claimSources(
  database: Database,
  claims: readonly SourceClaim[],
  process: string,
): StoredSource[] {
  return database.write(() => claims.map((claim) => claimSource(database, claim, process)));
}

function claimSource(
  database: Database,
  { source, head, opening }: SourceClaim,
  process: string,
): StoredSource {
  database.run(
    database.builder
      .insertInto('sources')
      .values({
        ...source,
        name: encodeText(source.name),
        headBytes: head.sizeBytes,
        headSha256: head.sha256,
        openingSha256: opening,
      })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const isNeeded =
    database.first(
      database.builder
        .selectFrom('runSources')
        .select('runKey')
        .where('sha256', '=', source.sha256)
        .limit(1),
    ) !== undefined;
  if (!isNeeded) {
    database.run(
      database.builder.insertInto('sourceClaims').values({ sha256: source.sha256, process }),
    );
  }
  return findSource(database, source.sha256) ?? source;
}

export function releaseSources(
  database: Database,
  hashes: readonly SourceHash[],
  process: string,
): void {
  for (const sha256 of hashes) {
    database.run(
      database.builder
        .deleteFrom('sourceClaims')
        .where('sha256', '=', sha256)
        .where('process', '=', process),
    );
  }
}

export function findSource(database: Database, sha256: SourceHash): StoredSource | null {
  const row = database.first(
    database.builder.selectFrom('sources').selectAll().where('sha256', '=', sha256),
  );
  return row === undefined ? null : readSourceRow(row);
}

/** What an import has to know of a source before it is read as a format. */
export interface SourceLookUp {
  readonly runs: ReturnType<typeof findRunsOfSource>;
  /** The line of it that a run of the format was read from; null = it was never read so. */
  readonly lineage: SourceHash | null;
  /** How many of its first bytes are worth a look with listSourcesByHead. */
  readonly largestHead: number;
  /** Where it has no run: larger sources of the format that open with the same bytes, the smallest first. */
  readonly larger: readonly StoredSource[];
}

export function lookUpSource(
  database: Database,
  sha256: SourceHash,
  format: string,
  sizeBytes: number,
  mostLarger: number,
): SourceLookUp {
  const runs = findRunsOfSource(database, sha256);
  return {
    runs,
    lineage: findLineage(database, sha256, format),
    largestHead: largestHead(database, sizeBytes),
    larger: runs.length > 0 ? [] : listLargerSources(database, sha256, format, mostLarger),
  };
}

/** The line of a source that a run of this format was read from; null = there is none. */
function findLineage(database: Database, sha256: SourceHash, format: string): SourceHash | null {
  const row = database.first(
    readSources(database, format).where('sources.sha256', '=', sha256).limit(1),
  );
  // Written by saveImport from a SourceHash.
  return row === undefined ? null : (row.lineage as SourceHash);
}

/** The size of the largest head of any source up to a size: beyond it there is nothing to compare. */
function largestHead(database: Database, sizeBytes: number): number {
  const row = database.first(
    database.builder
      .selectFrom('sources')
      .select('headBytes')
      .where('headBytes', '<=', BigInt(sizeBytes))
      .orderBy('headBytes', 'desc')
      .limit(1),
  );
  return Number(row?.headBytes ?? 0n);
}

/** Largest first: the likeliest beginning of a file that has grown. */
export function listSourcesByHead(
  database: Database,
  heads: readonly SourceHead[],
  format: string,
): (StoredSource & { lineage: SourceHash })[] {
  // A file has some sixty heads and hardly one of them is known: that is asked first, for little.
  const known = database.prepare(
    'SELECT 1 FROM sources WHERE headBytes = ? AND headSha256 = ? LIMIT 1',
  );
  return heads
    .filter((head) => known.get(BigInt(head.sizeBytes), head.sha256) !== undefined)
    .flatMap((head) =>
      database.all(
        readSources(database, format)
          .where('sources.headBytes', '=', BigInt(head.sizeBytes))
          .where('sources.headSha256', '=', head.sha256),
      ),
    )
    .map((row) => ({
      ...readSourceRow(row),
      // As above.
      lineage: row.lineage as SourceHash,
    }))
    .sort((a, b) => b.sizeBytes - a.sizeBytes);
}

/**
 * Larger sources with a run of this format that open with the same bytes as this one; the smallest
 * first, `limit` at most. Empty for sources too short to be told by their opening.
 */
function listLargerSources(
  database: Database,
  sha256: SourceHash,
  format: string,
  limit: number,
): StoredSource[] {
  const own = database.first(
    database.builder
      .selectFrom('sources')
      .select(['openingSha256', 'sizeBytes'])
      .where('sha256', '=', sha256),
  );
  if (own === undefined || own.openingSha256 === null) return [];
  return database
    .all(
      readSources(database, format)
        .where('sources.openingSha256', '=', own.openingSha256)
        .where('sources.sizeBytes', '>', own.sizeBytes)
        .orderBy('sources.sizeBytes')
        .limit(limit),
    )
    .map(readSourceRow);
}

/** Sources with a reading and a run of this format. */
export function readSources(database: Database, format: string) {
  return database.builder
    .selectFrom('sources')
    .innerJoin('sourceReadings', 'sourceReadings.sha256', 'sources.sha256')
    .select(['sources.sha256', 'sources.name', 'sources.sizeBytes', 'sources.importedAt'])
    .select('sourceReadings.lineage')
    .where('sourceReadings.format', '=', format)
    .where((where) =>
      where.exists(
        where
          .selectFrom('runSources')
          .innerJoin('runs', 'runs.key', 'runSources.runKey')
          .select('runs.key')
          .whereRef('runSources.sha256', '=', 'sources.sha256')
          .where('runs.format', '=', format),
      ),
    );
}

export function findRunsOfSource(
  database: Database,
  sha256: SourceHash,
): { runId: RunId; format: string; formatRevision: number }[] {
  return database
    .all(
      database.builder
        .selectFrom('runSources')
        .innerJoin('runs', 'runs.key', 'runSources.runKey')
        .select(['runs.id', 'runs.format', 'runs.formatRevision'])
        .distinct()
        .where('runSources.sha256', '=', sha256)
        .orderBy('runs.key'),
    )
    .map((row) => ({
      // Written by saveImport from a RunId.
      runId: row.id as RunId,
      format: row.format,
      formatRevision: Number(row.formatRevision),
    }));
}

/** Releases what the process gives up, then sweeps; gives how many sources went. */
export function giveUpSources(
  database: Database,
  hashes: readonly SourceHash[],
  process: string,
): number {
  if (hashes.length > 0) database.write(() => releaseSources(database, hashes, process));
  return sweepSources(database);
}

/**
 * Removes sources that no run needs and no living process imports. Files go while the write lock
 * is held: nobody can claim one in between, and a kill before the commit leaves a row for the
 * next sweep.
 */
export function sweepSources(database: Database): number {
  return database.write(() => {
    const claims = database.all(
      database.builder.selectFrom('sourceClaims').select('process').distinct(),
    );
    for (const { process } of claims) {
      if (isProcessAlive(process)) continue;
      database.run(database.builder.deleteFrom('sourceClaims').where('process', '=', process));
    }
    const orphans = database.all(
      database.builder
        .selectFrom('sources')
        .select('sha256')
        .where('sha256', 'not in', (from) => from.selectFrom('runSources').select('sha256'))
        .where('sha256', 'not in', (from) => from.selectFrom('sourceClaims').select('sha256')),
    );
    for (const { sha256 } of orphans) {
      // The column holds nothing but hashes.
      rmSync(layout.source(database.dataFolder, sha256 as SourceHash), { force: true });
      database.run(database.builder.deleteFrom('sources').where('sha256', '=', sha256));
    }
    return orphans.length;
  });
}

export function readSourceRow(row: {
  sha256: string;
  name: string;
  sizeBytes: bigint;
  importedAt: string;
}): StoredSource {
  return {
    // Written by claimSource from a SourceHash.
    sha256: row.sha256 as SourceHash,
    name: decodeText(row.name),
    sizeBytes: Number(row.sizeBytes),
    importedAt: row.importedAt,
  };
}
