import { notCaptured, type Step } from '@misstep/model';
import { feeRequests } from '../chat-usage.ts';
import { cutsInResult } from '../cut-marks.ts';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import type { JsonPlace } from '../json-place.ts';
import { jsonSourceOf } from '../json-records.ts';
import { firstLine } from '../one-line.ts';
import { orderSteps } from '../order-steps.ts';
import { field, isObject, textField } from '../plain-fields.ts';
import { readJsonLines, resultOf } from '../read-json-source.ts';
import {
  type Answer,
  addOrigin,
  BY_ID,
  draftOf,
  isEmptyAt,
  RunWriter,
  summaryOfArguments,
  textPart,
} from '../run-writer.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { verdictOfExit } from './codex-rollout/output-text.ts';
import { usageOf } from './codex-rollout/rollout.ts';

/** What `codex exec --json` prints. */
export const codexExec: Importer = {
  id: 'codex-exec',
  title: 'Codex exec events',
  evidence: 'logged',
  revision: 4,
  sniff,
  read,
};

const EVENTS =
  /^(?:thread\.started|turn\.(?:started|completed|failed)|item\.(?:started|updated|completed)|error)$/;

function sniff(head: SourceHead): number {
  const events = head.lineValues.filter((value) => EVENTS.test(textField(value, 'type') ?? ''));
  const sure = events.filter(
    (value) => textField(value, 'thread_id') !== null || isObject(field(value, 'item')),
  );
  if (sure.length === 0) return 0;
  return 0.55 + 0.4 * (events.length / head.lines.length);
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const source = jsonSourceOf(input, 'logged');
  const writer = new RunWriter(input.main, source.issues, 'logged');
  const reader = new ExecReader(writer);
  await readJsonLines(
    source,
    input,
    () => writer.steps.length,
    (record) => reader.read(record),
  );
  const draft = draftOf(orderSteps([writer.steps]), {
    key: reader.threadId ?? '0',
    title: null,
    client: 'Codex exec',
    model: null,
    naturalId: reader.threadId,
    clock: null,
    sourceName: input.main.name,
  });
  return resultOf(draft === null ? [] : [draft], [source], source.issues);
}

class ExecReader {
  threadId: string | null = null;
  readonly #writer: RunWriter;
  /** Items of the turn by id: they are printed again whenever they change. */
  readonly #items = new Map<string, Step>();
  #turns = 0;
  /** Of the turn; they are charged beside its tokens. */
  #searches = 0;

  constructor(writer: RunWriter) {
    this.#writer = writer;
  }

  read(record: JsonPlace): string | null {
    const type = record.get('type').text() ?? '';
    switch (type) {
      case 'thread.started':
        this.threadId ??= record.get('thread_id').text();
        return null;
      case 'turn.started':
        this.#startTurn(record);
        return null;
      case 'turn.completed':
        this.#endTurn(record, 'ok', null);
        return null;
      case 'turn.failed':
        this.#endTurn(record, 'error', record.get('error').get('message').text());
        return null;
      case 'error': {
        const message = record.get('message');
        const content = message.text() === null ? [] : [textPart(message)];
        this.#writer.note(record.origin(), null, 'Error', content, message.text() ?? '');
        return null;
      }
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return this.#item(record, record.get('item'), type === 'item.completed');
      default:
        return `unknown event ${firstLine(type, 60)}`;
    }
  }

