import { expect, test } from 'vitest';
import { isRecordingOf } from '../src/services/find/resolve-folder.ts';
import { fileOf, sessionOf } from './recordings.ts';
import { openTestServices } from './support.ts';

const SESSION = '5b0e0c1a-0000-4000-8000-00000000000a';
const SIDE_FILES: readonly (readonly [string, string])[] = [
  [`${SESSION}/subagents/agent-a1.meta.json`, '{"agentType":"porter"}'],
  [
    `${SESSION}/subagents/workflows/wf_1/journal.jsonl`,
    '{"type":"started","key":"v2:1","agentId":"a1"}\n{"type":"result","key":"v2:1","agentId":"a1","result":"done"}\n',
  ],
  [`${SESSION}/workflows/wf_1.json`, '{"runId":"wf_1","workflowName":"weigh","agentCount":1}'],
  [`${SESSION}/tool-results/toolu_1.txt`, 'user: what a crate weighs\nassistant: 12 kg\n'],
  ['sessions-index.json', '{"version":1,"entries":[]}'],
  ['sessions.json', '[{"sessionId":"s1","title":"Crates","dateCreated":"1772359200000"}]'],
];

test('a folder with all that stands beside a session is imported without an error', async () => {
  const services = await openTestServices();
  const outcomes = await services.imports.importFiles([
    ...SIDE_FILES.map(([path, text]) => fileOf(path, text)),
    fileOf(`${SESSION}.jsonl`, sessionOf({ sessionId: SESSION, turns: 1 })),
  ]);
  expect(outcomes.map(({ error }) => error)).toEqual(outcomes.map(() => null));
  expect(outcomes.map(({ runs }) => runs.length)).toEqual([...SIDE_FILES.map(() => 0), 1]);
  for (const { issues, records } of outcomes.slice(0, -1)) {
    expect(issues.map(({ code }) => code)).toEqual(['LEFT_ASIDE']);
    expect(records).toMatchObject({ total: 1, setAside: 1 });
  }
  expect((await services.store.listRuns({ limit: 10, offset: 0 })).runs).toHaveLength(1);
});

test.each([
  [
    'a session under the name of a list',
    'sessions.json',
    sessionOf({ sessionId: 'one', turns: 1 }),
  ],
  [
    'a transcript in a folder of outputs',
    'out/tool-results/1.jsonl',
    sessionOf({ sessionId: 'two', turns: 1 }),
  ],
  [
    'a session under the name of a journal',
    'journal.jsonl',
    sessionOf({ sessionId: 'three', turns: 1 }),
  ],
])('%s is read', async (_what, path, text) => {
  const services = await openTestServices();
  const [outcome] = await services.imports.importFiles([fileOf(path, text)]);
  expect(outcome?.runs).toHaveLength(1);
});

test('a named format reads a side file', async () => {
  const services = await openTestServices();
  const [path, text] = SIDE_FILES[3] ?? ['', ''];
  const [outcome] = await services.imports.importFiles([fileOf(path, text)], {
    format: 'plain-text',
  });
  expect(outcome?.runs).toHaveLength(1);
});

test('patterns leave out what stands beside recordings', () => {
  const isRecording = isRecordingOf(['**/*.jsonl', '!**/workflows/**/journal.jsonl']);
  expect(isRecording('p/one.jsonl')).toBe(true);
  expect(isRecording('p/journal.jsonl')).toBe(true);
  expect(isRecording('p/s/subagents/workflows/wf_1/journal.jsonl')).toBe(false);
  expect(isRecording('p/s/subagents/workflows/wf_1/agent-a1.jsonl')).toBe(true);
});
