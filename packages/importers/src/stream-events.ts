import { encodeString } from '@misstep/json';
import { assembledView, type JsonView } from './json-view.ts';
import { objectsIn } from './listed-objects.ts';
import { type RecordLedger, type RecordSpan, SetAside } from './record-ledger.ts';

interface OpenBlock {
  readonly start: JsonView;
  text: string;
  input: string;
}

/** The answer of one streamed request, as far as its events tell it. */
interface Streamed {
  readonly first: JsonView;
  whole: JsonView | null;
  message: JsonView | null;
  usage: JsonView | null;
  readonly blocks: Map<number, OpenBlock>;
  text: string;
  readonly calls: Map<number, { id: string; name: string; input: string }>;
  model: string | null;
  id: string | null;
  /** Events so far. */
  readonly pieces: RecordSpan[];
}

/** Of an answer that an event holds whole. */
const PIECE = new SetAside('a piece of an answer that a later event holds whole');
const KEEP_ALIVE = new SetAside('a sign that the connection lives');

/**
 * Events of a streamed answer (Anthropic messages, OpenAI chat chunks, OpenAI Responses) to the
 * answer that they make. What was cut off stays as far as it came.
 */
export class StreamEvents {
  readonly #answers: Streamed[] = [];
  readonly #signs: RecordSpan[] = [];

  /** False where the value is no event of a stream. */
  add(event: JsonView): boolean {
    const type = event.get('type')?.text ?? '';
    if (event.get('object')?.text === 'chat.completion.chunk') return this.#addChunk(event);
    if (type.startsWith('response.')) return this.#addResponse(event, type);
    if (type === 'message_start') {
      const answer = this.#begin(event);
      answer.message = event.get('message') ?? null;
      return true;
    }
    return this.#addAnthropic(event, type);
  }

  /** Records that turned out to give nothing: their answer stands whole elsewhere, or never comes. */
  account(ledger: RecordLedger): void {
    for (const { whole, pieces } of this.#answers) {
      if (whole === null) continue;
      for (const piece of pieces) ledger.setAsideLate(piece, PIECE);
    }
    for (const sign of this.#signs) ledger.setAsideLate(sign, KEEP_ALIVE);
  }

  /** The answers, whole: as an event holds it, or put together from the pieces; and where each began. */
  finish(): { readonly answer: JsonView; readonly began: JsonView }[] {
    return this.#answers.flatMap((each) => {
      const answer = each.whole ?? assemble(each);
      return answer === null ? [] : [{ answer, began: each.first }];
    });
  }

  #begin(first: JsonView): Streamed {
    const answer: Streamed = {
      first,
      whole: null,
      message: null,
      usage: null,
      blocks: new Map(),
      text: '',
      calls: new Map(),
      model: null,
      id: null,
      pieces: [],
    };
    this.#answers.push(answer);
    return answer;
  }

  #addResponse(event: JsonView, type: string): boolean {
    const response = event.get('response');
    if (type === 'response.created' || this.#answers.length === 0) this.#begin(event);
    const answer = this.#answers.at(-1);
    const isEnd = /^response\.(completed|failed|incomplete)$/.test(type);
    if (isEnd && response?.isObject === true && answer !== undefined) answer.whole = response;
    // What the answer is known by is where it began.
    else if (answer?.first !== event) answer?.pieces.push(event.origin);
    return true;
  }

  #addAnthropic(event: JsonView, type: string): boolean {
    const isKnown = /^(content_block_(start|delta|stop)|message_(delta|stop)|ping|error)$/.test(
      type,
    );
    if (!isKnown) return false;
    if (type === 'ping') {
      this.#signs.push(event.origin);
      return true;
    }
    const index = event.get('index')?.count ?? 0;
    let answer = this.#answers.at(-1) ?? this.#begin(event);
    if (type === 'content_block_start') {
      // A block that begins again is one of another answer, whose beginning is missing.
      if (answer.blocks.has(index)) answer = this.#begin(event);
      const start = event.get('content_block');
      if (start !== undefined) answer.blocks.set(index, { start, text: '', input: '' });
    } else if (type === 'content_block_delta') {
      const block = answer.blocks.get(index);
      const delta = event.get('delta');
      if (block !== undefined && delta !== undefined) {
        block.text += delta.firstOf('text', 'thinking')?.text ?? '';
        block.input += delta.get('partial_json')?.text ?? '';
      }
    } else if (type === 'message_delta') {
      answer.usage = event.get('usage') ?? answer.usage;
    }
    return true;
  }

  #addChunk(event: JsonView): boolean {
    const id = event.get('id')?.text ?? null;
    let answer = this.#answers.at(-1);
    if (answer === undefined || answer.id !== id) {
      answer = this.#begin(event);
      answer.id = id;
      answer.model = event.get('model')?.text ?? null;
    }
    const usage = event.get('usage');
    if (usage?.isObject === true) answer.usage = usage;
    const delta = objectsIn(event.get('choices'))[0]?.get('delta');
    answer.text += delta?.get('content')?.text ?? '';
    for (const call of objectsIn(delta?.get('tool_calls'))) {
      const index = call.get('index')?.count ?? 0;
      const known = answer.calls.get(index) ?? { id: '', name: '', input: '' };
      known.id ||= call.get('id')?.text ?? '';
      known.name ||= call.at('function', 'name')?.text ?? '';
      known.input += call.at('function', 'arguments')?.text ?? '';
      answer.calls.set(index, known);
    }
    return true;
  }
}

