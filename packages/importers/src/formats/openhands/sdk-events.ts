import type { RunClock, Step } from '@misstep/model';
import { fateOfMessage, readChatMessage, readContent } from '../../chat-message.ts';
import { ChatRun, partOf, type ChatRun as Run } from '../../chat-run.ts';
import type { JsonView } from '../../json-view.ts';
import { firstLine, oneLine } from '../../one-line.ts';
import { type RecordFate, type RecordLedger, SetAside } from '../../record-ledger.ts';
import type { SpanTime } from '../../trace-span.ts';
import type { ValueContext } from '../../value-source.ts';

const CHANGED_STATE = new SetAside("a change of the conversation's state");
const CONTEXT = /^Condensation(Request|SummaryEvent)?$/;
const NOTES: ReadonlySet<string> = new Set([
  'PauseEvent',
  'InterruptEvent',
  'ConversationErrorEvent',
  'ServerErrorEvent',
]);

/** True for an event of the SDK (V1), which names its class. */
export function isSdkEvent(event: JsonView | undefined): boolean {
  const kind = event?.get('kind')?.text ?? '';
  return (
    event?.get('source') !== undefined &&
    (/^(Action|Observation|Message|AgentError|SystemPrompt|Pause|ConversationStateUpdate|ConversationError)Event$/.test(
      kind,
    ) ||
      kind === 'UserRejectObservation' ||
      CONTEXT.test(kind))
  );
}

/** Turns the events of one conversation of the SDK (V1) into steps. */
export class OpenHandsSdkEvents {
  readonly run: Run;
  readonly #context: ValueContext;
  /** Answers of the model: parallel calls each repeat the id of theirs. */
  readonly #answers = new Set<string>();
  /** Calls for which the agent could make no action, as with arguments that don't fit. */
  readonly #withoutAction = new Set<Step>();

  constructor(context: ValueContext) {
    this.#context = context;
    this.run = new ChatRun(context.issues);
  }

  /** The clock of all events, in whichever file. */
  get clock(): RunClock {
    return this.#context.clock.clock;
  }

  /** `ledger`: of the file that the event stands in. */
  add(event: JsonView, ledger: RecordLedger): void {
    const at = this.#context.clock.read(event.get('timestamp'));
    ledger.take(event.origin, this.#read(event, at));
  }

  #read(event: JsonView, at: SpanTime | null): RecordFate {
    const kind = event.get('kind')?.text ?? '';
    if (kind === 'ConversationStateUpdateEvent') return CHANGED_STATE;
    if (kind === 'MessageEvent') {
      const message = readChatMessage(event.get('llm_message') ?? event);
      if (message === null) return 'no message';
      this.run.add(message, { record: event, startedAt: at });
      return fateOfMessage(message);
    }
    if (kind === 'ActionEvent') return this.#act(event, at);
    if (/^(ObservationEvent|AgentErrorEvent|UserRejectObservation)$/.test(kind)) {
      return this.#answer(event, kind, at);
    }
    if (kind === 'SystemPromptEvent') {
      this.run.addTools(event.get('tools'));
      this.#note(event, 'System prompt', event.get('system_prompt'), at);
      return null;
    }
    if (CONTEXT.test(kind)) {
      this.#note(event, 'Condensation', event.get('summary'), at, 'context');
      return null;
    }
    if (!NOTES.has(kind)) return `an event of another kind: ${oneLine(kind, 60)}`;
    this.#note(event, kind.replace(/Event$/, ''), event.firstOf('detail', 'code'), at);
    return null;
  }

  #note(
    event: JsonView,
    name: string,
    text: JsonView | undefined,
    at: SpanTime | null,
    kind: 'note' | 'context' = 'note',
  ): void {
    // A prompt is a block, others are plain text.
    const content = text?.isObject === true ? text.get('text') : text;
    this.run.step(event.origin, {
      kind,
      name,
      content: readContent('system', content, event).parts.map(partOf),
      time: timeAt(at),
      summary: firstLine(content?.text ?? ''),
    });
  }

  #act(event: JsonView, at: SpanTime | null): RecordFate {
    const callName = event.get('tool_name')?.text ?? null;
    if (callName === null) return 'an action without a tool';
    this.#model(event, callName, at);
    const call = event.get('tool_call');
    const action = event.get('action');
    const step = this.run.addCall(
      {
        id: event.get('tool_call_id')?.text ?? null,
        name: callName,
        server: null,
        arguments: call?.get('arguments') ?? call?.at('function', 'arguments') ?? action,
        place: event,
      },
      event.origin,
      { startedAt: at },
    );
    if (action?.isNull === true) this.#withoutAction.add(step);
    return null;
  }

  /** The model's answer that asked for the call, once. */
  #model(event: JsonView, callName: string, at: SpanTime | null): void {
    const id = event.get('llm_response_id')?.text ?? null;
    if (id !== null && this.#answers.has(id)) return;
    if (id !== null) this.#answers.add(id);
    const thought = readContent('assistant', event.get('thought'), event).parts;
    const blocks = readContent('assistant', event.get('thinking_blocks'), event).parts;
    const reasoning = event.get('reasoning_content');
    const thinking = blocks.length > 0 ? blocks : readContent('assistant', reasoning, event).parts;
    const content = [
      ...thinking.map((part) => partOf({ ...part, kind: 'thinking' })),
      ...thought.map(partOf),
    ];
    this.run.step(event.origin, {
      kind: 'model',
      name: 'Model call',
      callId: id,
      content,
      time: timeAt(at),
      summary: firstLine(thought[0]?.text ?? '') || oneLine(`calls ${callName}`),
    });
  }

  #answer(event: JsonView, kind: string, at: SpanTime | null): RecordFate {
    const observation = event.get('observation');
    const failed = kind === 'AgentErrorEvent';
    const refused = kind === 'UserRejectObservation';
    const flag = observation?.get('is_error');
    const code =
      observation?.get('exit_code')?.number ??
      observation?.at('metadata', 'exit_code')?.number ??
      null;
    // -1 = still running when the tool gave up waiting.
    const exited = code !== null && code !== '0' && code !== '-1';
    const own = failed ? event.get('error') : refused ? event.get('rejection_reason') : undefined;
    const step = this.run.addResult(
      {
        callId: event.get('tool_call_id')?.text ?? null,
        name: event.get('tool_name')?.text ?? null,
        content: own ?? observation?.firstOf('content', 'output') ?? observation,
        isError:
          failed || exited || flag?.isTrue === true ? true : flag === undefined ? null : false,
        refused,
        ...(exited ? { reason: `exit code ${code}` } : {}),
        place: event,
      },
      event.origin,
      { endedAt: at },
    );
    if (failed && this.#withoutAction.has(step)) {
      step.status = 'neverReached';
      step.statusReason = 'The agent could make no action of the call; it never reached the tool.';
    }
    return null;
  }
}

function timeAt(at: SpanTime | null): Step['time'] {
  return {
    startedAtNs: at?.ns ?? null,
    endedAtNs: null,
    startedAtText: at?.text ?? null,
    endedAtText: null,
    evidence: 'logged',
  };
}
