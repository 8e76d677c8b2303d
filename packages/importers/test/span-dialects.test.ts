import { type Step, valueText } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import { otlpJson } from '../src/formats/otlp-json.ts';
import { sourceOfText } from './support.ts';

// Every attribute that a convention has for a thing, one by one: what the step must hold of it.

type Value = string | number | boolean | { list: readonly string[] };
type Attributes = Readonly<Record<string, Value>>;

function anyValueOf(value: Value): object {
  if (typeof value === 'object') {
    return { arrayValue: { values: value.list.map((stringValue) => ({ stringValue })) } };
  }
  if (typeof value === 'number') return { intValue: String(value) };
  return typeof value === 'boolean' ? { boolValue: value } : { stringValue: value };
}

async function read(attributes: Attributes, more: object = {}) {
  const span = {
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: 'eee19b7ec3c1b174',
    name: 'a span',
    startTimeUnixNano: '1795500000000000000',
    endTimeUnixNano: '1795500001000000000',
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: anyValueOf(value),
    })),
    ...more,
  };
  const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const main = sourceOfText(text);
  const { runs } = await otlpJson.read({ main, companions: [] });
  const [run] = runs;
  const step = run?.steps[0];
  if (run === undefined || step === undefined) throw new Error('no step');
  return { run, step, text };
}

/** What a value of the step says; values lie in the text or are carried inline. */
function said(value: Step['arguments'], text: string): string | null {
  if (value === null || value.state === 'notCaptured') return null;
  if (value.encoding === 'inline') return value.inlineText;
  const { offset = 0, length = 0 } = value.origin ?? {};
  return valueText(value.encoding, text.slice(offset, offset + length));
}

describe('what a span is', () => {
  test.each([
    ['gen_ai.operation.name', 'chat', 'model'],
    ['gen_ai.operation.name', 'generate_content', 'model'],
    ['gen_ai.operation.name', 'text_completion', 'model'],
    ['gen_ai.operation.name', 'fetch_response', 'model'],
    ['gen_ai.operation.name', 'llm_call', 'model'],
    ['gen_ai.operation.name', 'execute_tool', 'tool'],
    ['gen_ai.operation.name', 'tool_call', 'tool'],
    ['gen_ai.operation.name', 'invoke_agent', 'agent'],
    ['gen_ai.operation.name', 'create_agent', 'agent'],
    ['gen_ai.operation.name', 'invoke_workflow', 'agent'],
    ['gen_ai.operation.name', 'retrieval', 'retrieval'],
    ['gen_ai.operation.name', 'embeddings', 'note'],
    ['gen_ai.operation.name', 'plan', 'note'],
    ['gen_ai.operation.name', 'search_memory', 'note'],
    ['gen_ai.operation.name', 'agent_step', 'note'],
    ['mcp.method.name', 'tools/call', 'tool'],
    ['mcp.method.name', 'tools/list', 'protocol'],
    ['mcp.method.name', 'initialize', 'protocol'],
    ['openinference.span.kind', 'LLM', 'model'],
    ['openinference.span.kind', 'llm', 'model'],
    ['openinference.span.kind', 'TOOL', 'tool'],
    ['openinference.span.kind', 'AGENT', 'agent'],
    ['openinference.span.kind', 'RETRIEVER', 'retrieval'],
    ['openinference.span.kind', 'CHAIN', 'note'],
    ['openinference.span.kind', 'EMBEDDING', 'note'],
    ['openinference.span.kind', 'RERANKER', 'note'],
    ['openinference.span.kind', 'GUARDRAIL', 'note'],
    ['openinference.span.kind', 'EVALUATOR', 'note'],
    ['openinference.span.kind', 'PROMPT', 'note'],
    ['traceloop.span.kind', 'tool', 'tool'],
    ['traceloop.span.kind', 'agent', 'agent'],
    ['traceloop.span.kind', 'workflow', 'agent'],
    ['traceloop.span.kind', 'task', 'note'],
    ['traceloop.span.kind', 'session', 'note'],
    ['ai.operationId', 'ai.generateText', 'agent'],
    ['ai.operationId', 'ai.streamText', 'agent'],
    ['ai.operationId', 'ai.generateObject', 'agent'],
    ['ai.operationId', 'ai.generateText.doGenerate', 'model'],
    ['ai.operationId', 'ai.streamText.doStream', 'model'],
    ['ai.operationId', 'ai.toolCall', 'tool'],
    ['llm.request.type', 'chat', 'model'],
    ['gen_ai.tool.name', 'count', 'tool'],
  ] as const)('%s = %s', async (key, value, kind) => {
    expect((await read({ [key]: value })).step.kind).toBe(kind);
  });
});

