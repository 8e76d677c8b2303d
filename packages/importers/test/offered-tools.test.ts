import { describe, expect, test } from 'vitest';
import { otlpJson } from '../src/formats/otlp-json.ts';
import { importers } from '../src/index.ts';
import { sourceOfText } from './support.ts';

// Each way in which recordings list the tools that a model was offered.

const SCHEMA = { type: 'object', properties: { bay: { type: 'integer' } } };
const OPENAI = { type: 'function', function: { name: 'count_crates', parameters: SCHEMA } };
const ANTHROPIC = { name: 'count_crates', description: 'Counts.', input_schema: SCHEMA };

function span(attributes: Record<string, string | string[]>): string {
  const one = {
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: 'eee19b7ec3c1b174',
    name: 'chat',
    startTimeUnixNano: '1795500000000000000',
    endTimeUnixNano: '1795500001000000000',
    attributes: Object.entries({ 'gen_ai.operation.name': 'chat', ...attributes }).map(
      ([key, value]) => ({
        key,
        value: Array.isArray(value)
          ? { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } }
          : { stringValue: value },
      }),
    ),
  };
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [one] }] }] });
}

async function toolsOf(text: string, id = otlpJson.id) {
  const importer = importers.find((each) => each.id === id);
  const result = await importer?.read({ main: sourceOfText(text), companions: [] });
  return (result?.runs ?? []).flatMap(({ tools }) =>
    tools.map(({ server, name, definition, definitionText, isNameOnly }) => {
      const bytes = Buffer.from(text).subarray(
        definition.offset,
        definition.offset + definition.length,
      );
      const parsed: unknown = JSON.parse(definitionText ?? bytes.toString());
      return { server, name, definition: parsed, isNameOnly: isNameOnly ?? false };
    }),
  );
}

const json = (value: unknown): string => JSON.stringify(value);
const known = (definition: unknown, name = 'count_crates', server: string | null = null) => [
  { server, name, definition, isNameOnly: false },
];

describe('attributes of a span', () => {
  test.each<[string, Record<string, string | string[]>, unknown]>([
    ['gen_ai.tool.definitions', { 'gen_ai.tool.definitions': json([OPENAI]) }, OPENAI],
    ['ai.prompt.tools', { 'ai.prompt.tools': [json(ANTHROPIC)] }, ANTHROPIC],
    ['mlflow.chat.tools', { 'mlflow.chat.tools': json([OPENAI]) }, OPENAI],
    ['llm.tools', { 'llm.tools.0.tool.json_schema': json(ANTHROPIC) }, ANTHROPIC],
    [
      'llm.request.functions',
      {
        'llm.request.functions.0.name': 'count_crates',
        'llm.request.functions.0.parameters': json(SCHEMA),
      },
      { name: 'count_crates', parameters: SCHEMA },
    ],
    ['invocation parameters', { 'llm.invocation_parameters': json({ tools: [OPENAI] }) }, OPENAI],
    [
      'model_request_parameters',
      {
        model_request_parameters: json({
          function_tools: [{ name: 'count_crates', parameters_json_schema: SCHEMA }],
        }),
      },
      { name: 'count_crates', parameters_json_schema: SCHEMA },
    ],
    [
      'a request of Gemini',
      {
        'gcp.vertex.agent.llm_request': json({
          config: { tools: [{ function_declarations: [{ name: 'count_crates' }] }] },
        }),
      },
      { name: 'count_crates' },
    ],
    ['input.value', { 'input.value': json({ messages: [], tools: [OPENAI] }) }, OPENAI],
  ])('%s', async (_name, attributes, definition) => {
    expect(await toolsOf(span(attributes))).toEqual(known(definition));
  });

  test('bare names are kept as such, and sentences are none', async () => {
    const tools = await toolsOf(
      span({ 'gen_ai.agent.tools': json(['mcp__yard__count', 'no name']) }),
    );
    expect(tools).toEqual([
      {
        server: 'yard',
        name: 'count',
        definition: 'mcp__yard__count',
        isNameOnly: true,
      },
    ]);
  });

  test('a definition goes before a bare name', async () => {
    const lists = {
      'gen_ai.agent.tools': json(['count_crates']),
      'llm.tools.0.tool.json_schema': json(OPENAI),
    };
    expect(await toolsOf(span(lists))).toEqual(known(OPENAI));
  });
});

test('tools of a request in the body of an HTTP archive, and in a namespace', async () => {
  const request = {
    model: 'gull-1',
    input: [{ role: 'user', content: 'How many?' }],
    tools: [
      { type: 'namespace', name: 'mcp__yard__', tools: [{ name: 'count', parameters: SCHEMA }] },
      { type: 'web_search' },
    ],
  };
  const entry = {
    startedDateTime: '2026-11-24T08:00:00.000Z',
    request: {
      method: 'POST',
      url: 'http://127.0.0.1/v1',
      headers: [],
      postData: { text: json(request) },
    },
    response: { status: 200, headers: [], content: { text: '' } },
  };
  const tools = await toolsOf(json({ log: { version: '1.2', entries: [entry] } }), 'har');
  expect(tools).toEqual(known({ name: 'count', parameters: SCHEMA }, 'count', 'yard'));
});
