import type { Step, StepId } from '@misstep/model';
import { OPENING } from './continuation.ts';
import type { RunSource } from './run-sources.ts';
import { stepIdAt } from './step-builder.ts';

const FIRST_CAPACITY = 256;

/** Where records of one source stand in another, in 16 bytes each. */
class Places {
  #from = new Float64Array(FIRST_CAPACITY);
  #to = new Float64Array(FIRST_CAPACITY);
  #count = 0;

  add(from: number, to: number): void {
    if (this.#count === this.#from.length) {
      this.#from = doubled(this.#from);
      this.#to = doubled(this.#to);
    }
    this.#from[this.#count] = from;
    this.#to[this.#count] = to;
    this.#count += 1;
  }

  /** -1 = nowhere. Copies mostly stand in the order of what they copy. */
  find(from: number): number {
    this.#sort();
    let [low, high] = [0, this.#count - 1];
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const at = this.#from[middle] ?? 0;
      if (at === from) return this.#to[middle] ?? -1;
      if (at < from) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  #sorted = 0;

  #sort(): void {
    if (this.#sorted === this.#count) return;
    this.#sorted = this.#count;
    const [from, to] = [this.#from, this.#to];
    const order = Uint32Array.from({ length: this.#count }, (_each, index) => index);
    order.sort((a, b) => (from[a] ?? 0) - (from[b] ?? 0) || a - b);
    this.#from = Float64Array.from(order, (index) => from[index] ?? 0);
    this.#to = Float64Array.from(order, (index) => to[index] ?? 0);
  }
}

function doubled(values: Float64Array): Float64Array<ArrayBuffer> {
  const more = new Float64Array(values.length * 2);
  more.set(values);
  return more;
}

/**
 * A step that was read of a copy first is called by where the copy stands, and a mark may hang on it.
 * Once the original is here the step is read of that one, and keeps its name.
 */
export class StepAliases {
  /** By the number of the original's source, and then by that of the copy's. */
  readonly #places = new Map<RunSource, Map<RunSource, Places>>();

  /** The record at `offset` is read; the one at `copyOffset` repeats it. */
  note(read: RunSource, offset: number, copy: RunSource, copyOffset: number): void {
    if (copy.rank >= read.rank) return;
    const byCopy = this.#places.get(read) ?? new Map<RunSource, Places>();
    this.#places.set(read, byCopy);
    const places = byCopy.get(copy) ?? new Places();
    byCopy.set(copy, places);
    places.add(offset, copyOffset);
  }

  apply(streams: readonly (readonly Step[])[]): void {
    if (this.#places.size === 0) return;
    const above = new Set<StepId>();
    for (const stream of streams) {
      for (const { parentId } of stream) if (parentId !== null) above.add(parentId);
    }
    const renamed = new Map<StepId, StepId>();
    for (const [read, byCopy] of this.#places) {
      const copies = [...byCopy].sort(([a], [b]) => a.rank - b.rank);
      const prefix = stepIdAt(0, 0, read.part).replace(/0-0$/, '');
      for (const stream of streams) {
        for (const step of stream) {
          const at = step.id.startsWith(prefix) ? placeIn(step.id.slice(prefix.length)) : null;
          if (at === null) continue;
          for (const [copy, places] of copies) {
            const offset = places.find(at.offset);
            if (offset < 0) continue;
            const id = stepIdAt(offset, at.ordinal, copy.part);
            if (above.has(step.id)) renamed.set(step.id, id);
            step.id = id;
            break;
          }
        }
      }
    }
    for (const stream of streams) {
      for (const step of stream) {
        if (step.parentId !== null) step.parentId = renamed.get(step.parentId) ?? step.parentId;
      }
    }
  }
}

/** An id without its part; null where a part follows that only begins as this one does, or of an opening. */
function placeIn(rest: string): { offset: number; ordinal: number } | null {
  const [, offset, ordinal] = /^([0-9a-z]+)-(\d+)$/.exec(rest) ?? [];
  if (offset === undefined || Number(ordinal) === OPENING) return null;
  return { offset: Number.parseInt(offset, 36), ordinal: Number(ordinal) };
}