const MODEL: Attributes = { 'gen_ai.operation.name': 'chat' };
const TOOL: Attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'count' };

describe('a model call', () => {
  test.each([
    'gen_ai.request.model',
    'gen_ai.response.model',
    'llm.model_name',
    'llm.response.model_name',
    'llm.request.model_name',
    'ai.model.id',
    'ai.response.model',
  ])('has its model in %s', async (key) => {
    const { step, run } = await read({ ...MODEL, [key]: 'heron-2' });
    expect([step.model, run.model]).toEqual(['heron-2', 'heron-2']);
  });

  test.each([
    ['inputTokens', 'gen_ai.usage.input_tokens'],
    ['inputTokens', 'gen_ai.usage.prompt_tokens'],
    ['inputTokens', 'llm.token_count.prompt'],
    ['inputTokens', 'llm.usage.prompt_tokens'],
    ['inputTokens', 'ai.usage.inputTokens'],
    ['inputTokens', 'ai.usage.promptTokens'],
    ['outputTokens', 'gen_ai.usage.output_tokens'],
    ['outputTokens', 'gen_ai.usage.completion_tokens'],
    ['outputTokens', 'llm.token_count.completion'],
    ['outputTokens', 'llm.usage.completion_tokens'],
    ['outputTokens', 'ai.usage.outputTokens'],
    ['outputTokens', 'ai.usage.completionTokens'],
    ['cacheReadTokens', 'gen_ai.usage.cache_read.input_tokens'],
    ['cacheReadTokens', 'gen_ai.usage.cache_read_input_tokens'],
    ['cacheReadTokens', 'llm.token_count.prompt_details.cache_read'],
    ['cacheReadTokens', 'ai.usage.cachedInputTokens'],
    ['cacheReadTokens', 'ai.usage.inputTokenDetails.cacheReadTokens'],
    ['cacheWriteTokens', 'gen_ai.usage.cache_creation.input_tokens'],
    ['cacheWriteTokens', 'gen_ai.usage.cache_creation_input_tokens'],
    ['cacheWriteTokens', 'llm.token_count.prompt_details.cache_write'],
    ['cacheWriteTokens', 'ai.usage.inputTokenDetails.cacheWriteTokens'],
  ] as const)('has %s in %s', async (field, key) => {
    // Cached tokens count only beside the others.
    const beside: Attributes = /^cache/.test(field) ? { 'gen_ai.usage.output_tokens': 1 } : {};
    const { step } = await read({ ...MODEL, ...beside, [key]: 41 });
    expect(step.usage?.[field]).toBe(41);
    expect(step.usage?.inputExcludesCache).toBe(false);
  });

  const parts = JSON.stringify([
    { role: 'assistant', parts: [{ type: 'text', content: 'Twelve.' }], finish_reason: 'stop' },
  ]);
  const plain = JSON.stringify([{ role: 'assistant', content: 'Twelve.' }]);
  test.each<[string, Attributes]>([
    ['gen_ai.output.messages', { 'gen_ai.output.messages': parts }],
    ['output.value', { 'output.value': plain }],
    ['traceloop.entity.output', { 'traceloop.entity.output': plain }],
    [
      'llm.output_messages.N',
      {
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': 'Twelve.',
      },
    ],
    [
      'llm.output_messages.N contents',
      {
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.contents.0.message_content.type': 'text',
        'llm.output_messages.0.message.contents.0.message_content.text': 'Twelve.',
      },
    ],
    [
      'gen_ai.completion.N',
      { 'gen_ai.completion.0.role': 'assistant', 'gen_ai.completion.0.content': 'Twelve.' },
    ],
    ['ai.response.text', { 'ai.response.text': 'Twelve.' }],
  ])('has what it said in %s', async (_name, attributes) => {
    const { step, text } = await read({ ...MODEL, ...attributes });
    expect(step.summary).toBe('Twelve.');
    expect(step.content.map(({ value }) => said(value, text))).toContain('Twelve.');
  });

  const asked = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'How many?' }] }]);
  const askedPlain = JSON.stringify([{ role: 'user', content: 'How many?' }]);
  test.each<[string, Attributes]>([
    ['gen_ai.input.messages', { 'gen_ai.input.messages': asked }],
    ['ai.prompt.messages', { 'ai.prompt.messages': askedPlain }],
    ['ai.prompt', { 'ai.prompt': JSON.stringify({ messages: JSON.parse(askedPlain) }) }],
    ['input.value', { 'input.value': askedPlain }],
    ['traceloop.entity.input', { 'traceloop.entity.input': askedPlain }],
    [
      'llm.input_messages.N',
      {
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': 'How many?',
      },
    ],
    ['gen_ai.prompt.N', { 'gen_ai.prompt.0.role': 'user', 'gen_ai.prompt.0.content': 'How many?' }],
  ])('has what it was asked in %s, and so the run its title', async (_name, attributes) => {
    expect((await read({ ...MODEL, ...attributes })).run.title).toBe('How many?');
  });

  test.each(['gen_ai.conversation.id', 'session.id', 'ai.telemetry.metadata.sessionId'])(
    'belongs to the conversation in %s',
    async (key) => {
      expect((await read({ ...MODEL, [key]: 'c-7' })).run.naturalId).toBe('c-7');
    },
  );
});

