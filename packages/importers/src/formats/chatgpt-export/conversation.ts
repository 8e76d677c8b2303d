import { type ContentPart, notCaptured, type Step } from '@misstep/model';
import { type ThreadNode, threadTo } from '../../conversation-thread.ts';
import type { JsonPlace } from '../../json-place.ts';
import { firstLine } from '../../one-line.ts';
import { NO_CONTENT, type RecordFate, SetAside } from '../../record-ledger.ts';
import {
  type Answer,
  addOrigin,
  isEmptyAt,
  type Moment,
  momentAt,
  type RunWriter,
  summaryOfArguments,
  textPart,
} from '../../run-writer.ts';

/** The visible thread of a conversation, to steps; `onPath` are the ids of its nodes. */
export function threadOf(conversation: JsonPlace): {
  nodes: Map<string, ThreadNode>;
  path: string[];
} {
  const nodes = new Map<string, ThreadNode>();
  const parents = new Set<string>();
  for (const [id, place] of conversation.get('mapping').entries()) {
    const parent = place.get('parent').text();
    if (parent !== null) parents.add(parent);
    nodes.set(id, { place, parent });
  }
  const current = conversation.get('current_node').text();
  if (current !== null && nodes.has(current)) return { nodes, path: threadTo(nodes, current) };
  // Without a current node the latest leaf is what the person saw last.
  let latest: { id: string; ns: bigint } | null = null;
  for (const [id, { place }] of nodes) {
    if (parents.has(id)) continue;
    const ns = momentAt(place.get('message').get('create_time'))?.ns ?? 0n;
    if (latest === null || ns >= latest.ns) latest = { id, ns };
  }
  return { nodes, path: latest === null ? [] : threadTo(nodes, latest.id) };
}

export const NO_MESSAGE = new SetAside('a node without a message');

export class Conversation {
  readonly #writer: RunWriter;
  #model: Step | null = null;
  #answered: Step | null = null;

  constructor(writer: RunWriter) {
    this.#writer = writer;
  }

  /** Reads a node of the thread. */
  add(node: JsonPlace): RecordFate {
    const message = node.get('message');
    if (!message.isThere) return NO_MESSAGE;
    const role = message.get('author').get('role').text();
    const at = momentAt(message.get('create_time'));
    const recipient = message.get('recipient').text() ?? 'all';
    if (role === 'assistant' && recipient !== 'all') this.#addCall(node, message, recipient, at);
    else if (role === 'assistant') return this.#addModelText(node, message, at) ? null : NO_CONTENT;
    else if (role === 'tool') return this.#addResult(node, message, at) ? null : NO_CONTENT;
    else if (role === 'user' || role === 'system')
      return this.#addText(node, message, role, at) ? null : NO_CONTENT;
    else return `unknown author ${firstLine(role ?? '', 60)}`;
    return null;
  }

