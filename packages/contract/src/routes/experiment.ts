import {
  ExperimentPlanSchema,
  ExperimentRequestSchema,
  ExperimentSchema,
  RunIdSchema,
  UlidSchema,
} from '@misstep/model';
import { z } from 'zod';
import { defineRoute } from '../route.ts';
import {
  EmptySchema,
  ExperimentSummarySchema,
  LoopSchema,
  NoneSchema,
  RunParamsSchema,
} from '../shapes.ts';

const ExperimentParamsSchema = z.object({ experimentId: UlidSchema });

export const planExperiment = defineRoute({
  method: 'POST',
  path: '/api/runs/:runId/experiments/plan',
  summary:
    'What an experiment would send: how many calls, in which order, which arguments, what they may do. Sends nothing.',
  params: RunParamsSchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({
    request: ExperimentRequestSchema,
    /** Of the order; null = a new one. */
    seed: ExperimentPlanSchema.shape.seed.nullable().default(null),
  }),
  responseKind: 'json',
  response: ExperimentPlanSchema,
  errors: [
    'RUN_NOT_FOUND',
    'STEP_NOT_FOUND',
    'TARGET_NOT_FOUND',
    'REPLAY_NOT_FOUND',
    'REPLAY_REFUSED',
  ],
});

export const startExperiment = defineRoute({
  method: 'POST',
  path: '/api/runs/:runId/experiments',
  summary: 'Begin an experiment whose plan the person has read and confirmed.',
  params: RunParamsSchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({
    request: ExperimentRequestSchema,
    seed: ExperimentPlanSchema.shape.seed,
    /** Of the plan that was shown: another one is refused. */
    planSha256: z.string().length(64),
    /** The tool's name, typed by the person for the whole plan; null where the plan needs none. */
    confirmTool: z.string().nullable(),
    /** Chosen by the client; the same key never begins a second one. */
    idempotencyKey: z.string().min(8).max(100),
  }),
  responseKind: 'json',
  response: ExperimentSchema,
  errors: [
    'RUN_NOT_FOUND',
    'STEP_NOT_FOUND',
    'TARGET_NOT_FOUND',
    'REPLAY_NOT_FOUND',
    'REPLAY_REFUSED',
    'DISK_FULL',
  ],
});

export const listExperiments = defineRoute({
  method: 'GET',
  path: '/api/experiments',
  summary: 'Experiments, newest first: all, or of a run.',
  params: EmptySchema,
  query: z.strictObject({
    runId: RunIdSchema.optional(),
    limit: z.coerce.number().int().min(1).max(1000).default(200),
  }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: z.object({
    total: z.number().int(),
    experiments: z.array(ExperimentSummarySchema),
  }),
  errors: [],
});

export const getExperiment = defineRoute({
  method: 'GET',
  path: '/api/experiments/:experimentId',
  summary: 'One experiment: its plan, each call as it ended, and what is known by now.',
  params: ExperimentParamsSchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: ExperimentSchema,
  errors: ['EXPERIMENT_NOT_FOUND'],
});

export const stopExperiment = defineRoute({
  method: 'POST',
  path: '/api/experiments/:experimentId/stop',
  summary:
    'Send nothing more and stop waiting; what is known is kept. One that another Misstep process runs is refused.',
  params: ExperimentParamsSchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: EmptySchema,
  responseKind: 'json',
  response: ExperimentSchema,
  errors: ['EXPERIMENT_NOT_FOUND', 'REPLAY_REFUSED'],
});

export const exportExperiment = defineRoute({
  method: 'GET',
  path: '/api/experiments/:experimentId/export',
  summary: 'The experiment as a file: JSON, CSV, Markdown, or the frames of a race.',
  params: ExperimentParamsSchema,
  query: z.strictObject({ as: z.enum(['json', 'csv', 'markdown', 'frames']) }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'bytes',
  response: z.unknown(),
  errors: ['EXPERIMENT_NOT_FOUND', 'NOT_FOUND'],
});

export const getLoop = defineRoute({
  method: 'GET',
  path: '/api/loop',
  summary:
    'What the loop has cost: direct calls, time from edit to answer, and runs on a case that reached the tool.',
  params: EmptySchema,
  query: EmptySchema,
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: LoopSchema,
  errors: [],
});
