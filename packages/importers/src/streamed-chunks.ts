import { encodeString } from '@misstep/json';
import type { JsonView } from './json-view.ts';
import { objectsIn } from './listed-objects.ts';
import { writeObject } from './write-object.ts';

interface StreamedCall {
  id: string;
  name: string;
  input: string;
}

/** One of the answers that were asked for at once. */
interface Choice {
  text: string;
  thoughts: string;
  refusal: string;
  isDone: boolean;
  readonly calls: Map<number, StreamedCall>;
  single: StreamedCall | null;
}

/** The answer of OpenAI chat completions from its chunks, each choice by itself. */
export class StreamedChunks {
  readonly id: string | null;
  readonly #choices = new Map<number, Choice>();
  #model: JsonView | null = null;
  #usage: JsonView | null = null;
  #error: JsonView | null = null;
  #isDone = false;

  constructor(id: string | null) {
    this.id = id;
  }

  /** A role is given where an answer begins: behind its end under the same id it is another's. */
  isAfter(event: JsonView): boolean {
    return objectsIn(event.get('choices')).some((choice) => {
      const known = this.#choices.get(choice.get('index')?.count ?? 0);
      return known?.isDone === true && choice.at('delta', 'role') !== undefined;
    });
  }

  add(event: JsonView): void {
    this.#model ??= event.firstOf('model') ?? null;
    const usage = event.get('usage');
    if (usage?.isObject === true) {
      this.#usage = usage;
      // The tokens of the whole stand behind the end, in a chunk of no choice.
      if (event.get('choices')?.items.length === 0) this.#isDone = true;
    }
    const error = event.get('error');
    if (error?.isObject === true) this.fail(error);
    for (const choice of objectsIn(event.get('choices'))) {
      const index = choice.get('index')?.count ?? 0;
      const known = this.#choices.get(index) ?? makeChoice();
      this.#choices.set(index, known);
      const delta = choice.get('delta');
      known.text += delta?.get('content')?.text ?? '';
      known.thoughts += delta?.firstOf('reasoning_content', 'reasoning')?.text ?? '';
      known.refusal += delta?.get('refusal')?.text ?? '';
      for (const call of objectsIn(delta?.get('tool_calls'))) {
        addPiece(known.calls, call);
      }
      const single = delta?.get('function_call');
      if (single?.isObject === true) {
        known.single ??= { id: '', name: '', input: '' };
        known.single.name ||= single.get('name')?.text ?? '';
        known.single.input += single.get('arguments')?.text ?? '';
      }
      if (choice.firstOf('finish_reason') !== undefined) known.isDone = true;
    }
  }

  /** True where the end of every choice was told, or why there is none. */
  get isDone(): boolean {
    const choices = [...this.#choices.values()];
    return (
      this.#isDone ||
      this.#error !== null ||
      (choices.length > 0 && choices.every(({ isDone }) => isDone))
    );
  }

  /** What the API said in place of the rest. */
  fail(error: JsonView): void {
    this.#error = error;
  }

  /** The whole answer as JSON; null where the chunks say nothing. */
  written(isWhole: boolean): string | null {
    const choices = [...this.#choices].sort(([a], [b]) => a - b);
    const isSaid = choices.some(([, { text, thoughts, refusal, calls, single }]) => {
      return text + thoughts + refusal !== '' || calls.size > 0 || single !== null;
    });
    if (!isSaid && this.#usage === null && this.#error === null) return null;
    const members: string[] = [];
    if (this.id !== null) members.push(`"id":${encodeString(this.id)}`);
    if (this.#model !== null) members.push(`"model":${this.#model.written}`);
    if (this.#usage !== null) members.push(`"usage":${writeUsage(this.#usage, isWhole)}`);
    if (this.#error !== null) members.push(`"error":${this.#error.written}`);
    members.push(`"choices":[${choices.map(writeChoice).join(',')}]`);
    return `{${members.join(',')}}`;
  }
}

/** Some count up with every chunk: of an answer that broke off that is no count of its tokens. */
function writeUsage(usage: JsonView, isWhole: boolean): string {
  if (isWhole) return usage.written;
  const members = new Map([...usage.entries].map(([key, value]) => [key, value.written]));
  members.delete('completion_tokens');
  return writeObject(members);
}

const makeChoice = (): Choice => ({
  text: '',
  thoughts: '',
  refusal: '',
  isDone: false,
  calls: new Map(),
  single: null,
});

function addPiece(calls: Map<number, StreamedCall>, piece: JsonView): void {
  const id = piece.get('id')?.text ?? '';
  const index = piece.get('index')?.count ?? indexOf(calls, id);
  const known = calls.get(index) ?? { id: '', name: '', input: '' };
  known.id ||= id;
  known.name ||= piece.at('function', 'name')?.text ?? '';
  const given = piece.at('function', 'arguments');
  known.input += given?.text ?? (given?.isObject === true ? given.written : '');
  calls.set(index, known);
}

/** Providers that count no calls begin each with its id. */
function indexOf(calls: ReadonlyMap<number, StreamedCall>, id: string): number {
  for (const [index, call] of calls) if (id !== '' && call.id === id) return index;
  return id === '' ? Math.max(0, calls.size - 1) : calls.size;
}

function writeChoice([index, choice]: [number, Choice]): string {
  const { text, thoughts, refusal, calls, single } = choice;
  const written = [...calls]
    .sort(([a], [b]) => a - b)
    .map(
      ([, { id, name, input }]) =>
        `{"id":${encodeString(id)},"type":"function","function":{"name":${encodeString(name)},"arguments":${encodeString(input)}}}`,
    );
  const members = ['"role":"assistant"', `"content":${encodeString(text)}`];
  if (thoughts !== '') members.push(`"reasoning_content":${encodeString(thoughts)}`);
  if (refusal !== '') members.push(`"refusal":${encodeString(refusal)}`);
  if (written.length > 0) members.push(`"tool_calls":[${written.join(',')}]`);
  if (single !== null) {
    members.push(
      `"function_call":{"name":${encodeString(single.name)},"arguments":${encodeString(single.input)}}`,
    );
  }
  return `{"index":${index},"message":{${members.join(',')}}}`;
}
