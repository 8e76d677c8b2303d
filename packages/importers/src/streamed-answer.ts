import { startsAsJson } from './broken-event.ts';
import type { StreamBreak } from './broken-stream.ts';
import { assembledView, type JsonView } from './json-view.ts';
import { looksLikeSse, readSseData, STREAM_END } from './sse-events.ts';
import { breakOf, StreamEvents } from './stream-events.ts';

/** What a body that is an event stream says. */
export interface AnswerOfStream {
  /** As its events make it. */
  readonly answer: JsonView;
  /** Where it lacks something; null where it is whole. */
  readonly breaks: StreamBreak | null;
}

/** A body that is an event stream, as the answer that its events make; null where it is none. */
export function answerOfStream(text: string, carrier: JsonView): AnswerOfStream | null {
  if (!looksLikeSse(text)) return null;
  const stream = new StreamEvents();
  let broken = 0;
  for (const data of readSseData(text)) {
    const event = assembledView(data.trim(), carrier.origin);
    if (event !== null) stream.add(event);
    else if (data.trim() === STREAM_END) stream.end();
    else if (startsAsJson(data)) broken += 1;
  }
  return firstAnswer(stream, broken > 0);
}

/** The answer of a stream whose events are there one by one. */
export function firstAnswer(stream: StreamEvents, isDamaged: boolean): AnswerOfStream | null {
  const [first] = stream.finish();
  if (first === undefined) return null;
  return { answer: first.answer, breaks: breakOf(first, isDamaged) };
}
