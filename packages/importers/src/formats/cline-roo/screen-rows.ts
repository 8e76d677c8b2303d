import { member, parseJson, toPlain } from '@misstep/json';
import { type CapturedValue, notCaptured, readUsd, type Step, type Usage } from '@misstep/model';
import { cutsInResult, cutsInText } from '../../cut-marks.ts';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { countField, field, textField } from '../../plain-fields.ts';
import { type RecordFate, SetAside } from '../../record-ledger.ts';
import {
  addOrigin,
  isEmptyAt,
  type Moment,
  momentAt,
  type RunWriter,
  textPart,
} from '../../run-writer.ts';
import { inlineValue } from '../../step-builder.ts';

const MODEL_TEXTS: ReadonlySet<string> = new Set([
  'text',
  'completion_result',
  'followup',
  'plan_mode_respond',
]);
const CONTEXT_ROWS: ReadonlySet<string> = new Set([
  'compaction',
  'condense',
  'condense_context',
  'sliding_window_truncation',
]);
const NOTES: ReadonlyMap<string, string> = new Map([
  ['api_req_failed', 'API error'],
  ['error', 'Client error'],
  ['error_retry', 'API error'],
  ['diff_error', 'Client error'],
  ['mistake_limit_reached', 'Client error'],
  ['browser_action', 'Browser action'],
  ['browser_action_launch', 'Browser action'],
  ['browser_action_result', 'Browser result'],
  ['clineignore_error', 'Client error'],
  ['command_permission_denied', 'Client error'],
  ['info', 'Information'],
  ['mcp_notification', 'Notification of a server'],
  ['rooignore_error', 'Client error'],
  ['user_feedback_diff', "The user's changes"],
]);
const REQUEST = new SetAside('what became of a request to the model, for the screen');
const CHECKPOINT = new SetAside('a snapshot of files, kept to undo edits');
const BUTTON = new SetAside('a button or hint of the screen');
const QUIET_ROWS: ReadonlyMap<string, SetAside> = new Map([
  ['api_req_deleted', REQUEST],
  ['api_req_finished', REQUEST],
  ['api_req_retried', REQUEST],
  ['api_req_retry_delayed', REQUEST],
  ['checkpoint_created', CHECKPOINT],
  ['checkpoint_saved', CHECKPOINT],
  ['completion_suggestions', BUTTON],
  ['deleted_api_reqs', REQUEST],
  ['load_mcp_documentation', BUTTON],
  ['mcp_server_request_started', new SetAside('a call begins that no row names')],
  ['new_task_started', BUTTON],
  ['resume_completed_task', BUTTON],
  ['resume_task', BUTTON],
  ['shell_integration_warning', BUTTON],
  ['task_progress', new SetAside('the list of what is done, for the screen')],
]);
const NO_TEXT = new SetAside('a row without text');

/** Tools whose rows hold what they found; of others `content` is what was written, or a path. */
const RESULT_TOOLS: ReadonlySet<string> = new Set([
  'listCodeDefinitionNames',
  'listFilesRecursive',
  'listFilesTopLevel',
  'searchFiles',
]);

/** Rows of `ui_messages.json` in order. */
export class ScreenRows {
  readonly #writer: RunWriter;
  #model: { step: Step; text: string; tools: string[] } | null = null;
  #command: { step: Step; outputs: JsonPlace[] } | null = null;
  #mcpCall: Step | null = null;
  #isFirst = true;
  /** Of model calls: the last message of the history when the request was begun, as the row says. */
  readonly historyIndexes = new Map<Step, number>();

  constructor(writer: RunWriter) {
    this.#writer = writer;
  }

