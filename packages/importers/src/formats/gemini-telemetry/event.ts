import { type ContentPart, notCaptured, type StepStatus, type Usage } from '@misstep/model';
import type { JsonView } from '../../json-view.ts';
import { firstLine } from '../../one-line.ts';
import { type RecordFate, SetAside } from '../../record-ledger.ts';
import type { Moment, RunWriter } from '../../run-writer.ts';
import { decimalToNs, readTime } from '../../source-time.ts';
import {
  type Attributes,
  attribute,
  countAttribute,
  textAttribute,
} from '../../span-attributes.ts';

const REQUEST = new SetAside('a request to the model, of which its answer tells');
const CONVENTIONS = new SetAside('the same request or answer in the words of the conventions');
const CLIENT = new SetAside('a setting or a state of the client');

/** Turns one event into steps. Names without the program's own beginning are OpenTelemetry's. */
export function addEvent(
  writer: RunWriter,
  record: JsonView,
  name: string,
  attributes: Attributes,
): RecordFate {
  const at = momentOf(record, attributes);
  switch (name.replace(/^gemini_cli\./, '')) {
    case 'user_prompt':
      addPrompt(writer, record, attributes, at);
      return null;
    case 'api_response':
    case 'api_error':
      addAnswer(writer, record, attributes, at, name.endsWith('error'));
      return null;
    case 'tool_call':
      addCall(writer, record, attributes, at);
      return null;
    case 'chat_compression': {
      const [before, after] = ['tokens_before', 'tokens_after'].map((key) =>
        countAttribute(attributes, key),
      );
      writer.step(record.origin, at, {
        kind: 'context',
        name: 'Context compacted',
        summary: `${before ?? '?'} to ${after ?? '?'} tokens`,
      });
      return null;
    }
    case 'tool_output_truncated': {
      const tool = textAttribute(attributes, 'tool_name') ?? '';
      writer.note(record.origin, at, 'Output truncated', [], tool);
      return null;
    }
    case 'agent.start':
    case 'agent.finish': {
      const agent = textAttribute(attributes, 'agent_name') ?? '';
      const isStart = name.endsWith('start');
      writer.note(record.origin, at, isStart ? 'Agent started' : 'Agent ended', [], agent);
      return null;
    }
    case 'api_request':
      return REQUEST;
    case 'gen_ai.client.inference.operation.details':
      return CONVENTIONS;
    default:
      return CLIENT;
  }
}

function addPrompt(
  writer: RunWriter,
  record: JsonView,
  attributes: Attributes,
  at: Moment | null,
): void {
  const prompt = attribute(attributes, 'prompt');
  const length = countAttribute(attributes, 'prompt_length');
  const value = prompt === null ? notCaptured('logged') : prompt.value('logged');
  const text = prompt?.text ?? `(${length ?? '?'} characters, not recorded)`;
  writer.userTurn(record.origin, at, [{ kind: 'text', value }], text);
}

/** The event comes when the answer has; it says how long that took. */
function addAnswer(
  writer: RunWriter,
  record: JsonView,
  attributes: Attributes,
  at: Moment | null,
  isError: boolean,
): void {
  const model = textAttribute(attributes, 'model', 'model_name');
  writer.model ??= model;
  const text = attribute(attributes, 'response_text');
  const { content, said, calls } = partsOf(text);
  const step = writer.step(record.origin, at, {
    kind: 'model',
    name: 'Model call',
    model,
    usage: usageOf(attributes),
    content,
    summary: firstLine(said) || (calls.length > 0 ? `calls ${calls.join(', ')}` : ''),
  });
  lasted(writer, step, at, attributes);
  if (!isError) return;
  step.status = 'error';
  step.statusReason =
    firstLine(textAttribute(attributes, 'error.message', 'error', 'error_type') ?? '', 200) ||
    'The request failed.';
}

