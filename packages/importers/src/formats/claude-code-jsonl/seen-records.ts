import { IdTable } from '../../id-table.ts';
import type { SourceReader } from '../../importer.ts';
import { NumberColumn } from '../../number-column.ts';
import type { RecordSpan } from '../../record-ledger.ts';
import type { SessionRecord } from './record.ts';
import type { Thread } from './thread.ts';

interface Place {
  readonly reader: SourceReader;
  readonly offset: number;
  readonly length: number;
}

export interface SeenRecord {
  readonly thread: Thread;
  readonly time: SessionRecord['time'];
  /** Where records of this uuid stand that differ from each other; MOST_COMPARED at most. */
  readonly places: readonly Place[];
}

/** A hostile file may give a million records one uuid; each would be compared with all before. */
const MOST_COMPARED = 8;

const NS_PER_MS = 1_000_000n;
const NO_TIME = Number.NaN;

/** Every record with a uuid: a long session has hundreds of thousands, so they stand in columns. */
export class SeenRecords {
  readonly #ids = new IdTable();
  readonly #threads: Thread[] = [];
  readonly #threadNumbers = new Map<Thread, number>();
  readonly #readers: SourceReader[] = [];
  readonly #threadOf = new NumberColumn(Uint32Array);
  readonly #readerOf = new NumberColumn(Uint32Array);
  readonly #offsets = new NumberColumn(Float64Array);
  readonly #lengths = new NumberColumn(Uint32Array);
  readonly #milliseconds = new NumberColumn(Float64Array);
  /** Times that aren't written as their milliseconds would be. */
  readonly #timeTexts = new Map<number, string>();
  readonly #more = new Map<number, Place[]>();

  /** No record is known any more, and the memory goes back at once. */
  clear(): void {
    this.#ids.clear();
    this.#timeTexts.clear();
    this.#more.clear();
    const columns = [this.#threadOf, this.#readerOf, this.#offsets, this.#lengths];
    for (const column of [...columns, this.#milliseconds]) column.clear();
  }

  has(uuid: string): boolean {
    return this.#ids.find(uuid) >= 0;
  }

  get(uuid: string): SeenRecord | null {
    const number = this.#ids.find(uuid);
    if (number < 0) return null;
    const thread = this.#threads[this.#threadOf.get(number)];
    const reader = this.#readers[this.#readerOf.get(number)];
    if (thread === undefined || reader === undefined) return null;
    const first = { reader, offset: this.#offsets.get(number), length: this.#lengths.get(number) };
    return {
      thread,
      time: this.#timeOf(number),
      places: [first, ...(this.#more.get(number) ?? [])],
    };
  }

  /** Of several records with one uuid the first stands in parent chains. */
  add(
    uuid: string,
    { origin, time }: { readonly origin: RecordSpan; readonly time: SessionRecord['time'] },
    thread: Thread,
    reader: SourceReader,
  ): void {
    const { offset, length } = origin;
    const known = this.#ids.find(uuid);
    if (known >= 0) {
      const more = this.#more.get(known) ?? [];
      if (more.length + 1 < MOST_COMPARED) more.push({ reader, offset, length });
      this.#more.set(known, more);
      return;
    }
    const number = this.#ids.add(uuid);
    const ms = time === null ? NO_TIME : Number(time.ns / NS_PER_MS);
    const rest = time === null ? 0 : Number(time.ns % NS_PER_MS);
    // Times before 1970 have a rest below zero; with the text they are read back whole.
    if (time !== null && (rest !== 0 || time.text !== isoOf(ms))) {
      this.#timeTexts.set(number, `${time.ns} ${time.text}`);
    }
    this.#threadOf.set(number, this.#numberOf(thread));
    this.#readerOf.set(number, this.#readerNumber(reader));
    this.#offsets.set(number, offset);
    this.#lengths.set(number, length);
    this.#milliseconds.set(number, ms);
  }

  #timeOf(number: number): SessionRecord['time'] {
    const ms = this.#milliseconds.get(number);
    if (Number.isNaN(ms)) return null;
    const odd = this.#timeTexts.get(number);
    if (odd === undefined) return { ns: BigInt(ms) * NS_PER_MS, text: isoOf(ms) };
    const blank = odd.indexOf(' ');
    return { ns: BigInt(odd.slice(0, blank)), text: odd.slice(blank + 1) };
  }

  #numberOf(thread: Thread): number {
    const known = this.#threadNumbers.get(thread);
    if (known !== undefined) return known;
    const number = this.#threads.push(thread) - 1;
    this.#threadNumbers.set(thread, number);
    return number;
  }

  #readerNumber(reader: SourceReader): number {
    const known = this.#readers.lastIndexOf(reader);
    return known >= 0 ? known : this.#readers.push(reader) - 1;
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
