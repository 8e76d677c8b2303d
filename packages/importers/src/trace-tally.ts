import { firstLine } from './one-line.ts';
import { ownText } from './own-text.ts';
import { textAttribute } from './span-attributes.ts';
import type { SpanMeaning } from './span-meaning.ts';
import type { TraceSpan } from './trace-span.ts';

/** Where a span goes by its start, and then as in the file. */
interface Turn {
  readonly startNs: bigint;
  readonly index: number;
}

/** Gathers what a trace as a whole says while its spans are looked at one by one, in file order. */
export class TraceTally {
  /** The first id of a session. */
  session: string | null = null;
  /** What the person asked, as the first span that says so was given it. */
  asked: string | null = null;
  #askedAt: Turn | null = null;
  #index = 0;
  /** A span without a time stays behind the one before it. */
  #startNs = 0n;

  take(span: TraceSpan, meaning: SpanMeaning): void {
    this.#startNs = span.start?.ns ?? this.#startNs;
    const at = { startNs: this.#startNs, index: this.#index };
    this.#index += 1;
    this.session ??= sessionOf(span);
    if (this.#askedAt === null || isBefore(at, this.#askedAt)) {
      const asked = meaning.inputs.filter(({ role }) => role === 'user').at(-1);
      const text = asked?.parts.find((part) => part.text !== null)?.text ?? '';
      if (text.trim() !== '') {
        this.asked = ownText(firstLine(text));
        this.#askedAt = at;
      }
    }
  }
}

function isBefore(a: Turn, b: Turn): boolean {
  return a.startNs === b.startNs ? a.index < b.index : a.startNs < b.startNs;
}

function sessionOf({ attributes }: TraceSpan): string | null {
  const id = textAttribute(
    attributes,
    'gen_ai.conversation.id',
    'session.id',
    'ai.telemetry.metadata.sessionId',
  );
  return id === null ? null : ownText(id);
}
