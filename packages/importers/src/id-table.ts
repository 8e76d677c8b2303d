import { NumberColumn } from './number-column.ts';

const FIRST_CAPACITY = 1024;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Numbers ids from 0 in the order in which they come, in some 30 bytes each where a map of strings
 * takes 150. A UUID is known by its 128 bits, any other id by 128 bits that are worked out from it;
 * that two such ids fall together takes somebody who wants them to.
 */
export class IdTable {
  #capacity = FIRST_CAPACITY;
  /** Number of the id that stands there, plus one; 0 = none. */
  #places = new Uint32Array(FIRST_CAPACITY);
  readonly #bits = new NumberColumn(Uint32Array);
  readonly #wanted = new Uint32Array(4);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** No id is known any more, and the memory goes back at once. */
  clear(): void {
    this.#capacity = FIRST_CAPACITY;
    this.#places = new Uint32Array(FIRST_CAPACITY);
    this.#bits.clear();
    this.#count = 0;
  }

  /** The id's number; -1 where it isn't known. */
  find(id: string): number {
    fillBits(id, this.#wanted);
    return (this.#places[this.#placeOf(this.#wanted)] ?? 0) - 1;
  }

  /** Gives an id that `find` doesn't know the next number. */
  add(id: string): number {
    if (this.#count >= this.#capacity / 2) this.#grow();
    fillBits(id, this.#wanted);
    const number = this.#count;
    for (let word = 0; word < 4; word += 1) {
      this.#bits.set(number * 4 + word, this.#wanted[word] ?? 0);
    }
    this.#count += 1;
    this.#places[this.#placeOf(this.#wanted)] = number + 1;
    return number;
  }

  /** Where the id of these four words stands, or would. */
  #placeOf(words: Uint32Array): number {
    const mask = this.#capacity - 1;
    let place = ((words[0] ?? 0) ^ (words[3] ?? 0)) & mask;
    for (;;) {
      const known = (this.#places[place] ?? 0) - 1;
      if (known < 0) return place;
      let word = 0;
      while (word < 4 && this.#bits.get(known * 4 + word) === words[word]) word += 1;
      if (word === 4) return place;
      place = (place + 1) & mask;
    }
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#places = new Uint32Array(this.#capacity);
    const words = new Uint32Array(4);
    for (let number = 0; number < this.#count; number += 1) {
      for (let word = 0; word < 4; word += 1) words[word] = this.#bits.get(number * 4 + word);
      this.#places[this.#placeOf(words)] = number + 1;
    }
  }
}

function fillBits(id: string, words: Uint32Array): void {
  if (UUID.test(id)) {
    words[0] = Number.parseInt(id.slice(0, 8), 16);
    words[1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16);
    words[2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16);
    words[3] = Number.parseInt(id.slice(28), 16);
    return;
  }
  let [a, b, c, d] = [0x3c074a61, 0x41c64e6d, 0x9e3779b9, 0x85ebca6b];
  for (let at = 0; at < id.length; at += 1) {
    const unit = id.charCodeAt(at);
    a = Math.imul(a ^ unit, 0x01000193) ^ (b >>> 13);
    b = Math.imul(b ^ unit, 0x5bd1e995) ^ (c >>> 11);
    c = Math.imul(c ^ unit, 0x27d4eb2f) ^ (d >>> 17);
    d = Math.imul(d ^ unit, 0x165667b1) ^ (a >>> 15);
  }
  words[0] = a ^ (d >>> 7);
  words[1] = b;
  words[2] = c;
  words[3] = d ^ id.length;
}
