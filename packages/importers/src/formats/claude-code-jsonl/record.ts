import {
  byteSpan,
  type JsonBytesDocument,
  type JsonNode,
  member,
  parseJsonBytes,
} from '@misstep/json';
import type { CapturedValue, Elision, Origin, RunClock, SourceHash, Step } from '@misstep/model';
import { field, isObject, textField } from '../../plain-fields.ts';
import type { SourceLine } from '../../read-lines.ts';
import { readTime } from '../../source-time.ts';
import { originAt, stepIdAt, valueAt } from '../../step-builder.ts';
import type { Thread } from './thread.ts';

/** Times of one session are of one kind, that of the first: with a zone, or without. */
export class SessionClock {
  kind: RunClock = 'none';

  takes(clock: RunClock): boolean {
    if (clock !== 'zoned' && clock !== 'local') return false;
    if (this.kind === 'none') this.kind = clock;
    return this.kind === clock;
  }
}

/** One line of a session file: plain for a look, and as the lossless tree for its payloads. */
export class SessionRecord {
  readonly plain: unknown;
  readonly uuid: string | null;
  readonly parentUuid: string | null;
  /** The uuid of the record that a fork copied this one from; null where it does not say. */
  readonly copiedFrom: string | null;
  readonly time: { ns: bigint; text: string } | null;
  /** As the record has it, also where it can't be read; null = there is none. */
  readonly timeText: string | null;
  readonly origin: Origin;
  readonly #line: SourceLine;
  readonly #clock: SessionClock;
  /** Where in the line's object the record stands; empty = it is the whole of it. */
  readonly #path: readonly string[];
  #document: JsonBytesDocument | null = null;
  #ordinal = 0;

  constructor(
    line: SourceLine,
    plain: unknown,
    sha256: SourceHash,
    clock: SessionClock,
    path: readonly string[] = [],
  ) {
    this.#line = line;
    this.#clock = clock;
    this.#path = path;
    this.plain = plain;
    this.uuid = textField(plain, 'uuid');
    this.parentUuid = textField(plain, 'parentUuid');
    this.copiedFrom = textField(field(plain, 'forkedFrom'), 'messageUuid');
    this.origin = originAt(sha256, line);
    const stamp = textField(plain, 'timestamp');
    this.timeText = stamp;
    const time = stamp === null ? null : readTime(stamp.trim());
    this.time = time !== null && clock.takes(time.clock) ? { ns: time.ns, text: time.text } : null;
  }

  get document(): JsonBytesDocument {
    if (this.#document === null) {
      const parsed = parseJsonBytes(this.#line.bytes);
      // The line was read by JSON.parse before, which accepts the same texts.
      if (!parsed.ok) throw new Error(parsed.error.message);
      const whole = parsed.value;
      let root: JsonNode | undefined = whole.root;
      for (const key of this.#path) root = member(whole, root, key);
      this.#document = root === undefined ? whole : { ...whole, root };
    }
    return this.#document;
  }

  /** The record of a sub-agent that stands within this one; null where there is none. */
  within(...path: readonly string[]): SessionRecord | null {
    let plain: unknown = this.plain;
    for (const key of path) plain = field(plain, key);
    if (!isObject(plain)) return null;
    return new SessionRecord(this.#line, plain, this.origin.sha256, this.#clock, path);
  }

  nextId(thread: Thread): Step['id'] {
    this.#ordinal += 1;
    return stepIdAt(this.origin.offset, this.#ordinal - 1, thread.part);
  }

  /** The node as a recorded value: a string by what it decodes to, anything else as JSON. */
  value(node: JsonNode, pointer: string, elisions: Elision[] = []): CapturedValue {
    const { offset, length } = byteSpan(this.document, node);
    const above = this.#path.map((key) => `/${key}`).join('');
    const at = { offset: this.origin.offset + offset, length, pointer: `${above}${pointer}` };
    const origin = { ...this.origin, ...at };
    return valueAt(origin, node.kind === 'string' ? 'json-string' : 'json', 'logged', elisions);
  }
}
