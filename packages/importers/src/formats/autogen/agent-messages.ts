import type { Step } from '@misstep/model';
import { fateOfMessage, readChatMessage, readContent } from '../../chat-message.ts';
import type { ChatPart, ChatRole } from '../../chat-parts.ts';
import { type ChatRun, partOf } from '../../chat-run.ts';
import { readUsage } from '../../chat-usage.ts';
import type { JsonView } from '../../json-view.ts';
import { firstLine, oneLine } from '../../one-line.ts';
import { SetAside } from '../../record-ledger.ts';
import type { SpanTime } from '../../trace-span.ts';
import type { ValueContext } from '../../value-source.ts';

const MESSAGE =
  /^(Text|System|User|Assistant|MultiModal|Handoff|Stop|FunctionExecutionResult|ToolCallSummary|StructuredMessage.*)Message$|^(ToolCallRequest|ToolCallExecution|MemoryQuery|Thought|UserInputRequested|ModelClientStreamingChunk|CodeGeneration|CodeExecution|SelectSpeaker|Selector)Event$/;

/** What the program says of itself, with no model asked for it. */
const BY_PROGRAM =
  /^(ToolCallSummary|Stop|Handoff)Message$|^(MemoryQuery|UserInputRequested|CodeExecution|SelectSpeaker)Event$/;

const CHUNK = new SetAside('a piece of a streamed answer, which follows as a whole');

/** A message or an event of AgentChat, by its type. */
export function isAgentMessage(type: string): boolean {
  return MESSAGE.test(type);
}

/** An answer of which only thoughts and pieces are there so far. */
interface Begun {
  readonly step: Step;
  readonly chunks: { readonly place: JsonView; readonly context: ValueContext }[];
}

/** Messages of AgentChat: they have a source and a type in place of a role. */
export class AgentMessages {
  readonly #run: ChatRun;
  /** By who says it. */
  readonly #begun = new Map<string, Begun>();

  constructor(run: ChatRun) {
    this.#run = run;
  }

  add(item: JsonView, context: ValueContext): void {
    const type = item.get('type')?.text ?? '';
    const source = item.get('source')?.text ?? null;
    const startedAt = context.clock.read(item.get('created_at'));
    if (type === 'ModelClientStreamingChunkEvent') {
      this.#begin(item, source, startedAt).chunks.push({ place: item, context });
      return;
    }
    const role = roleOf(item, type);
    const message =
      role === null
        ? readChatMessage(item)
        : {
            ...readContent(role, item.firstOf('content', 'result'), item),
            speaker: role === 'other' ? nameOf(source, type) : source,
          };
    context.ledger.take(item.origin, fateOfMessage(message));
    if (message === null) return;
    if (type === 'ThoughtEvent' && role === 'assistant') {
      this.#think(this.#begin(item, source, startedAt).step, message.parts);
      return;
    }
    const usage = readUsage(item.firstOf('models_usage'));
    const head = this.#run.add(message, { startedAt, usage });
    if (head?.kind !== 'model') return;
    if (message.speaker) head.name = message.speaker;
    this.#complete(head, source);
  }

  /** What is left when the source ends: answers that no whole message followed. */
  finish(): void {
    for (const [source, { step, chunks }] of this.#begun) {
      if (chunks.length === 0) continue;
      const places = chunks.flatMap(({ place }) => place.get('content') ?? []);
      for (const { context } of chunks) context.ledger.understood();
      step.kind = 'model';
      step.name = source || 'Model call';
      for (const place of places) step.content.push({ kind: 'text', value: place.value('logged') });
      step.summary = firstLine(places.map(({ text }) => text ?? '').join('')) || step.summary;
      step.status = 'interrupted';
      step.statusReason = 'The source holds pieces of the answer and no whole one.';
    }
    this.#begun.clear();
  }

  /** The step of what this one is about to say. */
  #begin(item: JsonView, source: string | null, startedAt: SpanTime | null): Begun {
    const known = this.#begun.get(source ?? '');
    if (known !== undefined) {
      known.step.moreOrigins.push(item.origin);
      return known;
    }
    const step = this.#run.step(item.origin, {
      kind: 'note',
      name: nameOf(source, 'Thought'),
      time: {
        startedAtNs: startedAt?.ns ?? null,
        endedAtNs: null,
        startedAtText: startedAt?.text ?? null,
        endedAtText: null,
        evidence: 'logged',
      },
    });
    const begun = { step, chunks: [] };
    this.#begun.set(source ?? '', begun);
    return begun;
  }

  #think(step: Step, parts: readonly ChatPart[]): void {
    for (const part of parts) step.content.push(partOf({ ...part, kind: 'thinking' }));
    step.summary ||= firstLine(parts.flatMap(({ text }) => text ?? []).join('\n'));
  }

  /** A thought is what the model call thought whose message follows; that call begins with it. */
  #complete(head: Step, source: string | null): void {
    const begun = this.#begun.get(source ?? '');
    if (begun === undefined) return;
    const { step, chunks } = begun;
    this.#begun.delete(source ?? '');
    for (const { place, context } of chunks) context.ledger.setAside(place.origin, CHUNK);
    // What was there before the message came keeps its id.
    head.id = step.id;
    head.content.unshift(...step.content);
    head.moreOrigins.push(step.origin, ...step.moreOrigins);
    // It stands near the end.
    this.#run.steps.splice(this.#run.steps.lastIndexOf(step), 1);
  }
}

function roleOf(item: JsonView, type: string): ChatRole | null {
  if (!MESSAGE.test(type)) return null;
  if (/^(FunctionExecutionResultMessage|ToolCallExecutionEvent)$/.test(type)) return 'tool';
  if (type === 'SystemMessage') return 'system';
  const isUser = item.get('source')?.text?.toLowerCase() === 'user';
  if (type === 'UserMessage' || isUser) return 'user';
  return BY_PROGRAM.test(type) ? 'other' : 'assistant';
}

/** What the program says, with what it is: "Counter: tool call summary". */
function nameOf(source: string | null, type: string): string {
  const words = type
    .replace(/(Message|Event)$/, '')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
  return oneLine(source === null ? words : `${source}: ${words}`, 60);
}
