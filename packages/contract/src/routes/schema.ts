import { TargetNameSchema } from '@misstep/model';
import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { ArgumentCheckSchema, AskedToolsSchema, StepToolSchema } from '../schema-shapes.ts';
import { EmptySchema, NoneSchema, StepParamsSchema } from '../shapes.ts';

export const getStepTool = defineRoute({
  method: 'GET',
  path: '/api/runs/:runId/steps/:stepId/tool',
  summary:
    "What is known of the called tool's definition: recorded, as the target last listed it, and what changed. Nothing is started.",
  params: StepParamsSchema,
  query: z.strictObject({ targetName: TargetNameSchema }),
  bodyKind: 'none',
  body: NoneSchema,
  responseKind: 'json',
  response: StepToolSchema,
  errors: ['RUN_NOT_FOUND', 'STEP_NOT_FOUND', 'TARGET_NOT_FOUND'],
});

export const askTools = defineRoute({
  method: 'POST',
  path: '/api/targets/:name/tools',
  summary:
    'Start or call a confirmed server and ask it for its tools, on the person’s word. No tool is called.',
  params: z.object({ name: TargetNameSchema }),
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({ timeoutMs: z.number().int().min(100).max(600_000).default(30_000) }),
  responseKind: 'json',
  response: AskedToolsSchema,
  errors: ['TARGET_NOT_FOUND', 'REPLAY_REFUSED', 'TOOLS_NOT_LISTED'],
});

export const checkArguments = defineRoute({
  method: 'POST',
  path: '/api/runs/:runId/steps/:stepId/argument-check',
  summary:
    'Hold a text against the tool’s schema as a strict and as a lenient client would. Nothing is started or sent.',
  params: StepParamsSchema,
  query: EmptySchema,
  bodyKind: 'json',
  body: z.strictObject({ targetName: TargetNameSchema, argumentsText: z.string() }),
  responseKind: 'json',
  /** Null = neither the recording nor the target has a definition to check by. */
  response: z.object({ check: ArgumentCheckSchema.nullable() }),
  errors: ['RUN_NOT_FOUND', 'STEP_NOT_FOUND', 'TARGET_NOT_FOUND'],
});
