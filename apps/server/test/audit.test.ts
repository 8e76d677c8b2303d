import { type RunSummary, routes } from '@misstep/contract';
import { AUDIT_QUESTION_IDS, type RecordingAudit } from '@misstep/model';
import { expect, test } from 'vitest';
import { ABSENT_RUN, body, errorOf } from './answers.ts';
import { call, openTestApp } from './support.ts';

test('the three recordings of one run answer different questions', async () => {
  const { app, services } = await openTestApp();
  await services.demo.prepare();
  const { runs } = body<{ runs: RunSummary[] }>(await call(app, routes.listRuns));
  expect(runs).toHaveLength(3);
  const audits = new Map<string, RecordingAudit['questions']>();
  for (const { id: runId, format } of runs) {
    const audit = body<RecordingAudit>(await call(app, routes.getAudit, { params: { runId } }));
    expect(audit.runId).toBe(runId);
    expect(audit.questions.map(({ id }) => id)).toEqual(AUDIT_QUESTION_IDS);
    audits.set(format, audit.questions);
  }
  const told = (format: string) =>
    audits.get(format)?.map(({ answer, missing }) => [answer, ...missing].join(' '));
  expect(told('claude-code-jsonl')).toEqual([
    'partly call.offeredTools',
    'answered',
    'answered',
    'answered',
    'partly context.changes',
    'answered',
    'answered',
  ]);
  expect(told('plain-text')).toEqual([
    'partly call.offeredTools',
    'partly call.result call.resultInContext',
    'answered',
    'partly handOff',
    'no context.added context.changes',
    'no usage.inputTokens usage.outputTokens usage.money',
    'partly step.time step.parent call.pairing',
  ]);
  expect(told('frame-log')).toEqual([
    'answered',
    'partly call.resultInContext',
    'partly model',
    'no model handOff',
    'no model',
    'no model',
    'partly step.parent',
  ]);
  // The six calls are the same ones in all three.
  for (const [first] of audits.values()) expect(first?.counts.withWholeArguments).toBe(6);
  expect(audits.get('plain-text')?.[1]?.counts.withWholeResult).toBe(5);
  expect(audits.get('frame-log')?.[0]?.counts.withOfferedTools).toBe(6);
  expect(audits.get('frame-log')?.[1]?.counts.frames).toBeGreaterThan(0);
});

test('an absent run has no audit', async () => {
  const { app } = await openTestApp();
  const sent = await call(app, routes.getAudit, { params: { runId: ABSENT_RUN } });
  expect(errorOf(sent)).toEqual([404, 'RUN_NOT_FOUND']);
});
