import { assembledView, type JsonView } from './json-view.ts';

/**
 * The `data` of each event of a server-sent event stream (WHATWG HTML, section 9.2): several data lines
 * are joined, comments dropped, CR, LF and CRLF all end a line. An event that the end cuts off counts.
 */
export function readSseData(text: string): string[] {
  const events: string[] = [];
  let data: string[] = [];
  const flush = (): void => {
    if (data.length > 0) events.push(data.join('\n'));
    data = [];
  };
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    if (line === '') flush();
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
    else if (line === 'data') data.push('');
  }
  flush();
  return events;
}

/** Those of the events that are JSON, carried by the string that holds the stream. */
export function readSseJson(text: string, carrier: JsonView): JsonView[] {
  return readSseData(text).flatMap((data) => assembledView(data.trim(), carrier.origin) ?? []);
}

/** True where a text is the body of an event stream. */
export function looksLikeSse(text: string): boolean {
  return /^\ufeff?(?::[^\n]*\r?\n|\s)*(?:event|data|id|retry):/.test(text.slice(0, 2000));
}
