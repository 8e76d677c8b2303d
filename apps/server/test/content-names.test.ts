import { type ImportState, routes, type StepDetail } from '@misstep/contract';
import { expect, test } from 'vitest';
import { body } from './answers.ts';
import { call, openTestApp, until } from './support.ts';

const messages = (role: string, content: string) =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

test('the parts of a step keep what the recording calls them', async () => {
  const { app } = await openTestApp();
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.system_instructions': '[{"type":"text","content":"Be brief."}]',
    'gen_ai.input.messages': messages('user', 'Water the beds'),
    // No list of messages: it stays whole.
    'gen_ai.output.messages': '{"said":"Done"}',
  };
  const span = {
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: 'eee19b7ec3c1b174',
    name: 'chat',
    startTimeUnixNano: '1795500000000000000',
    endTimeUnixNano: '1795500001000000000',
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({
      key,
      value: { stringValue },
    })),
  };
  const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const begun = body<ImportState>(
    await call(app, routes.createImport, { body: { name: 'beds.json', text } }),
  );
  const run = await until(async () => {
    const now = body<ImportState>(
      await call(app, routes.getImport, { params: { importId: begun.id } }),
    );
    return now.phase === null ? now.summary.run : null;
  });
  const runId = run?.id ?? '';
  const { ids } = body<{ ids: string[] }>(
    await call(app, routes.getSkeleton, { params: { runId } }),
  );
  const step = body<StepDetail>(
    await call(app, routes.getStep, { params: { runId, stepId: ids[0] ?? '' } }),
  );
  expect(step.content.map(({ name }) => name)).toEqual([
    'gen_ai.output.messages',
    'gen_ai.system_instructions',
    'gen_ai.input.messages',
  ]);
});
