import { expect, test } from 'vitest';
import { fileOf } from './recordings.ts';
import { openTestServices } from './support.ts';

const event = (number: number, more: object) => ({
  id: `ev-${number}`,
  timestamp: `2026-11-20T09:15:0${number}.250000`,
  ...more,
});
const asked = event(0, {
  kind: 'MessageEvent',
  source: 'user',
  llm_message: { role: 'user', content: [{ type: 'text', text: 'Which pipes are flat?' }] },
});
const called = event(1, {
  kind: 'ActionEvent',
  source: 'agent',
  thought: [{ type: 'text', text: 'I measure them.' }],
  action: { kind: 'MCPToolAction', data: {} },
  tool_name: 'organ_pitch',
  tool_call_id: 'call_1',
  tool_call: { id: 'call_1', function: { name: 'organ_pitch', arguments: '{"rank":"swell"}' } },
  llm_response_id: 'r-1',
});
const answered = event(2, {
  kind: 'ObservationEvent',
  source: 'environment',
  action_id: 'ev-1',
  tool_name: 'organ_pitch',
  tool_call_id: 'call_1',
  observation: { kind: 'MCPToolObservation', content: [{ type: 'text', text: 'none' }] },
});

test('a folder with a file an event is one run, which grows with its files', async () => {
  const services = await openTestServices();
  const fileOfEvent = (folder: string, at: number, value: object) =>
    fileOf(`${folder}/events/event-0000${at}-abc.json`, JSON.stringify(value));
  const first = await services.imports.importFiles([
    fileOfEvent('a', 1, called),
    fileOfEvent('a', 0, asked),
    fileOfEvent('b', 0, { ...asked, id: 'other' }),
  ]);
  expect(first.map(({ error }) => error)).toEqual([null, null, null]);
  const [runId, same, other] = first.map(({ runs }) => runs[0]?.id);
  expect(same).toBe(runId);
  expect(other).not.toBe(runId);
  if (runId === undefined) throw new Error('no run');
  const before = await services.store.listSteps(runId);
  expect(before.map(({ kind, status }) => [kind, status])).toEqual([
    ['user', 'none'],
    ['model', 'none'],
    ['tool', 'unanswered'],
  ]);

  const [again] = await services.imports.importFiles([
    fileOfEvent('a', 0, asked),
    fileOfEvent('a', 1, called),
    fileOfEvent('a', 2, answered),
  ]);
  expect(again?.runs[0]?.id).toBe(runId);
  const after = await services.store.listSteps(runId);
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(after[2]?.status).toBe('ok');
  expect(await services.values.wholeText(after[2]?.result ?? null)).toContain('none');
});
