import { UlidSchema } from '@misstep/model';
import { z } from 'zod';

/** One thing that a schema forbids; offsets are UTF-16 units of the text that was checked. */
export const SchemaIssueSchema = z.object({
  pointer: z.string(),
  offset: z.number().int(),
  length: z.number().int(),
  line: z.number().int(),
  column: z.number().int(),
  keyword: z.string(),
  schemaPointer: z.string(),
  sentence: z.string(),
});
export type SchemaIssue = z.infer<typeof SchemaIssueSchema>;

/** What one kind of client would do with the arguments. */
export const ClientVerdictSchema = z.object({
  client: z.enum(['strict', 'lenient']),
  verdict: z.enum(['accepted', 'refused', 'not checked']),
  sentence: z.string(),
  issues: z.array(SchemaIssueSchema).readonly(),
  issuesOmitted: z.number().int(),
  /** What a lenient client changes on the way: JSON texts. */
  coercions: z
    .array(z.object({ pointer: z.string(), from: z.string(), to: z.string() }))
    .readonly(),
});
export type ClientVerdict = z.infer<typeof ClientVerdictSchema>;

export const ArgumentCheckSchema = z.object({
  /** Whose definition it was held against; `recorded` only while no live one is known. */
  by: z.enum(['live', 'recorded']),
  strict: ClientVerdictSchema,
  lenient: ClientVerdictSchema,
  remarks: z.array(z.string()).readonly(),
});
export type ArgumentCheck = z.infer<typeof ArgumentCheckSchema>;

/** A whole tools/list as a strict and as a lenient client would take it. */
export const ToolListCheckSchema = z.object({
  toolCount: z.number().int(),
  toolsKeptByStrict: z.number().int(),
  toolsKeptByLenient: z.number().int(),
  reach: z.enum(['all', 'tool', 'rule']).nullable(),
  sentence: z.string(),
  faults: z
    .array(
      z.object({
        tool: z.string(),
        kind: z.string(),
        reach: z.enum(['all', 'tool', 'rule']),
        pointer: z.string(),
        words: z.string(),
      }),
    )
    .readonly(),
  faultsOmitted: z.number().int(),
});
export type ToolListCheck = z.infer<typeof ToolListCheckSchema>;

/** Who notices a change: a validator, only a model, or a client that judges by annotations. */
const DriftEffectSchema = z.enum(['validation', 'reading', 'policy']);
export type DriftEffect = z.infer<typeof DriftEffectSchema>;

export const DefinitionDriftSchema = z.object({
  state: z.enum(['same bytes', 'same meaning', 'changed', 'cannot tell']),
  sentence: z.string(),
  /** What direct calls can't show of it; null = nothing changed. */
  statement: z.string().nullable(),
  changes: z
    .array(
      z.object({
        pointer: z.string(),
        effect: DriftEffectSchema,
        /** Text as written, cut at 4 KiB; null = that side lacks it. */
        recorded: z.string().nullable(),
        live: z.string().nullable(),
        omittedBytes: z.object({ recorded: z.number().int(), live: z.number().int() }),
        note: z.string().nullable(),
      }),
    )
    .readonly(),
  changesOmitted: z.number().int(),
  notRecorded: z.array(z.string()).readonly(),
});
export type DefinitionDrift = z.infer<typeof DefinitionDriftSchema>;

export const ToolListDriftSchema = z.object({
  recordedCount: z.number().int(),
  liveCount: z.number().int(),
  added: z.array(z.string()).readonly(),
  removed: z.array(z.string()).readonly(),
  changed: z
    .array(z.object({ name: z.string(), effects: z.array(DriftEffectSchema).readonly() }))
    .readonly(),
  sentence: z.string(),
});
export type ToolListDrift = z.infer<typeof ToolListDriftSchema>;

/** A definition as it is written; `text` is null where it is larger than 1 MiB. */
const DefinitionTextSchema = z.object({
  text: z.string().nullable(),
  sizeBytes: z.number().int(),
});

/** A tool as its server last listed it and as the recording holds it. */
export const StepToolSchema = z.object({
  tool: z.string(),
  /** Null = this server has not listed its tools since its address was last changed. */
  live: z
    .object({
      /** Where the list is from: a replay's own frames, or the person asked for it. */
      from: z.enum(['replay', 'asked']),
      replayId: UlidSchema.nullable(),
      /** ISO 8601. */
      at: z.string(),
      server: z.object({ name: z.string().nullable(), version: z.string().nullable() }),
      /** Null = the server lists no tool of this name. */
      definition: DefinitionTextSchema.extend({
        readOnlyHint: z.boolean().nullable(),
        destructiveHint: z.boolean().nullable(),
      }).nullable(),
      /** Names most like the tool's, where the server doesn't list it. */
      nearest: z.array(z.string()).readonly(),
      toolList: ToolListCheckSchema,
    })
    .nullable(),
  recorded: DefinitionTextSchema.nullable(),
  /** Null where either side lacks the definition. */
  drift: DefinitionDriftSchema.nullable(),
  /** Null where the recording or the server lists no tools. */
  listDrift: ToolListDriftSchema.nullable(),
});
export type StepTool = z.infer<typeof StepToolSchema>;

/** What came of asking a server for its tools. */
export const AskedToolsSchema = z.object({
  toolCount: z.number().int(),
  server: z.object({ name: z.string().nullable(), version: z.string().nullable() }),
  at: z.string(),
});
