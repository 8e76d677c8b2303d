import type { ContentPart } from '@misstep/model';
import type { ChatMessage } from './chat-parts.ts';
import type { JsonView } from './json-view.ts';

/** Adds a content block (or an item of the Responses API) to the message that holds it. */
export function readBlock(message: ChatMessage, given: JsonView): void {
  if (given.text !== null) {
    addText(message, given);
    return;
  }
  // OpenInference wraps every block once more.
  const block = given.get('message_content') ?? given;
  const type = blockType(block);
  if (readCallBlock(message, block, type) || readResultBlock(message, block, type)) return;
  const text = textOf(block, type);
  if (text !== undefined && (isThinking(type) || block.get('thought')?.isTrue === true)) {
    message.parts.push({ kind: 'thinking', place: text, text: null, redacted: false });
  } else if (text !== undefined) {
    addText(message, text);
  } else if (isThinking(type)) {
    readThinking(message, block, type);
  } else if (type !== 'step-start') {
    message.parts.push({ kind: mediaKind(type), place: block, text: null, redacted: false });
  }
}

const isThinking = (type: string): boolean => /thinking|reasoning/.test(type);

function readThinking(message: ChatMessage, block: JsonView, type: string): void {
  const summaries = [
    ...(block.get('summary')?.items ?? []),
    ...(block.get('content')?.items ?? []),
  ];
  const texts = summaries.flatMap((each) => each.get('text') ?? []);
  for (const place of texts) {
    message.parts.push({ kind: 'thinking', place, text: null, redacted: false });
  }
  if (texts.length > 0) return;
  const hidden =
    type === 'redacted_thinking' || block.firstOf('encrypted_content', 'data') !== undefined;
  message.parts.push({ kind: 'thinking', place: block, text: null, redacted: hidden });
}

function textOf(block: JsonView, type: string): JsonView | undefined {
  const keys = isThinking(type)
    ? ['thinking', 'reasoning', 'text', 'content']
    : /^((input|output)_)?text$|^$|^refusal$|^markdown$/.test(type)
      ? ['text', 'content', 'refusal']
      : [];
  for (const key of keys) {
    const found = block.get(key);
    if (found?.text !== undefined && found.text !== null) return found;
  }
  return undefined;
}

function mediaKind(type: string): ContentPart['kind'] {
  if (/image|inlineData/.test(type)) return 'image';
  return /^(document|file|input_file|fileData|uri|blob)$/.test(type) ? 'document' : 'other';
}

/** Blocks that ask for a call. A block may hold its result as well (`mcp_call`, UI messages). */
function readCallBlock(message: ChatMessage, block: JsonView, type: string): boolean {
  if (type === 'functionCall') {
    addCallBlock(message, block, block.get('functionCall') ?? block, null);
    return true;
  }
  if (type === 'tool-invocation') {
    readUiTool(message, block, block.get('toolInvocation') ?? block, null);
    return true;
  }
  if (type === 'dynamic-tool' || (type.startsWith('tool-') && block.get('toolCallId'))) {
    if (type !== 'tool-call' && type !== 'tool-result') {
      readUiTool(message, block, block, type === 'dynamic-tool' ? null : type.slice(5));
      return true;
    }
  }
  if (type === 'mcp_call') {
    addCallBlock(message, block, block, null);
    const failed = block.get('error');
    const isError = failed !== undefined && !failed.isNull;
    const content = isError ? failed : block.get('output');
    const done = isError || (content !== undefined && !content.isNull);
    if (done) {
      const said = isError ? failed.get('message')?.text : undefined;
      const callId = block.get('id')?.text ?? null;
      addResult(message, block, callId, content, isError, said ?? undefined);
    }
    return true;
  }
  if (type === 'mcp_list_tools') {
    const server = block.get('server_label')?.text ?? null;
    for (const place of block.get('tools')?.items ?? []) message.tools.push({ server, place });
    return true;
  }
  const isCall =
    /^(tool_use|tool_call|tool-call|function_call|custom_tool_call|(server|mcp)_tool_use|server_tool_call|toolCall)$/;
  if (type === 'mcp_approval_request') {
    addCallBlock(message, block, block, null);
    return true;
  }
  const isHosted =
    /^(web_search|file_search|computer|code_interpreter|local_shell|shell|apply_patch|image_generation|tool_search)_call$/;
  if (!isCall.test(type) && !isHosted.test(type)) return false;
  addCallBlock(message, block, block, isHosted.test(type) ? type.replace(/_call$/, '') : null);
  // Those with an id of the call have their result in an item of its own.
  const ownResult = isHosted.test(type) && block.get('call_id') === undefined;
  if (ownResult && block.get('status')?.text === 'completed') {
    const content = block.firstOf('results', 'outputs', 'output', 'result');
    addResult(message, block, block.get('id')?.text ?? null, content, null);
  }
  return true;
}

function addCallBlock(
  message: ChatMessage,
  block: JsonView,
  body: JsonView,
  hostedName: string | null,
): void {
  const id = body.firstOf('call_id', 'callId', 'id', 'toolCallId', 'tool_call_id')?.text ?? null;
  message.calls.push({
    id: id === '' ? null : id,
    name: hostedName ?? body.firstOf('name', 'toolName', 'tool_name')?.text ?? '',
    server: body.firstOf('server_label', 'server_name')?.text ?? null,
    goesOn: body.get('approval_request_id')?.text ?? null,
    arguments: body.firstOf('arguments', 'input', 'args', 'action', 'code', 'queries'),
    place: block,
  });
}