/** Answers stand as JSON in a string: the chunks of the stream, each with its candidates. */
function partsOf(text: JsonView | null): { content: ContentPart[]; said: string; calls: string[] } {
  const content: ContentPart[] = [];
  const calls: string[] = [];
  let said = '';
  const held = text?.inner() ?? null;
  const chunks = held === null ? [] : held.isArray ? held.items : [held];
  for (const chunk of chunks) {
    for (const candidate of chunk.get('candidates')?.items ?? []) {
      for (const part of candidate.at('content', 'parts')?.items ?? []) {
        const call = part.at('functionCall', 'name')?.text ?? null;
        const words = part.get('text');
        if (call !== null) calls.push(call);
        else if (words !== undefined) {
          const isThought = part.get('thought')?.isTrue ?? false;
          content.push({ kind: isThought ? 'thinking' : 'text', value: words.value('logged') });
          if (!isThought) said += words.text ?? '';
        }
      }
    }
  }
  if (text !== null && content.length === 0 && calls.length === 0) {
    content.push({ kind: 'other', value: text.value('logged') });
  }
  return { content, said, calls };
}

/** Input holds what came from the cache; thoughts are counted apart from the answer. */
function usageOf(attributes: Attributes): Usage | null {
  const inputTokens = countAttribute(attributes, 'input_token_count');
  const output = countAttribute(attributes, 'output_token_count');
  if (inputTokens === null && output === null) return null;
  const thoughts = countAttribute(attributes, 'thoughts_token_count') ?? 0;
  return {
    inputTokens,
    outputTokens: output === null ? null : output + thoughts,
    cacheReadTokens: countAttribute(attributes, 'cached_content_token_count'),
    cacheWriteTokens: null,
    inputExcludesCache: false,
  };
}

function addCall(
  writer: RunWriter,
  record: JsonView,
  attributes: Attributes,
  at: Moment | null,
): void {
  const written = textAttribute(attributes, 'function_name') ?? 'tool';
  const server = textAttribute(attributes, 'mcp_server_name');
  const prefix = `mcp_${server}_`;
  const tool =
    server !== null && written.startsWith(prefix) ? written.slice(prefix.length) : written;
  const given = attribute(attributes, 'function_args');
  const step = writer.call(record.origin, {
    name: tool || written,
    server,
    tool: tool || written,
    callId: null,
    arguments: given === null ? notCaptured('logged') : given.value('logged'),
    summary: firstLine((given?.text ?? '').replace(/\s+/g, ' ')),
    at,
  });
  const { status, reason } = verdictOf(attributes);
  writer.settle(step, status, reason ?? '');
  step.statusReason = reason;
  step.result = notCaptured('logged');
  lasted(writer, step, at, attributes);
}

function verdictOf(attributes: Attributes): { status: StepStatus; reason: string | null } {
  const isSuccess = attributes.get('success')?.isTrue ?? false;
  const decision = textAttribute(attributes, 'decision');
  const error = textAttribute(attributes, 'error', 'error_type');
  if (decision === 'reject') {
    return { status: 'rejected', reason: 'A person rejected the call; it never reached the tool.' };
  }
  if (isSuccess) return { status: 'ok', reason: null };
  return {
    status: 'error',
    reason: firstLine(error ?? '', 200) || 'The event says that it failed.',
  };
}

function lasted(
  writer: RunWriter,
  step: ReturnType<RunWriter['step']>,
  at: Moment | null,
  attributes: Attributes,
): void {
  const written = attributes.get('duration_ms')?.number ?? '';
  const durationNs = decimalToNs(written, 'ms');
  if (at === null || durationNs === null || durationNs < 0n) return;
  writer.deriveTime(step, { ...at, ns: at.ns - durationNs }, at);
  step.time.startedAtText = null;
}

function momentOf(record: JsonView, attributes: Attributes): Moment | null {
  const stated = readTime(textAttribute(attributes, 'event.timestamp') ?? '');
  if (stated !== null) return stated;
  const [seconds, nanos] = record.get('hrTime')?.items ?? [];
  const whole = decimalToNs(seconds?.number ?? '', 's');
  const rest = decimalToNs(nanos?.number ?? '', 'ns');
  if (whole === null || rest === null) return null;
  return { clock: 'zoned', ns: whole + rest, text: record.get('hrTime')?.written ?? '' };
}
