import { describe, expect, test } from 'vitest';
import { chooseFormat, makeSourceHead } from '../src/index.ts';
import { sourceOfText, stepsOf } from './support.ts';

/** The cuts of the only result, as the format that the text is recognised as reads it. */
async function resultIn(text: string) {
  const main = sourceOfText(text);
  const { importer } = chooseFormat(await makeSourceHead(main));
  const result = await importer?.read({ main, companions: [] });
  const [step] = (result === undefined ? [] : stepsOf(result)).filter(
    ({ kind, result: value }) => kind === 'tool' && value !== null,
  );
  const { state, elisions = [] } = step?.result ?? {};
  return {
    format: importer?.id,
    state,
    cuts: elisions.map(({ pointer, kind, count }) => [pointer, kind, count]),
    emptyResult: step?.emptyResult,
  };
}

describe('agents that keep messages of a model say what they cut', () => {
  test('SWE-agent', async () => {
    const history = [
      { role: 'user', content: 'Mend the bell.', message_type: 'observation', agent: 'main' },
      { role: 'assistant', content: 'ls', action: 'ls -R', message_type: 'action', agent: 'main' },
      {
        role: 'user',
        content:
          'a\n<response clipped><NOTE>Observations should not exceeded 100000 characters. 5120 characters were elided. Please try a different command.</NOTE>',
        message_type: 'observation',
        agent: 'main',
      },
    ];
    const text = JSON.stringify({ environment: 'main', trajectory: [], history, info: {} });
    expect(await resultIn(text)).toEqual({
      format: 'swe-agent',
      state: 'elided',
      cuts: [['', 'characters', 5120]],
      emptyResult: null,
    });
  });

  test('mini-swe-agent', async () => {
    const messages = [
      { role: 'user', content: 'Mend the bell.' },
      { role: 'assistant', content: 'THOUGHT: look\n\n```bash\nls -R\n```' },
      {
        role: 'user',
        content:
          '<returncode>0</returncode>\n<output_head>\na\n</output_head>\n<elided_chars>\n812 characters elided\n</elided_chars>\n<output_tail>\nz\n</output_tail>',
      },
    ];
    const text = JSON.stringify({ trajectory_format: 'mini-swe-agent-1.1', info: {}, messages });
    expect(await resultIn(text)).toMatchObject({
      format: 'mini-swe-agent',
      state: 'elided',
      cuts: [['', 'characters', 812]],
    });
  });

  test('the edit tool that several of them have, in blocks', async () => {
    const messages = [
      { role: 'user', content: 'Show it.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'view', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't1',
            content: [
              { type: 'text', text: 'one' },
              {
                type: 'text',
                text: 'two<response clipped><NOTE>Due to the max output limit, only part of this file has been shown to you.</NOTE>',
              },
            ],
          },
        ],
      },
    ];
    expect(await resultIn(JSON.stringify({ model: 'm', messages }))).toMatchObject({
      format: 'anthropic-messages',
      state: 'elided',
      cuts: [['/1/text', 'tail', null]],
    });
  });
});

test('what an OTLP exporter dropped is counted by its own numbers', async () => {
  const span = {
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    name: 'execute_tool ring',
    startTimeUnixNano: '1795500000000000000',
    endTimeUnixNano: '1795500000900000000',
    attributes: [{ key: 'gen_ai.tool.name', value: { stringValue: 'ring' } }],
    droppedAttributesCount: 2,
    droppedEventsCount: 1,
  };
  const main = sourceOfText(
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
  );
  const { importer } = chooseFormat(await makeSourceHead(main));
  const result = await importer?.read({ main, companions: [] });
  expect(result?.issues).toMatchObject([
    {
      code: 'DROPPED_BY_EXPORTER',
      message:
        '2 attributes and 1 event of 1 span were dropped before they were sent; what they held was not recorded.',
    },
  ]);
  const [step] = result === undefined ? [] : stepsOf(result);
  expect(step?.arguments?.state).toBe('notCaptured');
});
