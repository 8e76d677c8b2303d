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

export interface SseEvent {
  readonly data: string;
  /** Where the data stand in the bytes; null where several lines were joined. */
  readonly span: { readonly start: number; readonly end: number } | null;
  /** Where the event's last line ends. */
  readonly end: number;
}

const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** The same from bytes, with the places of the data in them. */
export function readSseEvents(bytes: Uint8Array): SseEvent[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const events: SseEvent[] = [];
  let lines: { start: number; end: number }[] = [];
  let end = 0;
  const flush = (): void => {
    const [only] = lines;
    const data = lines.map((line) => decoder.decode(bytes.subarray(line.start, line.end)));
    if (only !== undefined) {
      events.push({ data: data.join('\n'), span: lines.length === 1 ? only : null, end });
    }
    lines = [];
  };
  for (let at = startOfText(bytes); at < bytes.length; ) {
    let to = at;
    while (to < bytes.length && bytes[to] !== LINE_FEED && bytes[to] !== RETURN) to += 1;
    const head = decoder.decode(bytes.subarray(at, Math.min(to, at + 6)));
    if (to === at) flush();
    else if (head.startsWith('data:'))
      lines.push({ start: at + (head === 'data: ' ? 6 : 5), end: to });
    else if (head === 'data' && to === at + 4) lines.push({ start: to, end: to });
    at = to + (bytes[to] === RETURN && bytes[to + 1] === LINE_FEED ? 2 : 1);
    if (lines.length > 0) end = Math.min(at, bytes.length);
  }
  flush();
  return events;
}

function startOfText(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** The sign behind the last event of the streams of some APIs. */
export const STREAM_END = '[DONE]';

/** True where a text is the body of an event stream. */
export function looksLikeSse(text: string): boolean {
  return /^\ufeff?(?::[^\n]*\r?\n|\s)*(?:event|data|id|retry):/.test(text.slice(0, 2000));
}
