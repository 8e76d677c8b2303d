import type { Step } from '@misstep/model';
import { cutsInText } from '../cut-marks.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { outlineOf } from '../json-outline.ts';
import type { JsonPlace } from '../json-place.ts';
import { isOneList, jsonSourceOf, readJsonRecords } from '../json-records.ts';
import { anthropicUsage, contentPart, MessageSteps } from '../message-steps.ts';
import { offeredTools } from '../offered-tools.ts';
import { firstLine } from '../one-line.ts';
import { orderSteps } from '../order-steps.ts';
import { field, textField } from '../plain-fields.ts';
import { resultOf } from '../read-json-source.ts';
import { NO_CONTENT, REPEATED, type RecordFate, SetAside } from '../record-ledger.ts';
import { draftOf, momentAt, RunWriter, textPart } from '../run-writer.ts';
import { statedUsd } from '../stated-cost.ts';
import { ToolTable } from '../tool-table.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { verdictOf } from './claude-code-jsonl/result-text.ts';
import { classifyUserText } from './claude-code-jsonl/user-text.ts';
import { OutputTokens } from './claude-code-stream/output-tokens.ts';

/** What Claude Code prints with `--output-format stream-json`, and SDK message arrays. */
export const claudeCodeStream: Importer = {
  id: 'claude-code-stream',
  title: 'Claude Code stream',
  evidence: 'logged',
  revision: 6,
  sniff,
  read,
};

function sniff(head: SourceHead): number {
  const isInit = (type: string | null, subtype: string | null): boolean =>
    type === 'system' && subtype === 'init';
  const outline = outlineOf(head);
  if (outline !== null && isOneList(head)) {
    const types = outline.strings.get('[].type') ?? [];
    if (!outline.paths.has('[].session_id') || !outline.single) return 0;
    const known = types.some((type) => STREAM_TYPES.has(type));
    const begun = isInit(types[0] ?? null, outline.strings.get('[].subtype')?.[0] ?? null);
    return begun ? 0.97 : known ? 0.6 : 0;
  }
  const records = head.lineValues.filter(
    (value) =>
      STREAM_TYPES.has(textField(value, 'type') ?? '') &&
      textField(value, 'session_id') !== null &&
      field(value, 'sessionId') === undefined,
  );
  if (records.length === 0) return 0;
  const begins = records.some((value) =>
    isInit(textField(value, 'type'), textField(value, 'subtype')),
  );
  return (begins ? 0.85 : 0.6) + 0.1 * (records.length / head.lines.length);
}

const STREAM_TYPES: ReadonlySet<string> = new Set([
  'system',
  'assistant',
  'user',
  'result',
  'stream_event',
]);

const CONTROL = new SetAside('talk between the client and the program that started it');
const PIECE = new SetAside('a piece of a message that another record holds whole');

/** Deltas that the whole message repeats, and the client's bookkeeping. */
const QUIET_TYPES: ReadonlyMap<string, SetAside> = new Map([
  ['auth_status', CONTROL],
  ['control_request', CONTROL],
  ['control_response', CONTROL],
  ['keep_alive', CONTROL],
  ['prompt_suggestion', new SetAside('a prompt that the client suggests')],
  ['rate_limit_event', new SetAside('how much of a limit of use is left')],
  ['tool_progress', new SetAside('progress of a call, whose result stands in a record of its own')],
  ['tool_use_summary', new SetAside('a summary of calls for the screen')],
]);
const QUIET_SYSTEM = new SetAside('a state of the client');

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const source = jsonSourceOf(input, 'logged');
  const stream = new StreamReader(new RunWriter(input.main, source.issues, 'logged'));
  const { writer } = stream.messages;
  await readJsonRecords(
    source,
    input,
    () => writer.steps.length,
    (record) => stream.read(record),
  );
  stream.messages.finish();
  const draft = draftOf(orderSteps([writer.steps]), {
    key: stream.sessionId ?? '0',
    title: null,
    client: stream.version === null ? 'Claude Code' : `Claude Code ${stream.version}`,
    model: writer.model,
    naturalId: stream.sessionId,
    clock: writer.clock,
    tools: stream.tools.list(),
    sourceName: input.main.name,
    recordedCostUsd: stream.costUsd,
  });
  return resultOf(draft === null ? [] : [draft], [source], source.issues);
}

class StreamReader {
  readonly messages: MessageSteps;
  sessionId: string | null = null;
  version: string | null = null;
  /** Of the session so far, as its last result says. */
  costUsd: string | null = null;
  /** Bare names: the client tells no more of what it offers. */
  readonly tools = new ToolTable();
  readonly #seen = new Set<string>();
  readonly #outputTokens = new OutputTokens();
  /** The message that is being streamed, by the call of the sub-agent. */
  readonly #streamed = new Map<string | null, string>();

  constructor(writer: RunWriter) {
    this.messages = new MessageSteps(writer, {
      verdictOf: (text, isError) => verdictOf(text, isError, null),
      cutsIn: cutsInText,
      agentTools: new Set(['Task', 'Agent']),
    });
  }

  read(record: JsonPlace): RecordFate {
    this.sessionId ??= record.get('session_id').text();
    const type = record.get('type').text();
    if (type === null) return 'a record without a type';
    const quiet = QUIET_TYPES.get(type);
    if (quiet !== undefined) return quiet;
    switch (type) {
      case 'system':
        return this.#system(record);
      case 'assistant':
        return this.#message(record, (content) => this.#assistant(record, content));
      case 'user':
        return this.#message(record, (content) => this.#user(record, content));
      case 'result':
        return this.#result(record);
      case 'stream_event':
        return this.#event(record);
      default:
        return `unknown record type ${firstLine(type, 60)}`;
    }
  }

