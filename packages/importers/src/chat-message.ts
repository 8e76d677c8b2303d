import { addText, blockType, isSet, readBlock, readUiTool } from './chat-block.ts';
import type { ChatMessage, ChatRole } from './chat-parts.ts';
import type { JsonView } from './json-view.ts';
import { NO_CONTENT, type RecordFate } from './record-ledger.ts';

const ROLES: ReadonlyMap<string, ChatRole> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['ai', 'assistant'],
  ['aimessagechunk', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['ipython', 'tool'],
  // AutoGen's classes without `Message`.
  ['functionexecutionresult', 'tool'],
]);

/** Types of entries that stand among messages and aren't messages with a role (OpenAI Responses). */
const ITEM_TYPES =
  /^(function_call|function_call_output|function_call_result|custom_tool_call|custom_tool_call_output|reasoning|item_reference|mcp_call|mcp_list_tools|mcp_approval_request|mcp_approval_response|compaction|image_generation_call|(web_search|file_search|computer|code_interpreter|local_shell|shell|apply_patch)_call(_output)?)$/;

/** An entry of the Responses API that is one thing of an answer and has no role. */
export function isResponseItem(place: JsonView): boolean {
  return place.get('role') === undefined && ITEM_TYPES.test(place.get('type')?.text ?? '');
}

/**
 * Reads one message of a conversation: OpenAI chat completions and Responses items, Anthropic,
 * OpenTelemetry GenAI parts, OpenInference, AI SDK, LangChain and Gemini shapes. Null where the
 * value is none of them.
 */
export function readChatMessage(given: JsonView): ChatMessage | null {
  if (!given.isObject) return null;
  const place = messageBody(given);
  const type = place.get('type')?.text ?? '';
  const made = {
    parts: [],
    calls: [],
    results: [],
    tools: [],
    place: given,
  } satisfies Partial<ChatMessage>;
  if (isResponseItem(place)) {
    const role = /_(output|result)$/.test(type) ? 'tool' : 'assistant';
    const message: ChatMessage = { ...made, role, speaker: null };
    readBlock(message, place);
    return message;
  }
  const written = roleOf(given, place);
  if (written === null) return null;
  const role = ROLES.get(written.toLowerCase()) ?? 'other';
  const message: ChatMessage = { ...made, role, speaker: place.get('name')?.text ?? written };
  readBody(message, place);
  return message;
}

/** What becomes of a message as a record: an answer counts also where it says nothing. */
export function fateOfMessage(message: ChatMessage | null): RecordFate {
  if (message === null) return 'no message';
  const { role, parts, calls, results, tools } = message;
  const says = parts.length + calls.length + results.length + tools.length > 0;
  return says || role === 'assistant' ? null : NO_CONTENT;
}

/** Messages wrapped once more: OpenInference `{message}`, LangChain's `kwargs` and `data`. */
function messageBody(place: JsonView): JsonView {
  const isConstructor = place.get('lc') !== undefined || place.get('type')?.text === 'constructor';
  const wrapped = isConstructor ? place.get('kwargs') : (place.get('data') ?? place.get('message'));
  const bare = place.get('role') === undefined && place.get('content') === undefined;
  return wrapped?.isObject === true && bare ? wrapped : place;
}

function roleOf(given: JsonView, place: JsonView): string | null {
  const role = place.get('role')?.text;
  if (role !== undefined && role !== null) return role;
  // LangChain's classes: `HumanMessage`, `AIMessageChunk` as the last of an id, or a `type`.
  const className = given.get('id')?.items.at(-1)?.text ?? null;
  const type = className ?? given.get('type')?.text ?? place.get('type')?.text ?? null;
  if (type === null) return null;
  const short = type.replace(/Message(Chunk)?$/, '').toLowerCase();
  return ROLES.has(short) && (place.get('content') !== undefined || className !== null)
    ? short
    : null;
}

/** A value without a role of its own, read as a message of this role. */
export function readAs(role: ChatRole, speaker: string | null, place: JsonView): ChatMessage {
  const message: ChatMessage = {
    role,
    speaker,
    parts: [],
    calls: [],
    results: [],
    tools: [],
    place,
  };
  readBody(message, place);
  return message;
}

/** Text or a list of blocks, read as the content of a message of this role. */
export function readContent(
  role: ChatRole,
  content: JsonView | undefined,
  place: JsonView,
): ChatMessage {
  const message: ChatMessage = {
    role,
    speaker: null,
    parts: [],
    calls: [],
    results: [],
    tools: [],
    place,
  };
  for (const block of content?.isArray === true ? content.items : [content]) {
    if (block !== undefined && !block.isNull) readBlock(message, block);
  }
  return message;
}