  #addText(node: JsonPlace, message: JsonPlace, role: string, at: Moment | null): boolean {
    this.#model = null;
    const { parts, text } = contentOf(message.get('content'));
    if (parts.length === 0) return false;
    const isContext = message.get('content').get('content_type').text() === 'user_editable_context';
    const isHidden = message.get('metadata').get('is_visually_hidden_from_conversation').isTrue();
    if (role === 'user' && !isContext && !isHidden) {
      this.#writer.userTurn(node.origin(), at, parts, text);
      return true;
    }
    const name = isContext
      ? 'Custom instructions'
      : role === 'system'
        ? 'System message'
        : 'Hidden message';
    this.#writer.note(node.origin(), at, name, parts, text);
    return true;
  }

  /** Thoughts, a call and the answer of one go are nodes of their own. */
  #modelCall(node: JsonPlace, message: JsonPlace, at: Moment | null): Step {
    if (this.#model !== null) {
      addOrigin(this.#model, node.origin());
      if (at !== null && (this.#model.time.startedAtNs ?? at.ns) <= at.ns) {
        this.#writer.endAt(this.#model, at);
      }
      return this.#model;
    }
    const model = message.get('metadata').get('model_slug').text();
    this.#writer.model ??= model;
    this.#model = this.#writer.step(node.origin(), at, {
      kind: 'model',
      name: 'Model call',
      model,
    });
    return this.#model;
  }

  #addModelText(node: JsonPlace, message: JsonPlace, at: Moment | null): boolean {
    const { parts, text } = contentOf(message.get('content'));
    if (parts.length === 0) return false;
    const step = this.#modelCall(node, message, at);
    for (const each of parts) step.content.push(each);
    if (text.trim() !== '') step.summary = firstLine(text);
    else if (step.summary === '') step.summary = '(thinking)';
    const finish = message.get('metadata').get('finish_details').get('type').text();
    if (finish === 'interrupted') {
      step.status = 'interrupted';
      step.statusReason = 'The answer was stopped.';
    }
    return true;
  }

  #addCall(node: JsonPlace, message: JsonPlace, recipient: string, at: Moment | null): void {
    const step = this.#modelCall(node, message, at);
    this.#model = null;
    if (step.summary === '' || step.summary === '(thinking)')
      step.summary = firstLine(`calls ${recipient}`);
    const given = singleText(message.get('content'));
    this.#writer.call(node.origin(), {
      name: recipient,
      callId: null,
      arguments: given.isThere ? given.value() : notCaptured('logged'),
      summary: summaryOfArguments(given),
      at,
    });
  }

  /** No ids: a result belongs to the first waiting call of its author; further ones are added to it. */
  #addResult(node: JsonPlace, message: JsonPlace, at: Moment | null): boolean {
    this.#model = null;
    const name = message.get('author').get('name').text() ?? '';
    const fits = (step: Step): boolean =>
      step.tool === name || step.tool?.split('.')[0] === name.split('.')[0];
    const content = message.get('content');
    const step = this.#writer.takeWaiting(fits);
    if (step === null) {
      const { parts, text } = contentOf(content);
      if (this.#answered?.tool !== undefined && this.#answered !== null && fits(this.#answered)) {
        for (const part of parts) this.#answered.content.push(part);
        addOrigin(this.#answered, node.origin());
      } else if (parts.length > 0)
        this.#writer.note(node.origin(), at, 'Tool message', parts, text);
      else return false;
      return true;
    }
    const place = singleText(content);
    this.#answered = step;
    this.#writer.answer(step, node.origin(), {
      ...verdictOf(message),
      result: place.isThere ? place.value() : notCaptured('logged'),
      emptyResult: isEmptyAt(place),
      at,
      pairing: { by: 'name-and-order', derived: true },
    });
    return true;
  }
}

function verdictOf(message: JsonPlace): Pick<Answer, 'status' | 'reason'> {
  const content = message.get('content');
  if (content.get('content_type').text() === 'system_error') {
    const said = content.get('text').text() ?? content.get('name').text() ?? 'The tool failed.';
    return { status: 'error', reason: firstLine(said, 200) };
  }
  const ran = message.get('metadata').get('aggregate_result');
  const exception = ran.get('in_kernel_exception');
  const status = ran.get('status').text();
  if (exception.isThere || (status !== null && /^failed/.test(status))) {
    const said = exception.get('args').items()[0]?.text() ?? exception.get('name').text() ?? status;
    return { status: 'error', reason: firstLine(said ?? 'The code failed.', 200) };
  }
  if (message.get('status').text() === 'in_progress') {
    return { status: 'unknown', reason: 'Recorded as in progress.' };
  }
  return { status: 'ok', reason: null };
}

/** The one text that a call or result is made of, else the whole content. */
function singleText(content: JsonPlace): JsonPlace {
  const text = content.get('text');
  if (text.text() !== null) return text;
  const result = content.get('result');
  if (result.text() !== null) return result;
  const parts = content.get('parts').items();
  return parts.length === 1 && parts[0]?.kind === 'string' ? parts[0] : content;
}

function contentOf(content: JsonPlace): { parts: ContentPart[]; text: string } {
  const type = content.get('content_type').text() ?? '';
  const isThought = type === 'thoughts' || type === 'reasoning_recap';
  const kind = isThought ? 'thinking' : 'text';
  const thoughts = content
    .get('thoughts')
    .items()
    .map((each) => each.get('content'));
  const named = ['text', 'content', 'result', 'user_profile', 'user_instructions'].map((key) =>
    content.get(key),
  );
  const parts: ContentPart[] = [];
  const texts: string[] = [];
  for (const place of [...content.get('parts').items(), ...thoughts, ...named]) {
    const text = place.text();
    if (text !== null && text !== '') {
      parts.push(textPart(place, kind));
      texts.push(text);
    } else if (place.kind === 'object') {
      const isImage = place.get('content_type').text() === 'image_asset_pointer';
      parts.push({ kind: isImage ? 'image' : 'other', value: place.value() });
    }
  }
  return { parts, text: isThought ? '' : texts.join('\n') };
}
