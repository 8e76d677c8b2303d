import { expect, test } from 'vitest';
import { chooseFormat, makeSourceHead } from '../src/index.ts';
import { sourceOfText } from './support.ts';

async function read(value: object) {
  const main = sourceOfText(JSON.stringify(value));
  const { importer } = chooseFormat(await makeSourceHead(main));
  const result = await importer?.read({ main, companions: [] });
  return { steps: result?.runs[0]?.steps ?? [], result };
}

const answer = (...output: object[]) => ({ id: 'resp_1', object: 'response', model: 'm', output });

test('a call whose result is an item of its own is one call', async () => {
  const { steps, result } = await read(
    answer(
      { type: 'shell_call', id: 'sh_1', call_id: 'c1', status: 'completed', action: {} },
      {
        type: 'shell_call_output',
        call_id: 'c1',
        output: [{ stdout: 'x', outcome: { type: 'exit', exit_code: 2 } }],
      },
      { type: 'local_shell_call', id: 'ls_1', call_id: 'c2', status: 'completed', action: {} },
      { type: 'local_shell_call_output', call_id: 'c2', output: 'x' },
      { type: 'computer_call', id: 'cm_1', call_id: 'c3', status: 'completed', action: {} },
    ),
  );
  const calls = steps.filter(({ kind }) => kind === 'tool');
  expect(calls.map(({ callId, status, statusReason }) => [callId, status, statusReason])).toEqual([
    ['c1', 'error', 'Exit code 2'],
    ['c2', 'ok', null],
    ['c3', 'unanswered', 'The source holds no result.'],
  ]);
  expect(result?.issues).toEqual([]);
});

test('tools that a search found are offered from then on', async () => {
  const { steps, result } = await read(
    answer(
      { type: 'tool_search_call', call_id: 's1', status: 'completed', arguments: { q: 'ring' } },
      { type: 'tool_search_output', call_id: 's1', tools: [{ type: 'function', name: 'ring' }] },
    ),
  );
  expect(steps.at(-1)).toMatchObject({ kind: 'tool', tool: 'tool_search', status: 'ok' });
  expect(result?.runs[0]?.tools.map(({ name }) => name)).toEqual(['ring']);
});

test('why a call of a server failed is said, and items of a new type stay in the answer', async () => {
  const { steps } = await read(
    answer(
      {
        type: 'mcp_call',
        id: 'mcp_1',
        server_label: 'belfry',
        name: 'ring',
        arguments: '{}',
        output: null,
        error: { type: 'http_error', code: 500, message: 'no such bell' },
      },
      { type: 'a_new_item', id: 'x1', said: 'more' },
    ),
  );
  expect(steps[1]).toMatchObject({ status: 'error', statusReason: 'no such bell' });
  expect(steps[0]?.content.map(({ kind }) => kind)).toEqual(['other']);
});

test("a command of the provider's own that failed is an error", async () => {
  const { steps } = await read({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    stop_reason: 'end_turn',
    content: [
      { type: 'server_tool_use', id: 's1', name: 'code_execution', input: { code: 'x' } },
      {
        type: 'code_execution_tool_result',
        tool_use_id: 's1',
        content: { type: 'code_execution_result', stdout: '', stderr: 'no x', return_code: 1 },
      },
    ],
  });
  expect(steps.at(-1)).toMatchObject({ status: 'error', statusReason: 'Exit code 1' });
});
