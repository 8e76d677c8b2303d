import type { JsonView } from './json-view.ts';
import { looksLikeSse, readSseJson } from './sse-events.ts';
import { StreamEvents } from './stream-events.ts';

/** A body that is an event stream, as the answer that its events make; null where it is none. */
export function answerOfStream(text: string, carrier: JsonView): JsonView | null {
  if (!looksLikeSse(text)) return null;
  const stream = new StreamEvents();
  for (const event of readSseJson(text, carrier)) stream.add(event);
  return stream.finish()[0]?.answer ?? null;
}
