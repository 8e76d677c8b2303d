import { encodeString } from '@misstep/json';
import type { JsonView } from './json-view.ts';
import { writeObject } from './write-object.ts';

interface Item {
  begun: JsonView | null;
  whole: JsonView | null;
  text: string;
  input: string;
}

/** The answer of the Responses API from its events, for where the stream broke off before its end. */
export class StreamedItems {
  readonly #items = new Map<number, Item>();
  #response: JsonView | null = null;

  add(event: JsonView, type: string): void {
    const response = event.get('response');
    if (response?.isObject === true) this.#response = response;
    const index = event.get('output_index')?.count ?? null;
    if (index === null) return;
    const item = this.#items.get(index) ?? { begun: null, whole: null, text: '', input: '' };
    this.#items.set(index, item);
    if (type === 'response.output_item.added') item.begun = event.get('item') ?? null;
    else if (type === 'response.output_item.done') item.whole = event.get('item') ?? null;
    else if (/^response\.(output_text|refusal)\.delta$/.test(type)) {
      item.text += event.get('delta')?.text ?? '';
    } else if (/^response\.\w+_(arguments|input)\.delta$/.test(type)) {
      item.input += event.get('delta')?.text ?? '';
    }
  }

  /** True where an answer holds at least as many items as its events began: it tells all of them. */
  areIn(answer: JsonView): boolean {
    const told = answer.get('output')?.items.length ?? 0;
    return told >= [...this.#items.values()].filter((item) => writeItem(item).length > 0).length;
  }

  /** The whole answer as JSON as far as it came, with the error of an event of its own; null where nothing came. */
  written(error: JsonView | null): string | null {
    const items = [...this.#items].sort(([a], [b]) => a - b).flatMap(([, item]) => writeItem(item));
    // That it was begun is all that is known of one that broke off at once.
    if (items.length === 0 && (error !== null || this.#response === null)) return null;
    const members = ['"object":"response"', `"output":[${items.join(',')}]`];
    for (const key of ['id', 'model', 'tools', 'status', 'error', 'usage']) {
      const told = this.#response?.firstOf(key);
      const value = key === 'error' ? (told ?? error) : told;
      if (value) members.push(`${encodeString(key)}:${value.written}`);
    }
    return `{${members.join(',')}}`;
  }
}

function writeItem({ begun, whole, text, input }: Item): string[] {
  if (whole !== null) return [whole.written];
  if (begun === null) return [];
  const members = new Map([...begun.entries].map(([key, value]) => [key, value.written]));
  if (text !== '') {
    members.set('content', `[{"type":"output_text","text":${encodeString(text)}}]`);
  }
  if (input !== '') {
    const key = begun.get('type')?.text === 'custom_tool_call' ? 'input' : 'arguments';
    members.set(key, encodeString(input));
  }
  return [writeObject(members)];
}