  #startTurn(record: JsonPlace): void {
    const writer = this.#writer;
    this.#turns += 1;
    this.#items.clear();
    writer.turn = null;
    writer.turn = writer.step(record.origin(), null, {
      kind: 'agent',
      name: `Turn ${this.#turns}`,
      status: 'unanswered',
      statusReason: 'The turn has no end in the file.',
      summary: 'The prompt is not part of this output',
    });
  }

  /** The only usage is the whole turn's. */
  #endTurn(record: JsonPlace, status: Step['status'], reason: string | null): void {
    const { turn } = this.#writer;
    if (turn === null) return;
    turn.status = status;
    turn.statusReason = reason === null ? null : firstLine(reason, 200);
    const usage = usageOf(record.get('usage'));
    if (usage !== null) turn.usage = { ...usage, ...feeRequests(this.#searches) };
    this.#searches = 0;
    addOrigin(turn, record.origin());
  }

  #item(record: JsonPlace, item: JsonPlace, isDone: boolean): string | null {
    const id = item.get('id').text() ?? '';
    const type = item.get('type').text() ?? item.get('item_type').text();
    if (type === null) return 'an item without a type';
    const known = id === '' ? undefined : this.#items.get(id);
    const step = known ?? this.#makeStep(record, item, type, id);
    addOrigin(step, record.origin());
    if (step.kind === 'tool') this.#readCall(step, item, type, isDone);
    else this.#readText(step, item, type);
    return null;
  }

  #makeStep(record: JsonPlace, item: JsonPlace, type: string, id: string): Step {
    const writer = this.#writer;
    const origin = record.origin();
    let step: Step;
    if (type === 'agent_message' || type === 'assistant_message' || type === 'reasoning') {
      const name = type === 'reasoning' ? 'Reasoning' : 'Model message';
      step = writer.step(origin, null, { kind: type === 'reasoning' ? 'note' : 'model', name });
    } else if (type === 'todo_list' || type === 'error') {
      step = writer.note(origin, null, type === 'error' ? 'Error' : 'Plan', []);
    } else {
      const server = item.get('server').text();
      const tool = item.get('tool').text() ?? type;
      const call = { name: tool, server, tool, callId: id || null, arguments: null, at: null };
      step = writer.call(origin, call);
      if (type === 'web_search') this.#searches += 1;
    }
    if (id !== '') this.#items.set(id, step);
    return step;
  }

  #readText(step: Step, item: JsonPlace, type: string): void {
    const named = item.get(type === 'error' ? 'message' : 'text');
    const place = type === 'todo_list' ? item.get('items') : named;
    if (!place.isThere) return;
    const kind = type === 'reasoning' ? 'thinking' : type === 'todo_list' ? 'other' : 'text';
    step.content = [{ kind, value: place.value() }];
    const done = place.items().filter((each) => each.get('completed').isTrue()).length;
    const plan = `${done} of ${place.items().length} done`;
    step.summary = type === 'todo_list' ? plan : firstLine(place.text() ?? '');
  }

  #readCall(step: Step, item: JsonPlace, type: string, isDone: boolean): void {
    const given = item.get(ARGUMENTS.get(type) ?? 'arguments');
    if (given.isThere) {
      step.arguments = given.value();
      step.summary = summaryOfArguments(given);
    }
    const status = item.get('status').text();
    if (!isDone || status === 'in_progress') return;
    const failure = item.get('error');
    const output = item.get(type === 'command_execution' ? 'aggregated_output' : 'result');
    const place = failure.isThere ? failure : output;
    this.#writer.answer(step, null, {
      ...verdictOfItem(item, status, failure),
      result: place.isThere ? place.value(cutsInResult(place.view)) : notCaptured('logged'),
      emptyResult: failure.isThere ? null : isEmptyAt(output),
      at: null,
      pairing: BY_ID,
    });
  }
}

const ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ['command_execution', 'command'],
  ['file_change', 'changes'],
  ['web_search', 'query'],
]);

function verdictOfItem(
  item: JsonPlace,
  status: string | null,
  failure: JsonPlace,
): Pick<Answer, 'status' | 'reason'> {
  const code = item.get('exit_code');
  if (status === 'declined') {
    return { status: 'rejected', reason: 'A person or the policy declined the command.' };
  }
  if (code.kind === 'number') return verdictOfExit(Number(code.written()));
  if (failure.isThere) {
    const said = failure.get('message').text() ?? failure.text() ?? 'The call failed.';
    return { status: 'protocolError', reason: firstLine(said, 200) };
  }
  const result = item.get('result');
  if (result.get('isError').isTrue() || result.get('is_error').isTrue() || status === 'failed') {
    const said = result.get('content').items()[0]?.get('text').text() ?? 'The call failed.';
    return { status: 'error', reason: firstLine(said, 200) };
  }
  if (status === 'completed') return { status: 'ok', reason: null };
  return { status: 'unknown', reason: 'The event does not say what became of the call.' };
}
