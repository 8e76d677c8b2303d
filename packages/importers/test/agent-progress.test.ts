import { expect, test } from 'vitest';
import { importerById, type SourceGroup, type SourceReader } from '../src/index.ts';
import { expectAccountsAddUp, expectValuesReread } from './invariants.ts';
import { sourceOfText } from './support.ts';

const common = { sessionId: 's1', isSidechain: false };

/** A session whose call started a sub-agent; what that one did stands in progress records. */
function session(zone: string): string {
  const at = (second: number) => `2026-03-01T10:00:0${second}.000${zone}`;
  const prompt = { role: 'user', content: [{ type: 'text', text: 'Count the crates' }] };
  const use = { type: 'tool_use', id: 'st1', name: 'Read', input: { path: 'crates.txt' } };
  const usage = { input_tokens: 9, output_tokens: 4 };
  const asked = { id: 'sm1', role: 'assistant', model: 'small', content: [use], usage };
  const result = {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'st1', content: '12 crates' }],
  };
  const progress = (second: number, type: string, uuid: string, message: object) => ({
    ...{ type: 'progress', uuid: `p${second}`, parentToolUseID: 't1', timestamp: at(second) },
    data: {
      type: 'agent_progress',
      agentId: 'ag9',
      message: { type, uuid, timestamp: at(second), message },
    },
  });
  const started = {
    type: 'tool_use',
    id: 't1',
    name: 'Task',
    input: { description: 'count', prompt: 'Count the crates' },
  };
  const lines = [
    { type: 'user', uuid: 'u1', timestamp: at(1), message: { role: 'user', content: 'Count.' } },
    {
      ...{ type: 'assistant', uuid: 'a1', timestamp: at(2) },
      message: {
        ...{ id: 'm1', role: 'assistant', model: 'large', content: [started] },
        usage: { input_tokens: 10, output_tokens: 5 },
      },
    },
    progress(3, 'user', 'x1', prompt),
    progress(4, 'assistant', 'x2', asked),
    // The same message again: it happened once.
    progress(5, 'assistant', 'x2', asked),
    progress(6, 'user', 'x3', result),
    {
      ...{ type: 'user', uuid: 'r1', timestamp: at(8) },
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: '12' }],
      },
      toolUseResult: { status: 'completed', agentId: 'ag9' },
    },
  ];
  return lines.map((line) => `${JSON.stringify({ ...common, ...line })}\n`).join('');
}

async function read(
  main: SourceReader,
  companions: readonly { reader: SourceReader; group: SourceGroup }[] = [],
) {
  const result = await importerById('claude-code-jsonl')?.read({ main, companions });
  const run = result?.runs[0];
  if (result === undefined || run === undefined) throw new Error('no run');
  return { result, run, steps: run.steps };
}

test('what a sub-agent did is read from progress records where its file is not here', async () => {
  const main = sourceOfText(session('Z'));
  const { result, steps } = await read(main);
  expect(steps.map(({ kind, name }) => [kind, name])).toEqual([
    ['user', 'User turn'],
    ['model', 'Model call'],
    ['agent', 'Task'],
    ['user', 'Prompt of the sub-agent'],
    ['model', 'Model call'],
    ['tool', 'Read'],
  ]);
  const [, , agent, ...own] = steps;
  expect(own.every(({ parentId }) => parentId === agent?.id)).toBe(true);
  expect(own[1]?.usage).toMatchObject({ inputTokens: 9, outputTokens: 4 });
  expect(own[2]).toMatchObject({ status: 'ok', pairing: { by: 'id' } });
  expect(result.sources[0]?.records).toMatchObject({ total: 7, understood: 6, setAside: 1 });
  expectAccountsAddUp(result, [main]);
  expect(await expectValuesReread(result, [main])).toBeGreaterThan(4);
});

test('where its own file is here, the progress records are not read again', async () => {
  const line = {
    ...{ ...common, isSidechain: true, agentId: 'ag9', type: 'user', uuid: 'x1' },
    timestamp: '2026-03-01T10:00:03.000Z',
    message: { role: 'user', content: 'Count the crates' },
  };
  const reader = sourceOfText(`${JSON.stringify(line)}\n`);
  const group = { key: 's1', role: 'companion', part: 'ag9' } as const;
  const { steps } = await read(sourceOfText(session('Z')), [{ reader, group }]);
  expect(steps.filter(({ name }) => name === 'Read')).toEqual([]);
  expect(steps.filter(({ name }) => name === 'Prompt of the sub-agent')).toHaveLength(1);
});

test('times without a zone are local, and of one kind in a session', async () => {
  const local = await read(sourceOfText(session('')));
  expect(local.run.clock).toBe('local');
  expect(local.result.issues).toEqual([]);
  expect(local.steps.every(({ time }) => time.startedAtNs !== null)).toBe(true);
  const [first = '', ...others] = session('').split('\n');
  const mixed = await read(sourceOfText([first.replace('.000', '.000Z'), ...others].join('\n')));
  expect(mixed.run.clock).toBe('zoned');
  expect(mixed.result.issues.map(({ code }) => code)).toEqual(['TIME_UNREADABLE']);
});
