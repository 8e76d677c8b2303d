import { encodeString } from '@misstep/json';
import type { StreamBreak } from './broken-stream.ts';
import { assembledView, type JsonView } from './json-view.ts';
import { type RecordLedger, type RecordSpan, SetAside } from './record-ledger.ts';
import { StreamedChunks } from './streamed-chunks.ts';
import { StreamedItems } from './streamed-items.ts';
import { writeObject } from './write-object.ts';

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
  chunks: StreamedChunks | null;
  items: StreamedItems | null;
  /** What the API said in place of the rest. */
  error: JsonView | null;
  /** The end was told. */
  isEnded: boolean;
  /** Events so far. */
  readonly pieces: RecordSpan[];
}

/** An answer as its events tell it. */
export interface StreamedAnswer {
  /** Whole, as an event holds it, or put together from the pieces. */
  readonly answer: JsonView;
  /** Where it began. */
  readonly began: JsonView;
  /** True where its end was not told: more may have followed. */
  readonly brokeOff: boolean;
  /** True where it was put together: what an event lost is lost to it. */
  readonly isPieced: boolean;
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
    if (type === '' && this.#addFailure(event)) return true;
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
    for (const { whole, items, pieces } of this.#answers) {
      if (whole === null || items?.areIn(whole) === false) continue;
      for (const piece of pieces) ledger.setAsideLate(piece, PIECE);
    }
    for (const sign of this.#signs) ledger.setAsideLate(sign, KEEP_ALIVE);
  }

  /** The sign behind the last event of a stream: whatever came is all there is. */
  end(): void {
    for (const answer of this.#answers) answer.isEnded = true;
  }

  finish(): StreamedAnswer[] {
    return this.#answers.flatMap((each) => {
      const { whole, items, first } = each;
      // An answer that failed leaves out what it had said until then.
      const isTold = whole !== null && items?.areIn(whole) !== false;
      const answer = isTold ? whole : (assemble(each) ?? whole);
      if (answer === null) return [];
      const isPieced = answer !== whole;
      return [{ answer, began: first, brokeOff: !hasEnded(each), isPieced }];
    });
  }

  #begin(first: JsonView): Streamed {
    const answer: Streamed = {
      first,
      whole: null,
      message: null,
      usage: null,
      blocks: new Map(),
      chunks: null,
      items: null,
      error: null,
      isEnded: false,
      pieces: [],
    };
    this.#answers.push(answer);
    return answer;
  }

  #addResponse(event: JsonView, type: string): boolean {
    const response = event.get('response');
    if (type === 'response.created' || this.#answers.length === 0) this.#begin(event);
    const answer = this.#answers.at(-1);
    if (answer !== undefined) {
      answer.items ??= new StreamedItems();
      answer.items.add(event, type);
    }
    const isEnd = /^response\.(completed|failed|incomplete|cancelled)$/.test(type);
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
        block.text += delta.firstOf('text', 'thinking', 'content')?.text ?? '';
        block.input += delta.get('partial_json')?.text ?? '';
      }
    } else if (type === 'message_delta') {
      answer.usage = event.get('usage') ?? answer.usage;
      if (event.at('delta', 'stop_reason')?.text != null) answer.isEnded = true;
    } else if (type === 'message_stop') {
      answer.isEnded = true;
    } else if (type === 'error') {
      // The Responses API says it in the event itself.
      answer.error = event.firstOf('error') ?? event;
    }
    return true;
  }

  /** Between chunks an error stands without a type; by itself it is an answer like others. */
  #addFailure(event: JsonView): boolean {
    const error = event.get('error');
    const last = this.#answers.at(-1);
    if (error?.isObject !== true || event.get('choices') !== undefined) return false;
    if (last === undefined || last.chunks === null || last.chunks.isDone) return false;
    last.chunks.fail(error);
    return true;
  }

  #addChunk(event: JsonView): boolean {
    const id = event.get('id')?.text ?? null;
    // Streams at once keep apart by their ids.
    const known = this.#answers.findLast(({ chunks }) => chunks !== null && chunks.id === id);
    const isKnown = known !== undefined && known.chunks?.isAfter(event) === false;
    const answer = isKnown ? known : this.#begin(event);
    answer.chunks ??= new StreamedChunks(id);
    answer.chunks.add(event);
    return true;
  }
}

/** Where an answer lacks something; `isDamaged`: an event behind its beginning can't be read. */
export function breakOf(
  { brokeOff, isPieced }: StreamedAnswer,
  isDamaged: boolean,
): StreamBreak | null {
  if (brokeOff) return 'end';
  return isDamaged && isPieced ? 'middle' : null;
}

function hasEnded({ whole, error, chunks, isEnded }: Streamed): boolean {
  return isEnded || whole !== null || error !== null || chunks?.isDone === true;
}

function assemble(answer: Streamed): JsonView | null {
  const { first, message, blocks, chunks, items, usage, error } = answer;
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
    if (error !== null) members.push(`"error":${error.written}`);
  } else {
    if (error !== null) chunks?.fail(error);
    const written = chunks?.written(hasEnded(answer)) ?? items?.written(error) ?? null;
    if (written !== null) return assembledView(written, first.origin);
    return error === null ? null : assembledView(`{"error":${error.written}}`, first.origin);
  }
  return assembledView(`{${members.join(',')}}`, first.origin);
}

/**
 * Numbers of the last `message_delta` replace those of the start: they are totals. The start counts a
 * token or a few before any is there: without an end the output is not known.
 */
function writeUsage(start: JsonView | undefined, last: JsonView | null): string {
  const merged = new Map<string, string>();
  for (const [key, value] of start?.entries ?? []) merged.set(key, value.written);
  if (last === null) merged.delete('output_tokens');
  for (const [key, value] of last?.entries ?? []) if (!value.isNull) merged.set(key, value.written);
  return writeObject(merged);
}

function writeBlock({ start, text, input }: OpenBlock): string {
  const type = start.get('type')?.text ?? '';
  const members = new Map([...start.entries].map(([key, value]) => [key, value.written]));
  const key = type === 'compaction' ? 'content' : type;
  if (key === 'content' || key === 'text' || key === 'thinking') {
    const before = start.get(key)?.text ?? '';
    members.set(key, encodeString(before + text));
  }
  // Input that was cut off is no JSON: it is kept as the text that came.
  if (input !== '') members.set('input', isJson(input) ? input : encodeString(input));
  return writeObject(members);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
