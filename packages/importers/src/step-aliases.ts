import type { Step, StepId } from '@misstep/model';
import { OPENING } from './continuation.ts';
import { NumberColumn } from './number-column.ts';
import type { RunSource } from './run-sources.ts';
import { stepIdAt } from './step-builder.ts';

/** Where records of one source stand in another, in 16 bytes each. */
class Places {
  #from = new NumberColumn(Float64Array);
  #to = new NumberColumn(Float64Array);
  #count = 0;
  #sorted = 0;

  add(from: number, to: number): void {
    this.#from.set(this.#count, from);
    this.#to.set(this.#count, to);
    this.#count += 1;
  }

  /** -1 = nowhere. Copies mostly stand in the order of what they copy. */
  find(from: number): number {
    this.#sort();
    let [low, high] = [0, this.#count - 1];
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const at = this.#from.get(middle);
      if (at === from) return this.#to.get(middle);
      if (at < from) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  #sort(): void {
    if (this.#sorted === this.#count) return;
    this.#sorted = this.#count;
    const [from, to] = [this.#from, this.#to];
    const order = Uint32Array.from({ length: this.#count }, (_each, index) => index);
    order.sort((a, b) => from.get(a) - from.get(b) || a - b);
    this.#from = new NumberColumn(Float64Array);
    this.#to = new NumberColumn(Float64Array);
    for (const [place, index] of order.entries()) {
      this.#from.set(place, from.get(index));
      this.#to.set(place, to.get(index));
    }
  }
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
