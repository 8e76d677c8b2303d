/**
 * Hands things on in the order in which they were asked for, however they arrive: each as soon as
 * all before it have come. What is left when the work ends is handed on by `finish`.
 */
export class InOrder<Item> {
  readonly #waiting: (Item | undefined)[];
  /** Places of each key that nothing has come for, the last first. */
  readonly #places = new Map<string, number[]>();
  readonly #keyOf: (item: Item) => string;
  readonly #hand: (item: Item) => void;
  #next = 0;

  constructor(keys: readonly string[], keyOf: (item: Item) => string, hand: (item: Item) => void) {
    for (const [index, key] of [...keys.entries()].reverse()) {
      const places = this.#places.get(key);
      if (places === undefined) this.#places.set(key, [index]);
      else places.push(index);
    }
    this.#keyOf = keyOf;
    this.#hand = hand;
    this.#waiting = keys.map(() => undefined);
  }

  take(item: Item): void {
    const place = this.#places.get(this.#keyOf(item))?.pop();
    if (place === undefined) {
      this.#hand(item);
      return;
    }
    this.#waiting[place] = item;
    for (
      let ready = this.#waiting[this.#next];
      ready !== undefined;
      ready = this.#waiting[this.#next]
    ) {
      this.#hand(ready);
      this.#waiting[this.#next] = undefined;
      this.#next += 1;
    }
  }

  finish(): void {
    for (; this.#next < this.#waiting.length; this.#next += 1) {
      const item = this.#waiting[this.#next];
      if (item !== undefined) this.#hand(item);
    }
  }
}
