import {
  MarkDraftSchema,
  MarkSchema,
  OutcomeSchema,
  RecordingAuditSchema,
  RunIdSchema,
  SkeletonSchema,
  UnusedStateSchema,
} from '@misstep/model';
import { z } from 'zod';
import { defineRoute } from '../route.ts';
import {
  EmptySchema,
  NoneSchema,
  RunDetailSchema,
  RunFrameDetailSchema,
  RunParamsSchema,
  RunSummarySchema,
  StepDetailSchema,
  StepParamsSchema,
  UnusedPageSchema,
  WireJoinSchema,
} from '../shapes.ts';

const PageQuerySchema = z.strictObject({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});

export const listRuns = defineRoute({
  method: 'GET',
  path: '/api/runs',
  summary: 'Every run, newest first; the page filters them.',
  params: EmptySchema,
  query: PageQuerySchema.extend({
    limit: z.coerce.number().int().min(1).max(10_000).default(5000),
  }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ total: z.number().int(), runs: z.array(RunSummarySchema) }),
  errors: [],
});

export const getRun = defineRoute({
  method: 'GET',
  path: '/api/runs/:runId',
  summary: 'One run with its sources, counts and current mark.',
  params: RunParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: RunDetailSchema,
  errors: ['RUN_NOT_FOUND'],
});

export const updateRun = defineRoute({
  method: 'PATCH',
  path: '/api/runs/:runId',
  summary: 'Rename, tag, or give an outcome; null takes the outcome back.',
  params: RunParamsSchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({
    title: z.string().trim().min(1).max(300).optional(),
    tags: z.array(z.string().trim().min(1).max(60)).max(50).optional(),
    outcome: OutcomeSchema.nullable().optional(),
  }),
  responseKind: 'json',
  response: RunDetailSchema,
  errors: ['RUN_NOT_FOUND', 'DISK_FULL'],
});

export const deleteRun = defineRoute({
  method: 'DELETE',
  path: '/api/runs/:runId',
  summary:
    'Delete a run with its marks and replays; its sources go when no other run needs them. Refused while one of its replays runs.',
  params: RunParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ sourcesDeleted: z.number().int() }),
  errors: ['RUN_NOT_FOUND', 'RUN_BUSY'],
});

export const getSkeleton = defineRoute({
  method: 'GET',
  path: '/api/runs/:runId/skeleton',
  summary: 'The call tree as columns, without bodies.',
  params: RunParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: SkeletonSchema,
  errors: ['RUN_NOT_FOUND'],
});

export const getAudit = defineRoute({
  method: 'GET',
  path: '/api/runs/:runId/audit',
  summary: 'Which of seven questions the recording can answer, and what is missing for the rest.',
  params: RunParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: RecordingAuditSchema,
  errors: ['RUN_NOT_FOUND'],
});

export const getStep = defineRoute({
  method: 'GET',
  path: '/api/runs/:runId/steps/:stepId',
  summary: 'One step with the exact text of its values.',
  params: StepParamsSchema,
  query: z.strictObject({
    /** How many bytes of each value's text to send. */
    maxBytes: z.coerce.number().int().min(1).max(67_108_864).default(1_048_576),
  }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: StepDetailSchema,
  errors: ['RUN_NOT_FOUND', 'STEP_NOT_FOUND', 'SOURCE_NOT_FOUND'],
});

export const listFrames = defineRoute({
  method: 'GET',
  path: '/api/runs/:runId/frames',
  summary: 'Recorded frames of a run, or of one of its steps.',
  params: RunParamsSchema,
  query: PageQuerySchema.extend({ stepId: StepParamsSchema.shape.stepId.optional() }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ total: z.number().int(), frames: z.array(RunFrameDetailSchema) }),
  errors: ['RUN_NOT_FOUND'],
});

export const listUnused = defineRoute({
  method: 'GET',
  path: '/api/runs/:runId/unused',
  summary:
    'Records that give the run nothing (set aside, not understood, malformed), with why and their bytes.',
  params: RunParamsSchema,
  query: PageQuerySchema.extend({
    state: UnusedStateSchema.optional(),
    reason: z.string().max(1000).optional(),
  }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: UnusedPageSchema,
  errors: ['RUN_NOT_FOUND'],
});

export const listMarks = defineRoute({
  method: 'GET',
  path: '/api/runs/:runId/marks',
  summary: 'Every mark the run ever had, newest first.',
  params: RunParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ marks: z.array(MarkSchema) }),
  errors: ['RUN_NOT_FOUND'],
});

export const putMark = defineRoute({
  method: 'PUT',
  path: '/api/runs/:runId/mark',
  summary: 'Set the mark; the one before it becomes history.',
  params: RunParamsSchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: MarkDraftSchema,
  responseKind: 'json',
  response: MarkSchema,
  errors: [
    'RUN_NOT_FOUND',
    'STEP_NOT_FOUND',
    'EXPERIMENT_NOT_FOUND',
    'REPLAY_NOT_FOUND',
    'CITATION_NOT_FOUND',
    'RESULT_TOO_LARGE',
    'DISK_FULL',
  ],
});

export const deleteMark = defineRoute({
  method: 'DELETE',
  path: '/api/runs/:runId/mark',
  summary: 'Take the mark back; it stays in the history.',
  params: RunParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ removed: z.boolean() }),
  errors: ['RUN_NOT_FOUND'],
});

export const getWire = defineRoute({
  method: 'GET',
  path: '/api/runs/:runId/wire',
  summary:
    'The wire recording joined to a run and which call is which there; with `wireRunId`, what joining that one would give.',
  params: RunParamsSchema,
  query: z.strictObject({ wireRunId: RunIdSchema.optional() }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: WireJoinSchema,
  errors: ['RUN_NOT_FOUND'],
});

export const putWire = defineRoute({
  method: 'PUT',
  path: '/api/runs/:runId/wire',
  summary: 'Join a wire recording of the same conversation to a run, in place of the one before.',
  params: RunParamsSchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({ wireRunId: RunIdSchema }),
  responseKind: 'json',
  response: WireJoinSchema,
  errors: ['RUN_NOT_FOUND', 'DISK_FULL'],
});

export const deleteWire = defineRoute({
  method: 'DELETE',
  path: '/api/runs/:runId/wire',
  summary: 'Take the joined wire recording away from a run; both recordings stay.',
  params: RunParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({ removed: z.boolean() }),
  errors: ['RUN_NOT_FOUND', 'DISK_FULL'],
});
