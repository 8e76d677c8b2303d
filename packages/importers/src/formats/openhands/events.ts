import type { Step } from '@misstep/model';
import { readContent } from '../../chat-message.ts';
import { ChatRun, partOf, type ChatRun as Run, summaryOf } from '../../chat-run.ts';
import { readUsage } from '../../chat-usage.ts';
import type { JsonView } from '../../json-view.ts';
import { objectsIn } from '../../listed-objects.ts';
import { firstLine, oneLine } from '../../one-line.ts';
import { splitToolName } from '../../tool-name.ts';
import type { ValueContext } from '../../value-source.ts';

/** Actions that ask no tool for anything. */
const NOTES: ReadonlySet<string> = new Set(['recall', 'change_agent_state', 'null', 'finish']);
/** Observations that answer no call. */
const QUIET: ReadonlySet<string> = new Set(['agent_state_changed', 'recall', 'null', 'success']);

/** Turns the events of one conversation into steps. */
export class OpenHandsEvents {
  readonly run: Run;
  readonly #context: ValueContext;
  readonly #byId = new Map<string, Step>();
  /** Ids of answers of the model: each is repeated on every event that came of it. */
  readonly #answers = new Set<string>();
  #last: Step | null = null;

  constructor(context: ValueContext) {
    this.#context = context;
    this.run = new ChatRun(context.issues);
  }

  add(event: JsonView): void {
    const { ledger } = this.#context;
    const action = event.get('action')?.text;
    const observation = event.get('observation')?.text;
    if (typeof observation === 'string') this.#observe(event, observation);
    else if (typeof action === 'string') this.#act(event, action);
    else {
      ledger.notUnderstood(event.origin, 'neither an action nor an observation');
      return;
    }
    ledger.understood();
  }

  #timeOf(event: JsonView): Step['time'] {
    const at = this.#context.clock.read(event.get('timestamp'));
    return {
      startedAtNs: at?.ns ?? null,
      endedAtNs: null,
      startedAtText: at?.text ?? null,
      endedAtText: null,
      evidence: 'logged',
    };
  }

  #act(event: JsonView, action: string): void {
    const { run } = this;
    const args = event.get('args');
    const text = args?.get('content') ?? event.get('content');
    const time = this.#timeOf(event);
    const content = readContent('user', text, event).parts.map(partOf);
    const said = firstLine(text?.text ?? event.get('message')?.text ?? '');
    // Very old events have no source; the first message of those is the task.
    const source = event.get('source')?.text ?? (run.parent === null ? 'user' : 'agent');
    const isUser = source !== 'agent';
    if (action === 'system') {
      run.addTools(args?.get('tools'));
      run.step(event.origin, { kind: 'note', name: 'System prompt', content, time, summary: said });
    } else if (action === 'message' && isUser) {
      run.parent = null;
      run.parent = run.step(event.origin, {
        kind: 'user',
        name: 'User turn',
        content,
        time,
        summary: said || '(no text)',
      });
    } else if (action === 'message') {
      this.#model(event, time, content, said);
    } else if (/^condensation/.test(action)) {
      run.step(event.origin, { kind: 'context', name: 'Condensation', time, summary: said });
    } else if (NOTES.has(action) || (isUser && action !== 'run')) {
      this.#model(event, time, [], said);
      run.step(event.origin, { kind: 'note', name: action, time, summary: said });
    } else {
      this.#call(event, action, args, time);
    }
  }

  /** The model's answer that the event came of, once. */
  #model(event: JsonView, time: Step['time'], content: Step['content'], said: string): void {
    const response = event.at('tool_call_metadata', 'model_response');
    const id = response?.get('id')?.text ?? null;
    if (response === undefined && content.length === 0) return;
    if (id !== null && this.#answers.has(id)) return;
    if (id !== null) this.#answers.add(id);
    const message = objectsIn(response?.get('choices'))[0]?.get('message');
    const spoken = readContent('assistant', message?.get('content'), event).parts;
    const thought = event.at('args', 'thought');
    const own = spoken.length > 0 ? spoken : readContent('assistant', thought, event).parts;
    const parts = content.length > 0 ? content : own.map(partOf);
    const model = response?.get('model')?.text ?? null;
    this.run.model ??= model;
    const summary = said && content.length > 0 ? said : firstLine(own[0]?.text ?? '');
    this.run.step(event.origin, {
      kind: 'model',
      name: 'Model call',
      model,
      callId: id,
      usage: readUsage(response?.get('usage')),
      content: parts,
      time: { ...time },
      summary,
    });
  }

  #call(event: JsonView, action: string, args: JsonView | undefined, time: Step['time']): void {
    const metadata = event.get('tool_call_metadata');
    const thought = readContent('assistant', args?.get('thought') ?? event.get('thought'), event);
    const parts = metadata === undefined ? thought.parts.map(partOf) : [];
    this.#model(event, time, parts, firstLine(thought.parts[0]?.text ?? ''));
    const callId = metadata?.get('tool_call_id')?.text ?? null;
    const calls =
      objectsIn(metadata?.at('model_response', 'choices'))[0]?.at('message', 'tool_calls')?.items ??
      [];
    const asked = calls.find((call) => call.get('id')?.text === callId);
    const isMcp = action === 'call_tool_mcp' || action === 'mcp';
    const written =
      (isMcp ? args?.get('name')?.text : null) ?? metadata?.get('function_name')?.text ?? action;
    const given =
      (isMcp ? args?.get('arguments') : undefined) ??
      asked?.at('function', 'arguments') ??
      args ??
      event.firstOf('command', 'code', 'path', 'url') ??
      event;
    const { server, tool } = splitToolName(written);
    const step = this.run.step(event.origin, {
      kind: action === 'delegate' ? 'agent' : 'tool',
      name: oneLine(tool, 200) || action,
      server,
      tool,
      callId,
      status: 'unanswered',
      statusReason: 'The source holds no observation.',
      pairing: { by: 'none', derived: false },
      arguments: given.value('logged'),
      summary: summaryOf(given),
      time,
    });
    const id = event.get('id')?.number ?? null;
    if (id !== null) this.#byId.set(id, step);
    this.#last = step;
  }

  #observe(event: JsonView, observation: string): void {
    const cause = event.get('cause')?.number ?? null;
    const named = cause === null ? undefined : this.#byId.get(cause);
    const isOld = event.get('id') === undefined;
    const step = named ?? (isOld && !QUIET.has(observation) ? this.#last : null);
    const time = this.#timeOf(event);
    const content = event.get('content') ?? event.get('message');
    if (step === null || step === undefined || step.status !== 'unanswered') {
      const said = firstLine(content?.text ?? event.get('message')?.text ?? '');
      const name = observation === 'null' ? 'Observation' : oneLine(observation, 100);
      this.run.step(event.origin, { kind: 'note', name, time, summary: said });
      return;
    }
    const code = event.at('extras', 'metadata', 'exit_code') ?? event.get('exit_code');
    const failed = observation === 'error' || (code?.number ?? '0') !== '0';
    this.run.settle(
      step,
      {
        callId: step.callId,
        name: null,
        content,
        isError: failed ? true : observation === 'mcp' ? null : false,
        refused: observation === 'user_rejected',
        place: event,
      },
      {},
    );
    if (failed && observation !== 'error') step.statusReason = `exit code ${code?.number}`;
    step.time.endedAtNs = time.startedAtNs;
    step.time.endedAtText = time.startedAtText;
    const by = named === undefined ? 'order' : 'id';
    step.pairing = { by, derived: by === 'order' };
    step.moreOrigins.push(event.origin);
    this.#last = null;
  }
}
