import { encodeString } from '@misstep/json';
import { assembledView, type JsonView } from '../../json-view.ts';
import { writeObject } from '../../write-object.ts';

/** The message's own fields, in whatever of the three ways it is written. */
export function bodyOf(item: JsonView): JsonView {
  return item.get('kwargs') ?? item.get('data') ?? item;
}

/** Pieces of a streamed message, in order. */
export type Chunks = readonly [JsonView, ...JsonView[]];

/**
 * A message from its pieces, as LangChain adds them up: texts and the text of arguments go on, token
 * counts are summed. One piece that holds the whole message stays as it is written.
 */
export function messageOfChunks(chunks: Chunks): JsonView {
  const [first, ...more] = chunks;
  const bodies = chunks.map(bodyOf);
  if (more.length === 0 && !isPartial(bodyOf(first))) return first;
  const members = [`"type":"ai"`];
  const add = (key: string, written: string | undefined): void => {
    if (written !== undefined) members.push(`${encodeString(key)}:${written}`);
  };
  add('id', firstIn(bodies, 'id')?.written);
  add('name', firstIn(bodies, 'name')?.written);
  const calls = new StreamedCalls();
  for (const body of bodies) calls.add(body);
  add('content', contentOf(bodies, calls.isTold));
  add('reasoning_content', thoughtsOf(bodies));
  add('tool_calls', calls.written());
  add('usage_metadata', usageOf(bodies));
  const model = firstIn(bodies, 'response_metadata', 'model_name');
  const named = model ?? firstIn(bodies, 'response_metadata', 'model');
  if (named !== undefined) add('response_metadata', `{"model_name":${named.written}}`);
  return assembledView(`{${members.join(',')}}`, first.origin) ?? first;
}

/** Pieces of calls of which the piece itself makes no whole call. */
function isPartial(body: JsonView): boolean {
  const pieces = body.get('tool_call_chunks')?.items ?? [];
  return pieces.length > 0 && (body.get('tool_calls')?.items.length ?? 0) === 0;
}

function firstIn(bodies: readonly JsonView[], ...keys: string[]): JsonView | undefined {
  return bodies.map((body) => body.at(...keys)).find((found) => found && !found.isNull);
}

interface StreamedCall {
  readonly index: string | null;
  id: string;
  name: string;
  input: string;
}

/** Calls of which a stream tells piece by piece; older versions keep them as the provider sent them. */
class StreamedCalls {
  readonly #calls: StreamedCall[] = [];
  #whole: string[] = [];

  /** Whether there are any, so that the content needs not tell them too. */
  get isTold(): boolean {
    return this.#calls.length + this.#whole.length > 0;
  }

  add(body: JsonView): void {
    const pieces = body.get('tool_call_chunks')?.items ?? [];
    for (const piece of pieces) this.#addPiece(piece, piece);
    if (pieces.length > 0) return;
    const whole = (body.get('tool_calls')?.items ?? []).filter(
      (call) => (call.get('name')?.text ?? '') !== '',
    );
    if (whole.length > 0) {
      for (const call of whole) this.#whole.push(call.written);
      return;
    }
    for (const piece of body.at('additional_kwargs', 'tool_calls')?.items ?? []) {
      this.#addPiece(piece, piece.get('function') ?? piece);
    }
    const single = body.at('additional_kwargs', 'function_call');
    if (single?.isObject === true) this.#addPiece(single, single);
  }