function readBody(message: ChatMessage, place: JsonView): void {
  const reasoning = place.firstOf('reasoning_content', 'reasoning', 'thinking');
  if (typeof reasoning?.text === 'string' && reasoning.text !== '') {
    message.parts.push({ kind: 'thinking', place: reasoning, text: null, redacted: false });
  }
  for (const block of place.get('thinking_blocks')?.items ?? []) readBlock(message, block);
  if (message.role === 'tool' && readToolMessage(message, place)) return;
  for (const key of ['parts', 'content', 'contents']) {
    const content = place.get(key);
    if (content === undefined || content.isNull) continue;
    if (content.isArray) for (const block of content.items) readBlock(message, block);
    else if (content.text !== null) addText(message, content);
    else readBlock(message, content);
    if (key === 'parts' && message.parts.length + message.calls.length > 0) break;
  }
  const refusal = place.get('refusal');
  if (typeof refusal?.text === 'string') addText(message, refusal);
  const inContent = message.calls.length;
  for (const call of place.get('tool_calls')?.items ?? []) addCall(message, call);
  for (const call of place.get('toolCalls')?.items ?? []) addCall(message, call);
  dropToldTwice(message.calls, inContent);
  for (const call of place.get('invalid_tool_calls')?.items ?? []) addCall(message, call);
  // The AI SDK before 5 lists calls with their results beside the text, and again in the parts.
  const invocations = message.calls.length === 0 ? place.get('toolInvocations') : undefined;
  for (const call of invocations?.items ?? []) readUiTool(message, call, call, null);
  const single = place.get('function_call');
  if (single?.isObject === true && message.calls.length === 0) addCall(message, single);
  const extra = place.at('additional_kwargs', 'tool_calls');
  if (message.calls.length === 0) for (const call of extra?.items ?? []) addCall(message, call);
}

/**
 * LangChain keeps a provider's blocks as they came and lists their calls again beside them. The list goes
 * before the blocks: where an answer was streamed, those hold the arguments in pieces, or not at all.
 */
function dropToldTwice(calls: ChatMessage['calls'], inContent: number): void {
  if (inContent === 0 || inContent === calls.length) return;
  for (let at = inContent - 1; at >= 0; at -= 1) {
    const id = calls[at]?.id ?? null;
    const again = id === null ? -1 : calls.findIndex((call, place) => place > at && call.id === id);
    const listed = again < inContent ? undefined : calls[again];
    if (listed === undefined) continue;
    calls.splice(again, 1);
    calls[at] = listed;
  }
}

/** A call as OpenAI, OpenInference, LangChain, Traceloop and Inspect write it. */
function addCall(message: ChatMessage, given: JsonView): void {
  // A number or null among calls is none.
  if (given.node.kind !== 'object' || given.node.members.length === 0) return;
  const place = given.get('tool_call') ?? given;
  const body = place.firstOf('function', 'custom');
  const holder = body?.isObject === true ? body : place;
  const name = holder.firstOf('name', 'toolName')?.text ?? body?.text ?? '';
  const id = (place.firstOf('id', 'tool_call_id', 'toolCallId') ?? given.get('id'))?.text ?? null;
  message.calls.push({
    id: id === '' ? null : id,
    name,
    server: null,
    arguments: holder.firstOf('arguments', 'args', 'input') ?? holder.get('arguments'),
    place: given,
  });
}

/** A message that is itself a result; false where its content holds results as blocks. */
function readToolMessage(message: ChatMessage, place: JsonView): boolean {
  const content = place.get('content') ?? place.get('parts');
  const hasBlocks =
    content?.items.some(
      (item) => /tool|functionResponse/i.test(blockType(item)) || item.get('call_id') !== undefined,
    ) === true;
  if (hasBlocks || content === undefined) return false;
  const status = place.get('status')?.text ?? null;
  const flag = place.firstOf('is_error', 'isError', 'error');
  const isError = flag === undefined ? (status === null ? null : status === 'error') : isSet(flag);
  message.results.push({
    // tau2 names the call by the message's own id.
    callId:
      place.firstOf('tool_call_id', 'toolCallId', 'call_id')?.text ??
      (place.get('requestor') === undefined ? null : (place.get('id')?.text ?? null)),
    name: place.get('name')?.text ?? place.get('function')?.text ?? null,
    content,
    isError,
    refused: false,
    ...(flag?.isObject === true ? { reason: reasonOf(flag) } : {}),
    place: message.place,
  });
  return true;
}

/** An error object beside a result: its type and its message. */
function reasonOf(error: JsonView): string {
  const type = error.get('type')?.text ?? 'error';
  const said = error.get('message')?.text ?? '';
  return said === '' ? type : `${type}: ${said}`;
}