/** A tool part of the AI SDK's UI messages: call and result in one. */
export function readUiTool(
  message: ChatMessage,
  block: JsonView,
  body: JsonView,
  name: string | null,
): void {
  const id = body.get('toolCallId')?.text ?? null;
  const state = body.get('state')?.text ?? '';
  message.calls.push({
    id,
    name: name ?? body.get('toolName')?.text ?? '',
    server: null,
    arguments: body.firstOf('input', 'args', 'rawInput'),
    place: block,
  });
  if (state === 'output-error') addResult(message, block, id, body.get('errorText'), true);
  else if (state === 'output-denied') {
    const reason = body.at('approval', 'reason') ?? body.get('approval');
    message.results.push({
      callId: id,
      name: null,
      content: reason,
      isError: null,
      refused: true,
      place: block,
    });
  } else if (state === 'output-available' || state === 'result') {
    addResult(message, block, id, body.firstOf('output', 'result') ?? body.get('output'), null);
  }
}

const RESULT_TYPES =
  /^(tool_result|tool-result|tool_call_response|function_call_(output|result)|custom_tool_call_output|server_tool_call_response|functionResponse|toolResult|tool_response|(computer|local_shell|shell|apply_patch)_call_output|tool_search_output|[a-z_]+_tool_result)$/;

/** The exit code with which a command of the provider's own failed, in what it gave. */
function failedExit(content: JsonView | undefined): string | null {
  const codes = [
    content?.get('return_code'),
    ...(content?.items ?? []).map((item) => item.at('outcome', 'exit_code')),
  ];
  const failed = codes.find((code) => code?.node.kind === 'number' && code.written !== '0');
  return failed === undefined ? null : `Exit code ${failed.written}`;
}

function readResultBlock(message: ChatMessage, block: JsonView, type: string): boolean {
  if (type === 'mcp_approval_response' && block.get('approve')?.isTrue !== true) {
    const callId = block.get('approval_request_id')?.text ?? null;
    const content = block.get('reason');
    message.results.push({
      callId,
      name: null,
      content,
      isError: null,
      refused: true,
      place: block,
    });
    return true;
  }
  if (!RESULT_TYPES.test(type)) return false;
  const body = block.get('functionResponse') ?? block;
  const callId =
    body.firstOf('tool_use_id', 'toolCallId', 'call_id', 'callId', 'tool_call_id', 'id')?.text ??
    null;
  const content =
    body.firstOf('content', 'output', 'response', 'result') ??
    body.get('content') ??
    body.get('output');
  const outputType = content?.get('type')?.text ?? '';
  const flag = body.firstOf('is_error', 'isError');
  const isError =
    flag !== undefined
      ? isSet(flag)
      : /^error-(text|json)$|_error$/.test(outputType)
        ? true
        : type === 'tool_result'
          ? false
          : null;
  const name = body.firstOf('name', 'toolName')?.text ?? null;
  const refused = outputType === 'execution-denied';
  const plain = type === 'function_call_result' ? content?.get('text') : undefined;
  const inner =
    plain ??
    (/^(text|json|content|error-text|error-json)$/.test(outputType)
      ? (content?.get('value') ?? content)
      : content);
  if (type === 'tool_search_output') {
    for (const place of block.get('tools')?.items ?? [])
      message.tools.push({ server: null, place });
    const tools = block.get('tools');
    addResult(message, block, callId, tools, null);
    return true;
  }
  const exit = /^shell_call_output$|_code_execution_tool_result$|^code_execution_tool_result$/.test(
    type,
  )
    ? failedExit(content)
    : null;
  message.results.push({
    callId,
    name,
    content: inner,
    isError: exit === null ? isError : true,
    refused,
    ...(exit === null ? {} : { reason: exit }),
    place: block,
  });
  return true;
}

function addResult(
  message: ChatMessage,
  place: JsonView,
  callId: string | null,
  content: JsonView | undefined,
  isError: boolean | null,
  reason?: string,
): void {
  const why = reason === undefined ? {} : { reason };
  message.results.push({ callId, name: null, content, isError, refused: false, ...why, place });
}

export function addText(message: ChatMessage, place: JsonView): void {
  if (place.text === null || place.text === '') return;
  message.parts.push({ kind: 'text', place, text: place.text, redacted: false });
}

export function isSet(flag: JsonView): boolean {
  return !(flag.node.kind === 'literal' && flag.node.value !== true) && flag.text !== '';
}

/** The type of a content block; of untyped ones (Gemini, AutoGen) the key that tells. */
export function blockType(block: JsonView): string {
  const type = block.get('type')?.text;
  if (type !== undefined && type !== null) return type;
  if (block.get('call_id') !== undefined && block.get('content') !== undefined)
    return 'tool_result';
  if (block.get('name') !== undefined && block.get('arguments') !== undefined) return 'tool_call';
  for (const key of ['functionCall', 'functionResponse', 'inlineData', 'fileData']) {
    if (block.get(key) !== undefined) return key;
  }
  return '';
}
