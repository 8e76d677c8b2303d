/** Keeps pages that are not at hand; `get` gives back what `put` was given. */
export interface PageStore {
  /** The number that the page is known by from then on. The bytes are the caller's again afterwards. */
  put(bytes: Uint8Array): number;
  /** Good until the next call. */
  get(number: number): Uint8Array;
}

/** How the items of a page become bytes and back. */
export interface PageCodec<Item> {
  /** Good until the next call. */
  pack(items: readonly Item[]): Uint8Array;
  unpack(bytes: Uint8Array): Item[];
}

export interface PageSizes {
  readonly itemsPerPage: number;
  /** At hand at a time, two at least; those that were looked at least recently go. */
  readonly pagesAtHand: number;
}

const SIZES: PageSizes = { itemsPerPage: 64, pagesAtHand: 64 };

/**
 * Items of which only some thousands are at hand: the others stand packed in pages and come back
 * when they are looked at. What was taken from an item may be changed as long as its page is at
 * hand, that is until some thousand others have been looked at.
 */
export class PagePool<Item> {
  readonly #store: PageStore;
  readonly #codec: PageCodec<Item>;
  readonly #sizes: PageSizes;
  readonly #atHand: Page<Item>[] = [];
  #open: Page<Item> | null = null;
  #clock = 0;
  #sealed = false;

  constructor(store: PageStore, codec: PageCodec<Item>, sizes: PageSizes = SIZES) {
    this.#store = store;
    this.#codec = codec;
    this.#sizes = sizes;
  }

  get isSealed(): boolean {
    return this.#sealed;
  }

  /** From now on items are only read: pages that go need not be packed again. */
  seal(): void {
    this.#sealed = true;
  }

  /** Where the item stands from now on. */
  hold(item: Item): { page: Page<Item>; slot: number } {
    let page = this.#open;
    if (page === null || page.count === this.#sizes.itemsPerPage) {
      page = new Page<Item>(this);
      this.#open = page;
      this.#bring(page);
    }
    page.touchedAt = this.tick();
    return { page, slot: page.add(item) };
  }

  tick(): number {
    this.#clock += 1;
    return this.#clock;
  }

  /** The page's items, read back. */
  load(page: Page<Item>, number: number): Item[] {
    page.touchedAt = this.tick();
    this.#bring(page);
    return this.#codec.unpack(this.#store.get(number));
  }

  /** Makes room for a page. */
  #bring(page: Page<Item>): void {
    while (this.#atHand.length >= Math.max(2, this.#sizes.pagesAtHand)) {
      let oldest = 0;
      for (const [index, each] of this.#atHand.entries()) {
        if (each.touchedAt < (this.#atHand[oldest]?.touchedAt ?? 0)) oldest = index;
      }
      const [gone] = this.#atHand.splice(oldest, 1);
      gone?.leave((items) => this.#store.put(this.#codec.pack(items)));
    }
    this.#atHand.push(page);
  }
}

/** Some items that come and go together. */
export class Page<Item> {
  readonly #pool: PagePool<Item>;
  #items: Item[] | null = [];
  #number = -1;
  #isChanged = true;
  count = 0;
  touchedAt = 0;

  constructor(pool: PagePool<Item>) {
    this.#pool = pool;
  }

  add(item: Item): number {
    this.#all().push(item);
    this.#isChanged = true;
    this.count += 1;
    return this.count - 1;
  }

  /** The item, to be looked at only. */
  read(slot: number): Item {
    const item = this.#all()[slot];
    if (item === undefined) throw new Error('a page lost an item');
    return item;
  }

  /** The item, to be changed, or from which something is taken that may be changed. */
  change(slot: number): Item {
    const item = this.read(slot);
    if (!this.#pool.isSealed) this.#isChanged = true;
    return item;
  }

  leave(put: (items: readonly Item[]) => number): void {
    if (this.#items !== null && this.#isChanged) this.#number = put(this.#items);
    this.#items = null;
    this.#isChanged = false;
  }

  #all(): Item[] {
    if (this.#items === null) this.#items = this.#pool.load(this, this.#number);
    else this.touchedAt = this.#pool.tick();
    return this.#items;
  }
}