  #system(record: JsonPlace): RecordFate {
    const { writer, servers } = this.messages;
    const subtype = record.get('subtype').text() ?? 'system';
    if (subtype === 'init') {
      this.version ??= record.get('claude_code_version').text();
      for (const server of record.get('mcp_servers').items()) {
        const name = server.get('name').text();
        // In a tool's name everything else becomes "_".
        if (name !== null) servers.add(name.replace(/[^0-9A-Za-z_-]/g, '_'));
      }
      for (const tool of offeredTools(record.get('tools').view, { servers })) this.tools.add(tool);
    } else if (subtype === 'compact_boundary') {
      const name = 'Context compacted';
      const at = momentAt(record.get('timestamp'));
      writer.step(record.origin(), at, { kind: 'context', name, summary: name });
    } else return QUIET_SYSTEM;
    return null;
  }

  /** Reads a message below the call of the sub-agent that it belongs to. */
  #message(record: JsonPlace, readContent: (content: JsonPlace) => RecordFate): RecordFate {
    const content = record.get('message').get('content');
    if (content.kind !== 'string' && content.kind !== 'array') return 'a record without a message';
    const uuid = record.get('uuid').text();
    if (uuid !== null && this.#seen.has(uuid)) return REPEATED;
    if (content.kind === 'array' && content.items().length === 0) return NO_CONTENT;
    if (uuid !== null) this.#seen.add(uuid);
    const { writer } = this.messages;
    const parent: Step | null = writer.lastCall(record.get('parent_tool_use_id').text());
    const turn = writer.turn;
    if (parent === null) return readContent(content);
    writer.turn = parent;
    const reason = readContent(content);
    writer.turn = turn;
    return reason;
  }

  #assistant(record: JsonPlace, content: JsonPlace): null {
    const message = record.get('message');
    const model = message.get('model').text();
    const at = momentAt(record.get('timestamp'));
    if (model === '<synthetic>') {
      const parts = contentParts(content);
      const text = parts[0]?.text ?? '';
      const values = parts.map(({ part }) => part);
      this.messages.writer.note(record.origin(), at, 'Client message', values, text);
      return null;
    }
    const step = this.messages.assistant(record, content, at, {
      messageId: message.get('id').text(),
      model,
      usage: anthropicUsage(message.get('usage')),
    });
    const isBegun = message.get('stop_reason').view?.isNull === true;
    this.#outputTokens.add(step, !isBegun);
    return null;
  }

  /** Of the pieces of a message only the last one says what no other record does: its tokens. */
  #event(record: JsonPlace): RecordFate {
    const event = record.get('event');
    const thread = record.get('parent_tool_use_id').text();
    const id = event.get('message').get('id').text();
    if (id !== null) this.#streamed.set(thread, id);
    const last = this.#streamed.get(thread);
    if (event.get('type').text() !== 'message_delta' || last === undefined) return PIECE;
    const step = this.messages.sayUsage(record, last, anthropicUsage(event.get('usage')));
    if (step === null) return PIECE;
    this.#outputTokens.add(step, true);
    return null;
  }

  #user(record: JsonPlace, content: JsonPlace): string | null {
    const at = momentAt(record.get('timestamp'));
    const { writer } = this.messages;
    const rest: ReturnType<typeof contentParts> = [];
    let reason: string | null = null;
    for (const block of content.kind === 'array' ? content.items() : [content]) {
      if (block.get('type').text() !== 'tool_result') rest.push(contentPart(block));
      else reason = this.messages.answer(record, block, at) ?? reason;
    }
    if (rest.length === 0) return reason;
    const text = rest.flatMap((part) => part.text ?? []).join('\n');
    const values = rest.map(({ part }) => part);
    const found = classifyUserText(text);
    const ofAgent = record.get('parent_tool_use_id').text() !== null;
    if (found.kind === 'interrupted') {
      writer.endWaiting('interrupted', 'The user interrupted the request.');
    }
    if (ofAgent) writer.note(record.origin(), at, 'Prompt of the sub-agent', values, text);
    else if (found.kind === 'prompt') writer.userTurn(record.origin(), at, values, text);
    else writer.note(record.origin(), at, found.name, values, text);
    return reason;
  }

  /** Its usage and cost are sums of what the messages say, and its text repeats the last one. */
  #result(record: JsonPlace): null {
    const { writer } = this.messages;
    this.costUsd = statedUsd(record.get('total_cost_usd').view) ?? this.costUsd;
    for (const denial of record.get('permission_denials').items()) {
      const step = writer.lastCall(denial.get('tool_use_id').text());
      if (step === null) continue;
      step.status = 'neverReached';
      step.statusReason = 'Permission was denied; the call never reached the tool.';
    }
    const text = record.get('result');
    const subtype = record.get('subtype').text() ?? 'result';
    const content = text.text() === null ? [] : [textPart(text)];
    const failed = record.get('is_error').isTrue() || subtype.startsWith('error');
    const name = failed ? `Run ended: ${subtype}` : 'Run ended';
    writer.turn = null;
    const at = momentAt(record.get('timestamp'));
    const note = writer.note(record.origin(), at, name, content, text.text() ?? subtype);
    note.usage = this.#outputTokens.finish(anthropicUsage(record.get('usage')));
    if (note.usage !== null) note.model = writer.model;
    return null;
  }
}

function contentParts(content: JsonPlace): ReturnType<typeof contentPart>[] {
  return (content.kind === 'array' ? content.items() : [content]).map(contentPart);
}