describe('a tool call', () => {
  test.each<[string, Attributes]>([
    ['gen_ai.tool.name', TOOL],
    ['ai.toolCall.name', { 'ai.operationId': 'ai.toolCall', 'ai.toolCall.name': 'count' }],
    ['tool.name', { 'openinference.span.kind': 'TOOL', 'tool.name': 'count' }],
    ['traceloop.entity.name', { 'traceloop.span.kind': 'tool', 'traceloop.entity.name': 'count' }],
    ['gen_ai.tool.name of MCP', { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'count' }],
    ['mcp.tool.name', { 'mcp.method.name': 'tools/call', 'mcp.tool.name': 'count' }],
  ])('has its name in %s', async (_name, attributes) => {
    expect((await read(attributes)).step).toMatchObject({ kind: 'tool', tool: 'count' });
  });

  test.each([
    'gen_ai.tool.call.id',
    'gen_ai.tool.call_id',
    'ai.toolCall.id',
    'tool.id',
    'tool_call.id',
    'mcp.request.id',
    'jsonrpc.request.id',
  ])('has its id in %s', async (key) => {
    expect((await read({ ...TOOL, [key]: 'call_1' })).step.callId).toBe('call_1');
  });

  test.each([
    'gen_ai.tool.call.arguments',
    'ai.toolCall.args',
    'ai.toolCall.input',
    'traceloop.entity.input',
    'input.value',
    'mcp.request.argument',
    'tool.parameters',
    'tool_arguments',
  ])('has its arguments in %s, number for number', async (key) => {
    const { step, text } = await read({ ...TOOL, [key]: '{"bay":9007199254740993,"x":1.0}' });
    expect(said(step.arguments, text)).toBe('{"bay":9007199254740993,"x":1.0}');
  });

  test.each([
    'gen_ai.tool.call.result',
    'ai.toolCall.result',
    'ai.toolCall.output',
    'traceloop.entity.output',
    'output.value',
    'mcp.response.value',
    'tool_response',
  ])('has its result in %s', async (key) => {
    const { step, text } = await read({ ...TOOL, [key]: '{"crates":12}' });
    expect(said(step.result, text)).toBe('{"crates":12}');
    expect(step.status).toBe('ok');
  });

  test('failed with error.type, or with status 2', async () => {
    expect((await read({ ...TOOL, 'error.type': 'tool_error' })).step.status).toBe('error');
    const status = { status: { code: 2, message: 'locked' } };
    expect((await read(TOOL, status)).step).toMatchObject({
      status: 'error',
      statusReason: 'locked',
    });
    const rpc = { 'mcp.method.name': 'tools/call', 'rpc.response.status_code': '-32602' };
    expect((await read({ ...TOOL, ...rpc }, status)).step.status).toBe('protocolError');
  });

  test.each(['mcp.server.name', 'gen_ai.tool.server.name', 'mcp.server'])(
    'has its server in %s',
    async (key) => {
      expect((await read({ ...TOOL, [key]: 'yard' })).step.server).toBe('yard');
    },
  );
});

test.each(['gen_ai.agent.name', 'agent.name', 'traceloop.entity.name'])(
  'an agent has its name in %s',
  async (key) => {
    const { step } = await read({ 'gen_ai.operation.name': 'invoke_agent', [key]: 'wheelwright' });
    expect(step.name).toBe('wheelwright');
  },
);
