/**
 * Hands things on in the order in which they were asked for, however they arrive: each as soon as
 * all before it have come. What is left when the work ends is handed on by `finish`.
 */
export class InOrder<Item> {
  readonly #waiting: (Item | undefined)[];
  readonly #keys: readonly string[];
  readonly #keyOf: (item: Item) => string;
  readonly #hand: (item: Item) => void;
  #next = 0;

  constructor(keys: readonly string[], keyOf: (item: Item) => string, hand: (item: Item) => void) {
    this.#keys = keys;
    this.#keyOf = keyOf;
    this.#hand = hand;
    this.#waiting = keys.map(() => undefined);
  }

  take(item: Item): void {
    const key = this.#keyOf(item);
    const place = this.#keys.findIndex(
      (candidate, index) =>
        index >= this.#next && candidate === key && this.#waiting[index] === undefined,
    );
    if (place < 0) {
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
