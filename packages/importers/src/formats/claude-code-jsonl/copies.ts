import type { Origin, Step } from '@misstep/model';
import type { SourceReader } from '../../importer.ts';
import { field, textField } from '../../plain-fields.ts';
import type { SourceLine } from '../../read-lines.ts';
import { counted } from '../../record-ledger.ts';
import type { RunSource } from '../../run-sources.ts';
import { addUsage } from './assistant-record.ts';
import type { SessionRecord } from './record.ts';
import { callIdsOf } from './record-numbers.ts';
import { plainRecord, type Sameness, samenessOf } from './same-record.ts';
import type { SeenRecord } from './seen-records.ts';
import type { Session } from './session.ts';
import type { Thread } from './thread.ts';

type Place = SeenRecord['places'][number];

/** A record whose fate the next answer tells. */
export interface HeldRecord {
  readonly line: SourceLine;
  readonly record: SessionRecord;
  readonly type: string;
}

/** Between two answers there are few, and each is compared with a few records. */
const MOST_HELD = 64;
const MOST_HELD_BYTES = 1_048_576;
const MOST_ABOVE = 16;
/** A hostile file may give a million records the id of one message. */
const MOST_COMPARED = 64;
const HELD_TYPES: ReadonlySet<string> = new Set(['user', 'system', 'attachment']);

/**
 * Which records of a file repeat earlier ones. A resumed or forked session repeats records with its own
 * session id, in some forks with uuids and times of their own, and nothing else changed. Other content
 * is a record of its own: nothing may be lost.
 */
export class Copies {
  readonly #session: Session;
  readonly #thread: Thread;
  readonly #source: RunSource;
  /** A fork begins with its copies: until it says something of its own, a prompt may be one. */
  #isInCopies: boolean;
  #held: HeldRecord[] = [];
  /** Copies come in the order of their originals: which of a step's records is looked at first. */
  readonly #nextOf = new WeakMap<Step, number>();

  constructor(session: Session, thread: Thread, source: RunSource) {
    this.#session = session;
    this.#thread = thread;
    this.#source = source;
    this.#isInCopies = thread.isContinuation;
  }

