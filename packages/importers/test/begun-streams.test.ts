import { expect, test } from 'vitest';
import { chooseFormat, makeSourceHead } from '../src/index.ts';
import { sourceOfText } from './support.ts';

async function stepsOf(text: string) {
  const main = sourceOfText(text);
  const { importer } = chooseFormat(await makeSourceHead(main));
  const result = await importer?.read({ main, companions: [] });
  return result?.runs[0]?.steps ?? [];
}

const sse = (events: readonly object[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

test('a stream of which only the beginning came is a model call without an end', async () => {
  const response = {
    id: 'resp_1',
    object: 'response',
    model: 'm',
    status: 'in_progress',
    output: [],
  };
  const [step] = await stepsOf(sse([{ type: 'response.created', response }]));
  expect(step).toMatchObject({ kind: 'model', status: 'unknown' });
});

test('arguments that had not begun to come are cut, not empty', async () => {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] };
  const steps = await stepsOf(
    sse([
      { type: 'message_start', message },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'toolu_1', name: 'find', input: {} },
      },
    ]),
  );
  expect(steps.find(({ kind }) => kind === 'tool')?.arguments?.state).toBe('elided');
});