function assemble(answer: Streamed): JsonView | null {
  const { first, message, blocks, calls, usage, text } = answer;
  const members: string[] = [];
  if (message !== null || blocks.size > 0) {
    members.push('"type":"message"', '"role":"assistant"');
    for (const key of ['id', 'model']) {
      const value = message?.get(key);
      if (value !== undefined) members.push(`${encodeString(key)}:${value.written}`);
    }
    members.push(`"usage":${writeUsage(message?.get('usage'), usage)}`);
    const inOrder = [...blocks].sort(([a], [b]) => a - b);
    members.push(`"content":[${inOrder.map(([, block]) => writeBlock(block)).join(',')}]`);
  } else if (text !== '' || calls.size > 0) {
    if (answer.id !== null) members.push(`"id":${encodeString(answer.id)}`);
    if (answer.model !== null) members.push(`"model":${encodeString(answer.model)}`);
    if (usage !== null) members.push(`"usage":${usage.written}`);
    const written = [...calls]
      .sort(([a], [b]) => a - b)
      .map(
        ([, { id, name, input }]) =>
          `{"id":${encodeString(id)},"type":"function","function":{"name":${encodeString(name)},"arguments":${encodeString(input)}}}`,
      );
    members.push(
      `"choices":[{"message":{"role":"assistant","content":${encodeString(text)},"tool_calls":[${written.join(',')}]}}]`,
    );
  } else return null;
  return assembledView(`{${members.join(',')}}`, first.origin);
}

/** Numbers of the last `message_delta` replace those of the start: they are totals. */
function writeUsage(start: JsonView | undefined, last: JsonView | null): string {
  const merged = new Map<string, string>();
  for (const [key, value] of start?.entries ?? []) merged.set(key, value.written);
  for (const [key, value] of last?.entries ?? []) if (!value.isNull) merged.set(key, value.written);
  return `{${[...merged].map(([key, written]) => `${encodeString(key)}:${written}`).join(',')}}`;
}

function writeBlock({ start, text, input }: OpenBlock): string {
  const type = start.get('type')?.text ?? '';
  const members = new Map([...start.entries].map(([key, value]) => [key, value.written]));
  if (type === 'text' || type === 'thinking') {
    const before = start.get(type)?.text ?? '';
    members.set(type, encodeString(before + text));
  }
  // Input that was cut off is no JSON: it is kept as the text that came.
  if (input !== '') members.set('input', isJson(input) ? input : encodeString(input));
  return `{${[...members].map(([key, written]) => `${encodeString(key)}:${written}`).join(',')}}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
