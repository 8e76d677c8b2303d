import { RecordCountsSchema, RunIdSchema, SourceHashSchema, UlidSchema } from '@misstep/model';
import { z } from 'zod';

export const ImportedRunSchema = z.object({
  id: RunIdSchema,
  title: z.string(),
  steps: z.number().int(),
  toolCalls: z.number().int(),
  modelCalls: z.number().int(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});

const ErrorBodySchema = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string(),
  details: z.unknown(),
});

const ImportRemarkSchema = z.object({
  code: z.string(),
  message: z.string(),
  offset: z.number().int().nullable(),
});

/** What became of one source; the same shape as a line of `misstep import --json`. */
export const ImportedSourceSchema = z.object({
  path: z.string(),
  source: z.object({ sha256: SourceHashSchema, sizeBytes: z.number().int() }),
  format: z.string().nullable(),
  formatScore: z.number(),
  /** Every importer's score, highest first. */
  scores: z.array(z.object({ format: z.string(), score: z.number() })),
  /** True where the same bytes had been imported before: nothing was changed. */
  alreadyImported: z.boolean(),
  runs: z.array(ImportedRunSchema),
  records: RecordCountsSchema,
  issues: z.array(ImportRemarkSchema),
  /** Why nothing was read of it; absent where something was. */
  error: ErrorBodySchema.optional(),
});
export type ImportedSource = z.infer<typeof ImportedSourceSchema>;

/**
 * What became of a source in one word: `known` = its runs are here already; `setAside` = known to hold
 * no run, which is no failure; `failed` = nothing could be read of it.
 */
export const SOURCE_FATES = ['imported', 'known', 'setAside', 'failed'] as const;
export const SourceFateSchema = z.enum(SOURCE_FATES);
export type SourceFate = z.infer<typeof SourceFateSchema>;

/**
 * One line of an import's result. A container stands before what is packed in it, and counts what
 * its parts hold together.
 */
export const ImportRowSchema = ImportedSourceSchema.omit({ scores: true }).extend({
  /** Null where not even its bytes could be read. */
  source: ImportedSourceSchema.shape.source.nullable(),
  fate: SourceFateSchema,
  /** How many lines that are packed in it follow; null = it is no container. */
  partCount: z.number().int().nullable(),
  /** The given file that it is packed in; null = it was given itself. */
  container: z.string().nullable(),
});
export type ImportRow = z.infer<typeof ImportRowSchema>;

/** What an import's sources come to. Containers count by their parts, runs of several sources once. */
export const ImportSummarySchema = z.object({
  fates: z.record(SourceFateSchema, z.number().int()),
  runCount: z.number().int(),
  /** The first of them. */
  run: z.object({ id: RunIdSchema, title: z.string() }).nullable(),
  /** Steps of those runs. */
  steps: z.number().int(),
  records: RecordCountsSchema,
  remarkCount: z.number().int(),
  /** The source, where there is one alone. */
  onlySource: SourceHashSchema.nullable(),
});
export type ImportSummary = z.infer<typeof ImportSummarySchema>;

/**
 * What an import is doing: `waiting` = another one is being read; `ending` = it was cancelled and has
 * not let go yet, so that what it keeps isn't settled.
 */
export const ImportPhaseSchema = z.enum([
  'receiving',
  'waiting',
  'recognising',
  'reading',
  'saving',
  'ending',
]);
export type ImportPhase = z.infer<typeof ImportPhaseSchema>;

export const ImportStateSchema = z.object({
  id: UlidSchema,
  name: z.string(),
  state: z.enum(['receiving', 'reading', 'done', 'failed', 'cancelled']),
  /** Null once it has ended and nothing of it goes on. */
  phase: ImportPhaseSchema.nullable(),
  format: z.string().nullable(),
  /** Files that were given, and of those the ones whose bytes are here and whose format was looked for. */
  fileCount: z.number().int(),
  receivedFiles: z.number().int(),
  recognisedFiles: z.number().int(),
  sizeBytes: z.number().int(),
  readBytes: z.number().int(),
  records: z.number().int(),
  steps: z.number().int(),
  startedAt: z.string(),
  /** Milliseconds so far, or in all once it ended. */
  elapsedMs: z.number(),
  /** Milliseconds to go by the rate so far; null = can't be said yet. */
  remainingMs: z.number().nullable(),
  summary: ImportSummarySchema,
  /** Given files: 1,000 at most, those that failed first. Lists leave all of them out. */
  sources: z.array(ImportedSourceSchema),
  sourcesOmitted: z.number().int(),
  error: ErrorBodySchema.nullable(),
});
export type ImportState = z.infer<typeof ImportStateSchema>;
