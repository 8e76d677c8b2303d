import type { Step } from '@misstep/model';
import { draftOfChat } from '../chat-draft.ts';
import { readContent } from '../chat-message.ts';
import { ChatRun, partOf } from '../chat-run.ts';
import { readUsage } from '../chat-usage.ts';
import { firstObjects, headObjects } from '../head-values.ts';
import type { Importer, RunDraft, SourceHead } from '../importer.ts';
import type { JsonView } from '../json-view.ts';
import { objectsIn } from '../listed-objects.ts';
import { firstLine, oneLine } from '../one-line.ts';
import type { RecordFate } from '../record-ledger.ts';
import type { SpanTime } from '../trace-span.ts';
import { readValueSource, type ValueContext } from '../value-source.ts';

/** The memory of an agent of smolagents: its steps as `agent.memory.get_full_steps()` gives them. */
export const smolagents: Importer = {
  id: 'smolagents',
  title: 'smolagents memory',
  evidence: 'logged',
  revision: 5,
  sniff,
  read(input) {
    const runs: Memory[] = [];
    return readValueSource(
      input,
      (value, context) => {
        const list = value.isArray ? value : value.get('steps');
        // Steps one a line are one memory; a list is one of its own.
        const memory = list === undefined ? (runs[0] ?? new Memory(context)) : new Memory(context);
        if (!runs.includes(memory)) runs.push(memory);
        for (const step of list?.items ?? [value]) memory.add(step);
        return [];
      },
      (context) => runs.flatMap((memory) => memory.draft(context)),
    );
  },
};

const OWN_KEYS = ['model_output', 'model_output_message', 'code_action', 'action_output'];

function sniff(head: SourceHead): number {
  const steps = headObjects(head).flatMap((object) => {
    const listed = firstObjects(object.get('steps'));
    return listed.length > 0 ? listed : [object];
  });
  const isOwn = steps
    .slice(0, 12)
    .some(
      (step) =>
        step.get('step_number') !== undefined &&
        OWN_KEYS.some((key) => step.get(key) !== undefined) &&
        step.firstOf('timing', 'start_time', 'observations', 'model_input_messages') !== undefined,
    );
  return isOwn ? 0.95 : 0;
}

class Memory {
  readonly #context: ValueContext;
  readonly #run: ChatRun;
  #turn: Step | null = null;

  constructor(context: ValueContext) {
    this.#context = context;
    this.#run = new ChatRun(context.issues);
  }

  add(step: JsonView): void {
    this.#context.ledger.take(step.origin, this.#read(step));
  }

  draft({ clock, sourceName, keys }: ValueContext): RunDraft[] {
    return draftOfChat(this.#run, {
      key: keys.unique('memory'),
      client: 'smolagents',
      clock: clock.clock,
      sourceName,
    });
  }

  #read(step: JsonView): RecordFate {
    this.#run.parent = this.#turn;
    if (!step.isObject) return 'no step';
    if (step.get('step_number') !== undefined) return this.#act(step);
    if (step.get('plan') !== undefined) {
      this.#model(step, 'Planning', step.get('plan'), this.#timesOf(step));
    } else if (step.get('task') !== undefined) {
      const { content, summary } = textOf(step, step.get('task'));
      this.#run.parent = null;
      this.#turn = this.#run.step(step.origin, {
        kind: 'user',
        name: 'User turn',
        content,
        summary: summary || '(no text)',
      });
    } else if (step.get('system_prompt') !== undefined) {
      const text = textOf(step, step.get('system_prompt'));
      this.#run.step(step.origin, { kind: 'note', name: 'System prompt', ...text });
    } else if (step.get('output') !== undefined) {
      const text = textOf(step, step.get('output'));
      this.#run.step(step.origin, { kind: 'note', name: 'Final answer', ...text });
    } else return 'a step of another kind';
    return null;
  }

  /** The time is that of the whole step, answer and calls together, so it stands on neither. */
  #act(step: JsonView): null {
    const number = step.get('step_number')?.written ?? '';
    const times = this.#timesOf(step);
    const parent = this.#run.step(step.origin, {
      kind: 'note',
      name: `Step ${oneLine(number, 20)}`,
      time: times,
      summary: firstLine(step.get('model_output')?.text ?? ''),
    });
    this.#run.parent = parent;
    this.#model(step, 'Model call', step.get('model_output'), null);
    const calls = objectsIn(step.get('tool_calls')).map((call) => this.#call(call, step));
    this.#answer(step, calls);
    return null;
  }

  #model(
    step: JsonView,
    name: string,
    said: JsonView | undefined,
    time: Step['time'] | null,
  ): void {
    const message = step.get('model_output_message');
    const spoken = said === undefined || said.isNull ? message?.get('content') : said;
    const { content, summary } = textOf(step, spoken);
    const asked = objectsIn(step.get('tool_calls'))
      .map((call) => nameOf(call))
      .join(', ');
    this.#run.step(step.origin, {
      kind: 'model',
      name,
      usage: readUsage(step.firstOf('token_usage') ?? message?.get('token_usage')),
      content,
      summary: summary || (asked === '' ? '' : oneLine(`calls ${asked}`)),
      ...(time === null ? {} : { time }),
    });
  }

  #call(call: JsonView, step: JsonView): Step {
    const body = call.get('function') ?? call;
    return this.#run.addCall(
      {
        id: call.get('id')?.text ?? null,
        name: nameOf(call),
        server: null,
        arguments: body.get('arguments'),
        place: call,
      },
      step.origin,
    );
  }

  /** A step has one text of observations, whatever its calls are. */
  #answer(step: JsonView, calls: readonly Step[]): void {
    const error = step.firstOf('error');
    const reason = error?.get('message')?.text ?? error?.text ?? null;
    const content = step.firstOf('observations', 'action_output');
    const isShared = calls.length > 1;
    for (const call of calls) {
      if (content === undefined && error === undefined) continue;
      this.#run.settle(call, {
        callId: call.callId,
        name: null,
        content: content ?? error?.get('message') ?? error,
        isError: error === undefined ? null : true,
        refused: false,
        ...(reason === null ? {} : { reason }),
        place: step,
      });
      call.pairing = { by: 'order', derived: isShared };
      if (!isShared) continue;
      // Which of the calls gave what, or failed, stands nowhere.
      call.status = 'unknown';
      call.statusReason = `The step has one text for what its ${calls.length} calls gave.`;
      call.emptyResult = null;
    }
    if (calls.length > 0 || error === undefined) return;
    const text = textOf(step, error.get('message') ?? error);
    this.#run.step(step.origin, { kind: 'note', name: 'Error', ...text });
  }

  #timesOf(step: JsonView): Step['time'] {
    const { clock } = this.#context;
    const timing = step.get('timing') ?? step;
    const at = (key: string): SpanTime | null => clock.read(timing.get(key), 's');
    const start = at('start_time');
    const end = at('end_time');
    return {
      startedAtNs: start?.ns ?? null,
      endedAtNs: end?.ns ?? null,
      startedAtText: start?.text ?? null,
      endedAtText: end?.text ?? null,
      evidence: 'logged',
    };
  }
}

function nameOf(call: JsonView): string {
  return call.at('function', 'name')?.text ?? call.get('name')?.text ?? '';
}

function textOf(
  step: JsonView,
  text: JsonView | undefined,
): { content: Step['content']; summary: string } {
  const { parts } = readContent('assistant', text, step);
  return {
    content: parts.map(partOf),
    summary: firstLine(parts.flatMap(({ text: said }) => said ?? []).join('\n')),
  };
}
