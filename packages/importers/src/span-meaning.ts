import type { CapturedValue, ContentPart, Elision, Step, StepKind, Usage } from '@misstep/model';
import { notCaptured } from '@misstep/model';
import { resultText } from './call-verdict.ts';
import type { ChatMessage } from './chat-parts.ts';
import { partOf, summaryOf } from './chat-run.ts';
import { CUT_SHORT, isCutJson } from './cut-json.ts';
import type { JsonView } from './json-view.ts';
import type { KeptSpan } from './kept-span.ts';
import { withLangfuse } from './langfuse-facts.ts';
import { firstLine, oneLine } from './one-line.ts';
import {
  type Attributes,
  attribute,
  attributeKey,
  countAttribute,
  textAttribute,
  unflattened,
} from './span-attributes.ts';
import { kindOfSpan, toolOfSpan } from './span-kind.ts';
import { INPUTS, messagesOf, OUTPUTS } from './span-messages.ts';
import { statedUsd } from './stated-cost.ts';
import { answerOfTool, argumentsOfTool, callIdOfTool } from './tool-message.ts';
import type { TraceSpan } from './trace-span.ts';

/** What a span is as a step. */
export interface SpanMeaning {
  readonly kind: StepKind;
  readonly name: string;
  readonly server: string | null;
  readonly tool: string | null;
  readonly callId: string | null;
  readonly model: string | null;
  readonly arguments: CapturedValue | null;
  readonly argumentsPlace: JsonView | null;
  readonly result: CapturedValue | null;
  readonly resultPlace: JsonView | null;
  readonly content: ContentPart[];
  readonly usage: Usage | null;
  readonly recordedCostUsd: string | null;
  readonly summary: string;
  /** What the model answered, and what it was given: calls and results are looked for in them. */
  readonly outputs: readonly ChatMessage[];
  readonly inputs: readonly ChatMessage[];
}

/** A span with the step made of it, and what its calls are found by. */
export interface SpanStep {
  readonly span: KeptSpan;
  readonly step: Step;
  /** What the span itself says; its step may turn out to be something else. */
  readonly kind: StepKind;
  readonly callId: string | null;
}

const ARGUMENT_KEYS = [
  'gen_ai.tool.call.arguments',
  'ai.toolCall.args',
  'ai.toolCall.input',
  'traceloop.entity.input',
  'input.value',
  'mcp.request.argument',
  'tool.parameters',
  'tool_arguments',
];
const RESULT_KEYS = [
  'gen_ai.tool.call.result',
  'ai.toolCall.result',
  'ai.toolCall.output',
  'traceloop.entity.output',
  'output.value',
  'mcp.response.value',
  'tool_response',
];

/** All of a span, also what Langfuse's own attributes state. */
export async function wholeOf(span: KeptSpan): Promise<TraceSpan> {
  return withLangfuse(await span.whole());
}

