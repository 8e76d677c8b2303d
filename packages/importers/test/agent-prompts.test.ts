import { expect, test } from 'vitest';
import { importerById } from '../src/index.ts';
import { sourceOfText } from './support.ts';

/** Sub-agents in logs of requests and answers, which have neither times nor ids of agents. */

const TOOLS = [{ name: 'Task', input_schema: { type: 'object' } }];
const task = (id: string, prompt: string) => ({
  type: 'tool_use',
  id,
  name: 'Task',
  input: { prompt, subagent_type: 'ringer' },
});
const exchange = (said: unknown, content: unknown, tools: unknown = TOOLS) => ({
  request: {
    model: 'm',
    ...(tools === null ? {} : { tools }),
    messages: [{ role: 'user', content: said }],
  },
  response: { id: 'msg', type: 'message', role: 'assistant', stop_reason: 'end_turn', content },
});
const text = (words: string) => [{ type: 'text', text: words }];

async function read(exchanges: readonly object[]) {
  const main = sourceOfText(exchanges.map((each) => JSON.stringify(each)).join('\n'));
  const result = await importerById('anthropic-messages')?.read({ main, companions: [] });
  const runs = (result?.runs ?? []).map(({ steps }) =>
    steps.map(({ kind, name, summary, parentId }) => [
      kind,
      name,
      summary,
      steps.findIndex(({ id }) => id === parentId) + 1,
    ]),
  );
  return { runs, codes: result?.issues.map(({ code }) => code) };
}

test('a conversation that opens with the prompt of a call stands below it, behind it', async () => {
  const { runs, codes } = await read([
    exchange('Ring all', [task('t1', 'Ring one'), task('t2', 'Ring two')]),
    exchange('Ring two', text('rung 2')),
    exchange('Ring one', text('rung 1')),
  ]);
  expect(runs).toEqual([
    [
      ['user', 'User turn', 'Ring all', 0],
      ['model', 'Model call', 'calls Task, Task', 1],
      ['agent', 'ringer', expect.any(String), 1],
      ['user', 'User turn', 'Ring one', 3],
      ['model', 'Model call', 'rung 1', 4],
      ['agent', 'ringer', expect.any(String), 1],
      ['user', 'User turn', 'Ring two', 6],
      ['model', 'Model call', 'rung 2', 7],
    ],
  ]);
  expect(codes).toContain('SUBAGENT_LINK_INFERRED');
});

test.each([
  ['another prompt', exchange('Ring one!', text('rung'))],
  ['no tools, as a client asks aside', exchange('Ring one', text('rung'), null)],
])('one with %s does not', async (_name, other) => {
  const { runs, codes } = await read([exchange('Ring all', [task('t1', 'Ring one')]), other]);
  expect(runs).toHaveLength(2);
  expect(codes).not.toContain('SUBAGENT_LINK_INFERRED');
});

test('a call starts one conversation, and none that came before it', async () => {
  const { runs } = await read([
    exchange('Ring one', text('before')),
    exchange('Ring all', [task('t1', 'Ring one')]),
    exchange([{ type: 'text', text: 'Ring one' }, ...text('now')], text('its own')),
    exchange([{ type: 'text', text: 'Ring one' }, ...text('later')], text('a third')),
  ]);
  expect(runs.map((steps) => steps.length)).toEqual([2, 5, 2]);
});
