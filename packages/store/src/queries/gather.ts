import type { ImportIssue, UnusedRecord } from '@misstep/model';
import type { Database } from '../database.ts';
import { Failure } from '../failure.ts';
import { FRAME_COLUMNS, type FrameRow } from '../frame-row.ts';
import type { StepRow } from '../step-row.ts';
import type { ImportToSave, RunToSave } from '../store.ts';
import { GatheredRows } from './gathered-rows.ts';
import { GatheredSteps } from './gathered-steps.ts';
import { type GatheredImport, saveImport } from './import.ts';

/** An import without what may be large; that follows in pieces, so that no thread stalls on it. */
export interface ImportHead {
  readonly format: string;
  readonly formatRevision: number;
  readonly runs: readonly (Omit<RunToSave, 'steps' | 'frames'> & {
    /** Of the first step that has a time. */
    startedAtText: string | null;
  })[];
  readonly sources: readonly Omit<ImportToSave['sources'][number], 'unused'>[];
  readonly issues: readonly ImportIssue[];
}

/** One worker has one database, so one map of the imports whose pieces are still coming in. */
const gathering = new Map<number, GatheredImport>();

/** Nothing that others see is written before `commitImport`. */
export function beginImport(database: Database, importId: number, head: ImportHead): void {
  gathering.set(importId, {
    ...head,
    runs: head.runs.map((run) => ({
      ...run,
      steps: new GatheredSteps(database),
      frames: new GatheredRows(database, FRAME_COLUMNS),
    })),
    sources: head.sources.map((source) => ({ ...source, unused: [] })),
  });
}

export function gatherSteps(
  _database: Database,
  importId: number,
  runIndex: number,
  rows: readonly StepRow[],
): void {
  part(find(importId).runs, runIndex).steps.add(rows);
}

export function gatherFrames(
  _database: Database,
  importId: number,
  runIndex: number,
  rows: readonly FrameRow[],
): void {
  part(find(importId).runs, runIndex).frames.add(rows);
}

export function gatherUnused(
  _database: Database,
  importId: number,
  sourceIndex: number,
  records: readonly UnusedRecord[],
): void {
  const { unused } = part(find(importId).sources, sourceIndex);
  for (const record of records) unused.push(record);
}

export function commitImport(
  database: Database,
  importId: number,
  process: string,
  nowMs: number,
  isSmall = false,
): void {
  const gathered = find(importId);
  gathering.delete(importId);
  try {
    saveImport(database, gathered, process, nowMs, isSmall);
  } finally {
    dropRows(gathered);
  }
}

/** Rows of a small import with the place that they belong to. */
export type ImportPiece =
  | { readonly kind: 'steps'; readonly index: number; readonly rows: readonly StepRow[] }
  | { readonly kind: 'frames'; readonly index: number; readonly rows: readonly FrameRow[] }
  | { readonly kind: 'unused'; readonly index: number; readonly rows: readonly UnusedRecord[] };

/** An import all of whose pieces have come together. */
export function importAtOnce(
  database: Database,
  importId: number,
  head: ImportHead,
  pieces: readonly ImportPiece[],
  process: string,
  nowMs: number,
): void {
  beginImport(database, importId, head);
  try {
    for (const piece of pieces) gatherPiece(database, importId, piece);
  } catch (error) {
    dropImport(database, importId);
    throw error;
  }
  commitImport(database, importId, process, nowMs, true);
}

function gatherPiece(database: Database, importId: number, piece: ImportPiece): void {
  if (piece.kind === 'steps') gatherSteps(database, importId, piece.index, piece.rows);
  else if (piece.kind === 'frames') gatherFrames(database, importId, piece.index, piece.rows);
  else gatherUnused(database, importId, piece.index, piece.rows);
}

export function dropImport(_database: Database, importId: number): void {
  const gathered = gathering.get(importId);
  gathering.delete(importId);
  if (gathered !== undefined) dropRows(gathered);
}

function dropRows({ runs }: GatheredImport): void {
  for (const { steps, frames } of runs) {
    steps.drop();
    frames.drop();
  }
}

function find(importId: number): GatheredImport {
  return part(gathering, importId);
}

function part<Item>(items: readonly Item[] | ReadonlyMap<number, Item>, index: number): Item {
  const item = items instanceof Map ? items.get(index) : (items as readonly Item[])[index];
  if (item === undefined) throw new Failure('INTERNAL', 'A piece of an import has no whole.');
  return item;
}