/** Reads a span by whichever conventions it keeps. */
export function meaningOf(span: TraceSpan): SpanMeaning {
  const { attributes, stated = {} } = span;
  const kind = kindOfSpan(span);
  const { server, tool, name } = toolOfSpan(span, kind);
  const isModel = kind === 'model';
  const inputs = isModel || kind === 'agent' ? messagesOf(span, INPUTS) : [];
  const outputs = isModel || kind === 'agent' ? messagesOf(span, OUTPUTS) : [];
  const isCall = kind === 'tool' || kind === 'protocol' || kind === 'retrieval';
  const handed = isCall
    ? (stated.input ?? unwrapEntity(attribute(attributes, ...ARGUMENT_KEYS)))
    : null;
  const argumentsPlace = handed === null ? null : argumentsOfTool(handed);
  const given = isCall ? (stated.output ?? attribute(attributes, ...RESULT_KEYS)) : null;
  const resultPlace = given === null ? null : answerOfTool(given);
  const content = isCall ? [] : contentOf(span, outputs);
  // What is said to a model and by it is opt-in for most tracers: not recorded is not empty.
  if (!isCall && (isElsewhere(span) || (isModel && content.length === 0))) {
    content.push({ kind: 'other', value: notCaptured('logged'), name: 'messages' });
  }
  const said = outputs.flatMap(({ parts }) => parts.flatMap(({ text }) => text ?? [])).join('\n');
  const calls = outputs.flatMap((message) => message.calls.map((call) => call.name));
  return {
    kind,
    name,
    server,
    tool,
    callId:
      stated.callId ??
      textAttribute(
        attributes,
        'gen_ai.tool.call.id',
        'gen_ai.tool.call_id',
        'ai.toolCall.id',
        'tool.id',
        'tool_call.id',
        'mcp.request.id',
        'jsonrpc.request.id',
      ) ??
      (kind === 'tool'
        ? (callIdOfTool(handed, given) ?? textAttribute(attributes, 'tool_call_id', 'toolCallId'))
        : null),
    model: isModel ? (stated.model ?? modelOf(attributes)) : null,
    arguments: argumentsPlace === null ? missing(kind) : capturedValue(argumentsPlace),
    argumentsPlace,
    result: resultPlace === null ? missingResult(span, kind) : capturedValue(resultPlace),
    resultPlace,
    content,
    usage: stated.usage ?? (isModel || kind === 'agent' ? usageOf(attributes) : null),
    recordedCostUsd: stated.recordedCostUsd ?? (isModel ? costOf(attributes) : null),
    summary:
      argumentsPlace !== null
        ? summaryOf(argumentsPlace)
        : firstLine(said) ||
          (calls.length > 0 ? oneLine(`calls ${calls.join(', ')}`) : '') ||
          firstLine(resultText(content[0] === undefined ? undefined : firstPlace(span))),
    inputs,
    outputs,
  };
}

const isElsewhere = ({ stated }: TraceSpan): boolean =>
  stated?.elsewhere?.input === true || stated?.elsewhere?.output === true;

/** Arguments are opt-in for most tracers: a call without them is not a call without arguments. */
function missing(kind: StepKind): CapturedValue | null {
  return kind === 'tool' ? notCaptured('logged') : null;
}

/** Likewise of its result, which only calls have that came back and didn't fail. */
function missingResult(
  { end, status, attributes }: TraceSpan,
  kind: StepKind,
): CapturedValue | null {
  const cameBack = end !== null && status !== 'error' && !attributes.has('error.type');
  return kind === 'tool' && cameBack ? notCaptured('logged') : null;
}

/** OpenInference writes hidden values as `__REDACTED__`. */
export function capturedValue(place: JsonView): CapturedValue {
  const value = place.value('logged', cutsOf(place));
  return place.text === '__REDACTED__' ? { ...value, state: 'redacted' } : value;
}

const CUT = /(?:\.\.\.|…) ?\[(?:truncated|(\d{1,9}) (?:more )?char(?:acter)?s?[^\]]{0,40})\]$/i;

/** What Langfuse writes in place of a value that is too large for it. */
const WHOLE_CUT = '<truncated due to size exceeding limit>';

/** Marks that exporters leave where they cut a value. */
export function cutsOf(place: JsonView): Elision[] {
  const text = place.text;
  if (text === WHOLE_CUT) return [{ pointer: '', kind: 'value', count: null, marker: text }];
  const match = text === null ? null : CUT.exec(text.slice(-80));
  if (match === null) return isCutJson(text) ? [CUT_SHORT] : [];
  const count = match[1] === undefined ? null : Number(match[1]);
  return [{ pointer: '', kind: 'characters', count, marker: match[0] }];
}

/** Traceloop wraps what a function was given: `{"args":[..],"kwargs":{..}}`. */
function unwrapEntity(place: JsonView | null): JsonView | null {
  if (place === null) return null;
  const wrapped = place.text === null ? place : place.inner();
  const entries = wrapped?.entries;
  const args = entries?.get('args');
  const kwargs = entries?.get('kwargs');
  const known =
    entries !== undefined && [...entries.keys()].every((key) => /^(kw)?args$/.test(key));
  if (!known || args === undefined || kwargs === undefined) return place;
  if (args.items.length === 0) return kwargs;
  const only = args.items.length === 1 && kwargs.entries.size === 0 ? args.items[0] : undefined;
  return only ?? place;
}

