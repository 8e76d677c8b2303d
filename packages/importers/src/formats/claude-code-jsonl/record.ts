import { byteSpan, type JsonBytesDocument, type JsonNode, parseJsonBytes } from '@misstep/json';
import type { CapturedValue, Elision, Origin, SourceHash, Step } from '@misstep/model';
import { textField } from '../../plain-fields.ts';
import type { SourceLine } from '../../read-lines.ts';
import { readTime } from '../../source-time.ts';
import { originAt, stepIdAt, valueAt } from '../../step-builder.ts';
import type { Thread } from './thread.ts';

/** One line of a session file: plain for a look, and as the lossless tree for its payloads. */
export class SessionRecord {
  readonly plain: unknown;
  readonly uuid: string | null;
  readonly parentUuid: string | null;
  readonly time: { ns: bigint; text: string } | null;
  /** As the record has it, also where it can't be read; null = there is none. */
  readonly timeText: string | null;
  readonly origin: Origin;
  readonly #line: SourceLine;
  #document: JsonBytesDocument | null = null;
  #ordinal = 0;

  constructor(line: SourceLine, plain: unknown, sha256: SourceHash) {
    this.#line = line;
    this.plain = plain;
    this.uuid = textField(plain, 'uuid');
    this.parentUuid = textField(plain, 'parentUuid');
    this.origin = originAt(sha256, line);
    const stamp = textField(plain, 'timestamp');
    this.timeText = stamp;
    const time = stamp === null ? null : readTime(stamp.trim());
    this.time = time?.clock === 'zoned' ? { ns: time.ns, text: time.text } : null;
  }

  get document(): JsonBytesDocument {
    if (this.#document === null) {
      const parsed = parseJsonBytes(this.#line.bytes);
      // The line was read by JSON.parse before, which accepts the same texts.
      if (!parsed.ok) throw new Error(parsed.error.message);
      this.#document = parsed.value;
    }
    return this.#document;
  }

  nextId(thread: Thread): Step['id'] {
    this.#ordinal += 1;
    return stepIdAt(this.origin.offset, this.#ordinal - 1, thread.part);
  }

  /** The node as a recorded value: a string by what it decodes to, anything else as JSON. */
  value(node: JsonNode, pointer: string, elisions: Elision[] = []): CapturedValue {
    const { offset, length } = byteSpan(this.document, node);
    const origin = { ...this.origin, offset: this.origin.offset + offset, length, pointer };
    return valueAt(origin, node.kind === 'string' ? 'json-string' : 'json', 'logged', elisions);
  }
}
