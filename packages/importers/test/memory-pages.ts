import type { PageStore } from '../src/index.ts';

export class MemoryPages implements PageStore {
  readonly #pages: Uint8Array[] = [];

  get written(): number {
    return this.#pages.length;
  }

  put(bytes: Uint8Array): number {
    return this.#pages.push(bytes.slice()) - 1;
  }

  get(number: number): Uint8Array {
    const page = this.#pages[number];
    if (page === undefined) throw new Error(`no page ${number}`);
    return page;
  }
}
