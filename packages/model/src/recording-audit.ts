import { z } from 'zod';
import { RunIdSchema } from './ids.ts';

/** The seven questions of the recording audit, in the order in which they are shown. */
export const AUDIT_QUESTIONS = {
  'tool-choice':
    'Which tool was chosen, with which arguments, out of which tools that were available?',
  'call-outcome':
    'Did the call work: result, kind of error, latency, and did the result enter the context?',
  looping: 'Is it looping: the same call again, goals taken up again?',
  'hand-offs': 'Where was work handed on, and with what context?',
  context: 'What changed in the context: added, dropped, summarised?',
  cost: 'What did it cost: tokens and money of each model call?',
  'first-wrong': 'Where did it first go wrong: order, times, parents?',
} as const;

export const AUDIT_QUESTION_IDS = [
  'tool-choice',
  'call-outcome',
  'looping',
  'hand-offs',
  'context',
  'cost',
  'first-wrong',
] as const satisfies readonly (keyof typeof AUDIT_QUESTIONS)[];
export type AuditQuestionId = (typeof AUDIT_QUESTION_IDS)[number];

/** What a recording has to hold for an answer, by the name that scripts get and in words. */
export const AUDIT_FIELDS = {
  call: 'tool calls',
  'call.arguments': 'the whole arguments of each call',
  'call.offeredTools': 'the tools offered to the model (a tools/list, or the request itself)',
  'call.status': 'what became of each call',
  'call.result': 'the whole result of each call',
  'call.latency': 'start and end of each call',
  'call.resultInContext': 'the context that the model got after each result',
  'call.pairing': 'an id that joins each result to its call',
  model: 'model calls',
  'model.text': "the model's own words",
  handOff: 'hand-offs',
  'handOff.context': 'what was handed on, whole',
  'handOff.steps': 'what was done after each hand-off',
  'handOff.result': 'what came back of each hand-off, whole',
  'context.added': 'every message and result, whole, as the model got it',
  'context.changes': 'what was dropped or summarised, and the summary',
  'usage.inputTokens': 'input tokens of each model call',
  'usage.outputTokens': 'output tokens of each model call',
  'usage.money': 'the price of each model call',
  'step.order': 'times that agree with the order of the records',
  'step.time': 'a time for each step',
  'step.parent': 'a link from each call to the turn or step that led to it',
} as const;
export type AuditField = keyof typeof AUDIT_FIELDS;
const fieldNames = z.literal(
  // Object.keys gives strings; these are the keys of the constant above.
  Object.keys(AUDIT_FIELDS) as [AuditField, ...AuditField[]],
);

/**
 * `answered`: all that the question asks for is recorded, for all steps it concerns;
 * `no`: none of it; `partly`: what lies between.
 */
export const AUDIT_ANSWERS = ['answered', 'partly', 'no'] as const;
export const AuditAnswerSchema = z.enum(AUDIT_ANSWERS);
export type AuditAnswer = z.infer<typeof AuditAnswerSchema>;

export const AuditedQuestionSchema = z.object({
  id: z.enum(AUDIT_QUESTION_IDS),
  question: z.string(),
  answer: AuditAnswerSchema,
  /** What was counted, by name, e.g. `calls` and `withWholeArguments`. */
  counts: z.record(z.string(), z.number().int().nonnegative()),
  /** What would have to be recorded to answer the rest; empty where it is answered. */
  missing: z.array(fieldNames),
  /** The counts in words. */
  sentence: z.string(),
});
export type AuditedQuestion = z.infer<typeof AuditedQuestionSchema>;

/** Which of the seven questions a recording can answer; about the recording, not about the run. */
export const RecordingAuditSchema = z.object({
  runId: RunIdSchema,
  /** Seven, in the order of AUDIT_QUESTION_IDS. */
  questions: z.array(AuditedQuestionSchema).length(AUDIT_QUESTION_IDS.length),
});
export type RecordingAudit = z.infer<typeof RecordingAuditSchema>;