function modelOf(attributes: Attributes): string | null {
  return textAttribute(
    attributes,
    'gen_ai.response.model',
    'gen_ai.request.model',
    'llm.response.model_name',
    'llm.model_name',
    'llm.request.model_name',
    'ai.response.model',
    'ai.model.id',
  );
}

function usageOf(attributes: Attributes): Usage | null {
  const inputTokens = countAttribute(
    attributes,
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'llm.usage.prompt_tokens',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
  );
  const outputTokens = countAttribute(
    attributes,
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'llm.usage.completion_tokens',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  );
  if (inputTokens === null && outputTokens === null) return null;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: countAttribute(
      attributes,
      'gen_ai.usage.cache_read.input_tokens',
      'gen_ai.usage.cache_read_input_tokens',
      'llm.token_count.prompt_details.cache_read',
      'ai.usage.cachedInputTokens',
      'ai.usage.inputTokenDetails.cacheReadTokens',
    ),
    cacheWriteTokens: countAttribute(
      attributes,
      'gen_ai.usage.cache_creation.input_tokens',
      'gen_ai.usage.cache_creation_input_tokens',
      'llm.token_count.prompt_details.cache_write',
      'ai.usage.inputTokenDetails.cacheWriteTokens',
    ),
    // The conventions: input tokens hold the cached ones.
    inputExcludesCache: false,
  };
}

function costOf(attributes: Attributes): string | null {
  const keys = ['llm.cost.total', 'gen_ai.usage.cost', 'operation.cost'];
  return statedUsd(attribute(attributes, ...keys) ?? undefined);
}

const SYSTEM_KEY = 'gen_ai.system_instructions';
const GIVEN_KEYS = [...INPUTS.structured, SYSTEM_KEY];
const SAID_KEYS = [...OUTPUTS.structured, 'ai.response.text'];

function firstPlace({ attributes, stated }: TraceSpan): JsonView | undefined {
  const own = stated?.output ?? stated?.input;
  return own ?? attribute(attributes, ...SAID_KEYS, ...GIVEN_KEYS) ?? undefined;
}

/** Parts of one step that are no speech are told apart by what the recording calls them. */
function named(name: string | undefined): { name?: string } {
  return name === undefined ? {} : { name };
}

/** What was said, part by part, and what was given as a whole. */
function contentOf(span: TraceSpan, outputs: readonly ChatMessage[]): ContentPart[] {
  const { attributes, record } = span;
  const content = outputs.flatMap(({ parts }) => parts.map(partOf));
  const said =
    content.length > 0 ? null : (span.stated?.output ?? attribute(attributes, ...SAID_KEYS));
  if (said !== null) {
    const kind = said.text === null || outputs.length > 0 ? 'other' : 'text';
    const name = span.stated?.output === undefined ? attributeKey(attributes, SAID_KEYS) : 'output';
    content.push({ kind, value: capturedValue(said), ...named(name) });
  }
  const system = attribute(attributes, SYSTEM_KEY);
  if (system !== null) {
    content.push({ kind: 'other', value: capturedValue(system), name: SYSTEM_KEY });
  }
  const before = content.length;
  const given = span.stated?.input ?? attribute(attributes, ...INPUTS.structured);
  if (given !== null) {
    const name =
      span.stated?.input === undefined ? attributeKey(attributes, INPUTS.structured) : 'input';
    content.push({ kind: 'other', value: capturedValue(given), ...named(name) });
  } else {
    for (const prefix of INPUTS.flattened) {
      const list = unflattened(attributes, prefix, record.origin);
      if (list !== null) content.push({ kind: 'other', value: list.value('logged'), name: prefix });
    }
  }
  // Events that tell the same again add nothing to what the attributes hold.
  if (content.length > before) return content;
  for (const message of span.messages) {
    if (message.output) continue;
    content.push({ kind: 'other', value: message.place.value('logged'), name: 'input message' });
  }
  return content;
}