  written(): string | undefined {
    if (!this.isTold) return undefined;
    const calls = this.#calls.map(
      ({ id, name, input }) =>
        `{"id":${id === '' ? 'null' : encodeString(id)},"name":${encodeString(name)},"args":${encodeString(input)}}`,
    );
    return `[${[...this.#whole, ...calls].join(',')}]`;
  }

  #addPiece(piece: JsonView, holder: JsonView): void {
    const index = piece.get('index');
    const place = index === undefined || index.isNull ? null : index.written;
    const id = piece.get('id')?.text ?? '';
    const known = this.#calls.findLast((call) =>
      place === null ? id === '' || call.id === id : call.index === place,
    );
    // A second id at one index is another call (providers that count none of them).
    const isNext = known === undefined || (id !== '' && known.id !== '' && known.id !== id);
    const call = isNext ? { index: place, id, name: '', input: '' } : known;
    if (isNext) this.#calls.push(call);
    call.id ||= id;
    call.name ||= holder.get('name')?.text ?? '';
    const given = holder.firstOf('args', 'arguments');
    call.input += given?.text ?? given?.written ?? '';
  }
}

const CALL_BLOCK = /^(tool_use|input_json_delta|function_call|tool_call|tool_call_chunk)$/;
/** What goes on from piece to piece of one block. */
const GOES_ON = ['text', 'thinking', 'reasoning', 'partial_json', 'arguments', 'refusal'];

function contentOf(bodies: readonly JsonView[], withoutCalls: boolean): string {
  const contents = bodies.flatMap((body) => body.get('content') ?? []);
  if (contents.every(({ isArray }) => !isArray)) {
    return encodeString(contents.map(({ text }) => text ?? '').join(''));
  }
  const blocks: { index: string | null; type: string; members: Map<string, Member> }[] = [];
  for (const content of contents) {
    for (const block of content.isArray ? content.items : [content]) {
      const own = block.text;
      if (own === '') continue;
      const type = own === null ? (block.get('type')?.text ?? '') : 'text';
      if (withoutCalls && CALL_BLOCK.test(type)) continue;
      const index = block.get('index')?.written ?? null;
      const last = index === null ? blocks.at(-1) : blocks.findLast((each) => each.index === index);
      const joins =
        last !== undefined &&
        (last.type === type || type.endsWith('_delta')) &&
        last.index === index;
      const members = joins ? last.members : new Map<string, Member>();
      if (!joins) blocks.push({ index, type, members });
      if (own !== null) members.set('type', '"text"');
      for (const [key, value] of own === null ? block.entries : new Map([['text', block]])) {
        const before = members.get(key);
        const text = GOES_ON.includes(key) ? value.text : null;
        if (text === null) members.set(key, value.written);
        else if (Array.isArray(before)) before.push(text);
        else members.set(key, [text]);
      }
    }
  }
  const written = blocks.map(({ members }) => {
    const partial = members.get('partial_json');
    if (partial !== undefined) members.set('input', partial);
    members.delete('partial_json');
    return writeObject([...members].map(([key, member]) => [key, writeMember(member)] as const));
  });
  return `[${written.join(',')}]`;
}

/** A value as it is written, or the pieces of a text: put together once, since there may be very many. */
type Member = string | string[];

function writeMember(member: Member): string {
  return Array.isArray(member) ? encodeString(member.join('')) : member;
}

function thoughtsOf(bodies: readonly JsonView[]): string | undefined {
  const texts = bodies.flatMap(
    (body) => body.at('additional_kwargs', 'reasoning_content')?.text ?? [],
  );
  return texts.length === 0 ? undefined : encodeString(texts.join(''));
}

/** Each piece counts what it adds. */
function usageOf(bodies: readonly JsonView[]): string | undefined {
  const totals = new Map<string, number>();
  const details = new Map<string, number>();
  for (const body of bodies) {
    const usage = body.get('usage_metadata');
    for (const [key, value] of usage?.entries ?? []) addCount(totals, key, value);
    for (const [key, value] of usage?.get('input_token_details')?.entries ?? []) {
      addCount(details, key, value);
    }
  }
  if (totals.size === 0) return undefined;
  const inner: [string, string][] =
    details.size > 0 ? [['input_token_details', writeObject(details)]] : [];
  return writeObject([...totals, ...inner]);
}

function addCount(counts: Map<string, number>, key: string, { count }: JsonView): void {
  if (count !== null) counts.set(key, (counts.get(key) ?? 0) + count);
}