  /** Where the record stands that this one repeats; null = it is one of its own. */
  async find(record: SessionRecord, text: string): Promise<Place | null> {
    return (await this.#findById(record, text)) ?? (await this.#findByMessage(record, text));
  }

  /** True where the record is kept until `settle` or `release` gives it back. */
  holds(held: HeldRecord): boolean {
    const { record, type, line } = held;
    if (!this.#isInCopies || record.uuid === null || !HELD_TYPES.has(type)) return false;
    if (resultIdsOf(record.plain).length > 0) return false;
    if (line.length > MOST_HELD_BYTES || this.#held.length >= MOST_HELD) return false;
    this.#held.push(held);
    return true;
  }

  /** Those kept, now that this file says something of its own. */
  release(isOwn = true): readonly HeldRecord[] {
    if (isOwn) this.#isInCopies = false;
    const held = this.#held;
    this.#held = [];
    return held;
  }

  /** Those kept before a copy, each with whether it is one as well: it says what stands before the original. */
  async settle(original: Place): Promise<readonly (HeldRecord & { readonly isCopy: boolean })[]> {
    const settled: (HeldRecord & { readonly isCopy: boolean })[] = [];
    let at: Place | null = original;
    for (const held of [...this.release(false)].reverse()) {
      const place: Place | null = await this.#above(at, held);
      if (place !== null) {
        this.#takeInferred(held.record, place);
        at = place;
      }
      settled.unshift({ ...held, isCopy: place !== null });
    }
    return settled;
  }

  /** Which of the records above this one a kept one repeats. */
  async #above(from: Place | null, { record, line }: HeldRecord): Promise<Place | null> {
    let at = from;
    for (let step = 0; at !== null && step < MOST_ABOVE; step += 1) {
      const plain = plainRecord(await at.reader.read(at.offset, at.length));
      const parent: string | null = textField(plain, 'parentUuid');
      const places: readonly Place[] =
        parent === null ? [] : (this.#session.seen.get(parent)?.places ?? []);
      for (const place of places) {
        if (place.reader === this.#source.reader) continue;
        if ((await this.#sameness(line.text, place)) === 'same') return place;
      }
      at = places[0] ?? null;
      if (at?.reader === this.#source.reader || record.uuid === parent) return null;
    }
    return null;
  }

  /** By its own uuid, or by that which it says it was copied from. */
  async #findById(record: SessionRecord, text: string): Promise<Place | null> {
    const { issues, seen } = this.#session;
    const { uuid, copiedFrom, origin } = record;
    const byUuid = uuid === null ? null : seen.get(uuid);
    const before = byUuid ?? (copiedFrom === null ? null : seen.get(copiedFrom));
    if (before === null) return null;
    for (const place of before.places) {
      const sameness = await this.#sameness(text, place);
      if (sameness === 'other') continue;
      if (sameness === 'otherUsage' && !this.#takeUsage(record)) continue;
      // Under its new uuid too it is what later records name as their parent.
      if (byUuid === null) this.#session.seeCopy(record, before.thread, place);
      this.#noteAlias(record, place);
      issues.count(
        'DUPLICATE_RECORDS',
        (count) =>
          `${counted(count, 'record')} repeated from before (a resumed or forked session), counted once.`,
        origin.sha256,
        origin.offset,
      );
      return place;
    }
    if (byUuid === null) return null;
    issues.count(
      'UUID_REUSED',
      (count) =>
        `${counted(count, 'record')} with the uuid of an earlier record and other content, read as their own.`,
      origin.sha256,
      origin.offset,
    );
    return null;
  }

  /** An answer by its id with that of the request or of a call, a result by its call: both name one thing. */
  async #findByMessage(record: SessionRecord, text: string): Promise<Place | null> {
    if (!this.#thread.isContinuation || record.uuid === null) return null;
    for (const step of this.#relatedSteps(record)) {
      const { origin, moreOrigins } = step;
      const count = 1 + moreOrigins.length;
      const first = this.#nextOf.get(step) ?? 0;
      for (let tried = 0; tried < Math.min(count, MOST_COMPARED); tried += 1) {
        const at = (first + tried) % count;
        const place = this.#placeInOther(at === 0 ? origin : moreOrigins[at - 1]);
        if (place === null) continue;
        const sameness = await this.#sameness(text, place);
        if (sameness === 'other') continue;
        if (sameness === 'otherUsage' && !this.#takeUsage(record)) continue;
        this.#nextOf.set(step, at + 1);
        this.#takeInferred(record, place);
        return place;
      }
    }
    return null;
  }

  #placeInOther(origin: Origin | undefined): Place | null {
    const source = origin === undefined ? null : this.#sourceOf(origin.sha256);
    if (origin === undefined || source === null || source === this.#source) return null;
    return { reader: source.reader, offset: origin.offset, length: origin.length };
  }

  #relatedSteps({ plain }: SessionRecord): readonly Step[] {
    const { calls } = this.#session;
    const message = field(plain, 'message');
    const byCalls = (ids: readonly string[]): Step[] =>
      ids.flatMap((callId) => calls.byCallId(callId) ?? []);
    if (textField(plain, 'type') !== 'assistant') return byCalls(resultIdsOf(plain));
    const id = textField(message, 'id');
    const request = textField(plain, 'requestId');
    if (id === null) return [];
    const call = request === null ? null : this.#thread.modelCalls.get(`${id} ${request}`);
    return [...(call === null ? [] : [call.step]), ...byCalls(callIdsOf(message))];
  }

  #takeInferred(record: SessionRecord, place: Place): void {
    const { issues } = this.#session;
    this.#session.seeCopy(record, this.#thread, place);
    this.#noteAlias(record, place);
    issues.count(
      'COPIES_INFERRED',
      (count) =>
        `${counted(count, 'record')} under uuids of their own that repeat another file of this run, known by the ids of messages and calls and by what they say; counted once.`,
      record.origin.sha256,
      record.origin.offset,
    );
  }

  /** False where there is nothing to add the tokens to: then the record is one of its own. */
  #takeUsage(record: SessionRecord): boolean {
    if (!addUsage(this.#thread, record)) return false;
    this.#session.issues.count(
      'USAGE_DIFFERS',
      (count) =>
        `${counted(count, 'record')} repeated with other token counts; of each count the larger one is taken.`,
      record.origin.sha256,
      record.origin.offset,
    );
    return true;
  }

  async #sameness(text: string, { reader, offset, length }: Place): Promise<Sameness> {
    const isOfOther = reader !== this.#source.reader;
    return samenessOf(text, await reader.read(offset, length), isOfOther);
  }

  #noteAlias({ origin }: SessionRecord, { reader, offset }: Place): void {
    const read = this.#session.sources.get(reader);
    if (read !== undefined) this.#session.aliases.note(read, offset, this.#source, origin.offset);
  }

  #sourceOf(sha256: SourceReader['sha256']): RunSource | null {
    for (const source of this.#session.sources.values()) {
      if (source.reader.sha256 === sha256) return source;
    }
    return null;
  }
}

/** The ids of the calls that a record has results of. */
function resultIdsOf(plain: unknown): string[] {
  const content = field(field(plain, 'message'), 'content');
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) => textField(block, 'tool_use_id') ?? []);
}
