import { shortened } from '@misstep/mcp';
import { z } from 'zod';

const OrdinalSchema = z.number().int().positive();
const AnswerKindSchema = z.enum(['result', 'error']);

/**
 * What becomes of a server's request, as a note of lane `#` tells it. Request and answer are frames
 * of their own; only who answered, and what would have gone out, stands nowhere else.
 */
export const AskEventSchema = z.discriminatedUnion('step', [
  z.object({
    step: z.literal('opened'),
    ordinal: OrdinalSchema,
    method: z.string(),
    idText: z.string(),
    defaultAnswer: z.object({ kind: AnswerKindSchema, text: z.string() }),
    defaultAfterMs: z.number().int().nonnegative(),
  }),
  z.object({
    step: z.literal('answered'),
    ordinal: OrdinalSchema,
    by: z.enum(['person', 'default']),
    kind: AnswerKindSchema,
  }),
  z.object({ step: z.enum(['withdrawn', 'replayEnded']), ordinal: OrdinalSchema }),
  /** From the request before this on, each is answered by default at once and only counted. */
  z.object({ step: z.literal('tooMany') }),
]);
export type AskEvent = z.infer<typeof AskEventSchema>;

const RecordSchema = z.object({ ask: AskEventSchema });

/** Lane `#` text of an event; for readers that know no asks it is a note. */
export function encodeAskEvent(ask: AskEvent): Uint8Array {
  return Buffer.from(JSON.stringify({ kind: 'note', text: describe(ask), ask }), 'utf8');
}

/** Null where the record of lane `#` is no such event. */
export function readAskEvent(bytes: Uint8Array): AskEvent | null {
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('"ask":')) return null;
  try {
    // Misstep's own words, not data of others: nothing in it can be rounded.
    const read = RecordSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return read.success ? read.data.ask : null;
  } catch {
    return null;
  }
}

function describe(event: AskEvent): string {
  switch (event.step) {
    case 'opened': {
      const { method, idText, defaultAnswer, defaultAfterMs } = event;
      const when = defaultAfterMs === 0 ? 'at once' : `after ${defaultAfterMs} ms`;
      return `the server asks ${shortened(method, 200)} (id ${shortened(idText, 200)}); without an answer of the person, ${when}: ${defaultAnswer.kind} ${defaultAnswer.text}`;
    }
    case 'answered':
      return event.by === 'person'
        ? `ask ${event.ordinal} answered by the person`
        : `ask ${event.ordinal} answered by default: nobody else did`;
    case 'withdrawn':
      return `the server took ask ${event.ordinal} back before it was answered`;
    case 'replayEnded':
      return `ask ${event.ordinal} was open when the replay ended; nothing was answered`;
    case 'tooMany':
      return 'the server asks too much: from here on its requests are answered by default at once';
  }
}