  add(row: JsonPlace): RecordFate {
    const kind = row.get('say').text() ?? row.get('ask').text();
    if (kind === null) return 'a row that says nothing';
    const at = momentAt(row.get('ts'));
    const text = row.get('text');
    const isPrompt = this.#isFirst && (kind === 'text' || kind === 'task');
    this.#isFirst = false;
    if (isPrompt || kind === 'user_feedback' || kind === 'task') {
      this.#endModel();
      const content = text.text() === null ? [] : [textPart(text)];
      this.#writer.userTurn(row.origin(), at, content, text.text() ?? '');
      return null;
    }
    if (MODEL_TEXTS.has(kind) || kind === 'reasoning') {
      return this.#addModelText(row, at, kind) ? null : NO_TEXT;
    }
    if (kind === 'mcp_server_request_started' && this.#startMcpCall(row, at)) return null;
    const quiet = QUIET_ROWS.get(kind);
    if (quiet !== undefined) return quiet;
    const note = NOTES.get(kind);
    if (note !== undefined) {
      const content = text.text() === null ? [] : [textPart(text)];
      this.#writer.note(row.origin(), at, note, content, text.text() ?? '');
      return null;
    }
    if (CONTEXT_ROWS.has(kind)) {
      this.#writer.step(row.origin(), at, {
        kind: 'context',
        name: 'Context compacted',
        content: text.text() === null ? [] : [textPart(text)],
        summary: 'What was said before was cut for the model',
      });
      return null;
    }
    return this.#addCallRow(row, at, kind);
  }

  finish(): void {
    this.#endModel();
    this.#endCommand();
  }

  #addCallRow(row: JsonPlace, at: Moment | null, kind: string): string | null {
    switch (kind) {
      case 'api_req_started':
        this.#startModel(row, at);
        return null;
      case 'tool':
        this.#addTool(row, at);
        return null;
      case 'command':
        this.#addCommand(row, at);
        return null;
      case 'command_output':
        if (this.#command === null) return 'output of a command that is not in the file';
        if (row.get('text').text() !== null) this.#command.outputs.push(row.get('text'));
        addOrigin(this.#command.step, row.origin());
        if (at !== null) this.#writer.endAt(this.#command.step, at);
        return null;
      case 'use_mcp_server':
        this.#addMcpCall(row, at);
        return null;
      case 'mcp_server_response':
        return this.#answerMcpCall(row, at);
      default:
        return `unknown kind of row ${firstLine(kind, 60)}`;
    }
  }

  #startModel(row: JsonPlace, at: Moment | null): void {
    this.#endModel();
    const told = plainOf(row.get('text'));
    const step = this.#writer.step(row.origin(), at, {
      kind: 'model',
      name: 'Model call',
      model: row.get('modelInfo').get('modelId').text(),
      usage: usageOf(told),
      recordedCostUsd: costOf(row.get('text')),
    });
    this.#writer.model ??= step.model;
    const index = row.get('conversationHistoryIndex').written();
    if (index !== null && /^(?:-1|\d{1,9})$/.test(index)) {
      this.historyIndexes.set(step, Number(index));
    }
    const cancelled = textField(told, 'cancelReason');
    if (cancelled !== null) {
      step.status = 'interrupted';
      step.statusReason = firstLine(textField(told, 'streamingFailedMessage') ?? cancelled, 200);
    }
    this.#model = { step, text: '', tools: [] };
  }

  #endModel(): void {
    if (this.#model === null) return;
    const { step, text, tools } = this.#model;
    const calls = tools.length === 0 ? '' : `calls ${tools.join(', ')}`;
    step.summary = firstLine(text || calls) || (step.content.length > 0 ? '(thinking)' : '');
    this.#model = null;
  }

  #addModelText(row: JsonPlace, at: Moment | null, kind: string): boolean {
    const text = row.get('text');
    if (text.text() === null || text.text() === '') return false;
    let step = this.#model?.step;
    if (step !== undefined && at !== null) this.#writer.endAt(step, at);
    if (step === undefined) {
      step = this.#writer.step(row.origin(), at, { kind: 'model', name: 'Model call' });
      this.#model = { step, text: '', tools: [] };
    }
    addOrigin(step, row.origin());
    step.content.push(textPart(text, kind === 'reasoning' ? 'thinking' : 'text'));
    if (kind !== 'reasoning' && this.#model !== null) this.#model.text ||= text.text() ?? '';
    return true;
  }

  #addTool(row: JsonPlace, at: Moment | null): void {
    const text = row.get('text');
    const told = plainOf(text);
    const name = textField(told, 'tool') ?? 'tool';
    this.#model?.tools.push(name);
    const step = this.#writer.call(row.origin(), {
      name,
      callId: null,
      arguments: text.text() === null ? notCaptured('logged') : text.value(),
      summary: textField(told, 'path') ?? textField(told, 'regex') ?? firstLine(text.text() ?? ''),
      at,
    });
    const found = RESULT_TOOLS.has(name) ? textField(told, 'content') : null;
    if (found !== null) {
      this.#writer.answer(step, null, {
        status: 'ok',
        // A string in JSON in a string: no bytes of the source are the result.
        result: inlineValue(found, text.origin(), 'logged', cutsInText(found, '')),
        emptyResult: found.trim() === '',
        at: null,
        pairing: { by: 'order', derived: false },
      });
      return;
    }
    const isCut = row.get('partial').isTrue();
    const reason = isCut
      ? 'The row was never completed.'
      : 'These rows hold no results of tools; api_conversation_history.json does.';
    this.#writer.settle(step, isCut ? 'interrupted' : 'unknown', reason);
    step.result = notCaptured('logged');
  }

  #addCommand(row: JsonPlace, at: Moment | null): void {
    this.#endCommand();
    const text = row.get('text');
    this.#model?.tools.push('execute_command');
    const step = this.#writer.call(row.origin(), {
      name: 'execute_command',
      callId: null,
      arguments: text.text() === null ? notCaptured('logged') : text.value(),
      summary: firstLine(text.text() ?? ''),
      at,
    });
    this.#command = { step, outputs: [] };
  }

  #endCommand(): void {
    const command = this.#command;
    this.#command = null;
    if (command === null || command.outputs.length === 0) return;
    const [first, ...more] = command.outputs;
    const joined = command.outputs.map((place) => place.text() ?? '').join('\n');
    const value: CapturedValue | undefined =
      more.length === 0 ? first?.value() : inlineValue(joined, first?.origin() ?? null, 'logged');
    this.#writer.answer(command.step, null, {
      status: 'ok',
      reason: 'The row holds no exit code.',
      result: value ?? null,
      emptyResult: joined.trim() === '',
      at: null,
      pairing: { by: 'order', derived: true },
    });
  }

  #addMcpCall(row: JsonPlace, at: Moment | null): void {
    const text = row.get('text');
    const told = plainOf(text);
    const tool = textField(told, 'toolName') ?? textField(told, 'uri') ?? 'use_mcp_server';
    const given = textField(told, 'arguments');
    this.#model?.tools.push(tool);
    this.#mcpCall = this.#writer.call(row.origin(), {
      name: tool,
      server: textField(told, 'serverName'),
      tool,
      callId: null,
      // JSON in a string in JSON in a string: no bytes of the source are the arguments.
      arguments:
        given === null ? notCaptured('logged') : inlineValue(given, text.origin(), 'logged'),
      summary: firstLine(given ?? ''),
      at,
    });
  }

  #startMcpCall(row: JsonPlace, at: Moment | null): boolean {
    if (this.#mcpCall === null || at === null) return false;
    addOrigin(this.#mcpCall, row.origin());
    this.#mcpCall.time = this.#writer.timeOf(at, null, row.origin().offset);
    return true;
  }

  #answerMcpCall(row: JsonPlace, at: Moment | null): string | null {
    const step = this.#mcpCall;
    this.#mcpCall = null;
    if (step === null) return 'a response whose call is not in the file';
    const text = row.get('text');
    const said = text.text() ?? '';
    const isError = /^Error:/.test(said);
    this.#writer.answer(step, row.origin(), {
      status: isError ? 'error' : 'ok',
      reason: isError ? firstLine(said.replace(/^Error:\s*/, ''), 200) : null,
      result: text.isThere ? text.value(cutsInResult(text.view)) : notCaptured('logged'),
      emptyResult: isEmptyAt(text),
      at,
      pairing: { by: 'order', derived: true },
    });
    return null;
  }
}

function plainOf(place: JsonPlace): unknown {
  const parsed = parseJson(place.text() ?? '');
  return parsed.ok ? toPlain(parsed.value, parsed.value.root) : null;
}

function costOf(place: JsonPlace): string | null {
  const parsed = parseJson(place.text() ?? '');
  if (!parsed.ok) return null;
  const { text, root } = parsed.value;
  const stated = member(parsed.value, root, 'cost');
  if (stated === undefined || stated.kind !== 'number') return null;
  const written = text.slice(stated.start, stated.end);
  return readUsd(written) === null ? null : written;
}

/** Cached input is counted apart, but for providers with OpenAI's protocol. */
function usageOf(told: unknown): Usage | null {
  const inputTokens = countField(told, 'tokensIn');
  const outputTokens = countField(told, 'tokensOut');
  if (inputTokens === null && outputTokens === null) return null;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: countField(told, 'cacheReads'),
    cacheWriteTokens: countField(told, 'cacheWrites'),
    inputExcludesCache: field(told, 'apiProtocol') !== 'openai',
  };
}
