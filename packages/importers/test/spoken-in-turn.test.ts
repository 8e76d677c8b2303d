import { expect, test } from 'vitest';
import { importerById } from '../src/index.ts';
import { sourceOfText } from './support.ts';

/** What is said between two parts of one thing does not part them. */

async function stepsOf(id: string, value: object) {
  const main = sourceOfText(JSON.stringify(value));
  const read = await importerById(id)?.read({ main, companions: [] });
  return (read?.runs ?? []).flatMap(({ steps }) => steps);
}

test('a thought before the other speaks leaves a hand-off open', async () => {
  const entry = (role: string, content: string) => ({ role, content });
  const steps = await stepsOf('who-and-when', {
    question: 'Which kiln is free?',
    mistake_step: '4',
    history: [
      entry('human', 'Which kiln is free?'),
      entry('Orchestrator (-> Porter)', 'Look at kiln 1'),
      entry('Orchestrator (thought)', 'Next speaker Porter'),
      entry('Porter', 'It is cold'),
      entry('Orchestrator (thought)', 'Kiln 1 is free'),
      entry('Orchestrator (-> Porter)', 'Light it'),
    ],
  });
  expect(steps.map(({ kind, status }) => [kind, status])).toEqual([
    ['user', 'none'],
    ['agent', 'ok'],
    ['model', 'none'],
    ['model', 'none'],
    ['model', 'none'],
    ['agent', 'unanswered'],
  ]);
  expect(steps.map(({ parentId }) => parentId === steps[1]?.id)).toEqual([
    ...[false, false, false, true, false, false],
  ]);
});

test('calls behind a text are of the same answer', async () => {
  const call = (id: string) => ({
    ...{ type: 'function_call', id: `fc_${id}`, call_id: id, name: 'light', arguments: '{}' },
  });
  const steps = await stepsOf('openai-responses', {
    model: 'gpt-x',
    input: [
      { role: 'user', content: 'Light both kilns' },
      {
        ...{ type: 'message', id: 'msg_k', role: 'assistant' },
        content: [{ type: 'output_text', text: 'Both.' }],
      },
      call('k1'),
      call('k2'),
      { type: 'function_call_output', call_id: 'k1', output: 'lit' },
      { type: 'function_call_output', call_id: 'k2', output: 'lit' },
    ],
  });
  expect(steps.filter(({ kind }) => kind === 'tool').map(({ status }) => status)).toEqual([
    'ok',
    'ok',
  ]);
  expect(steps.filter(({ kind }) => kind === 'model')).toHaveLength(1);
});
