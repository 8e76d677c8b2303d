import { parseLooseJsonBytes } from '@misstep/json';
import type { Origin } from '@misstep/model';
import { assembledView, JsonView } from './json-view.ts';
import { looksLikeSse, readSseData, readSseEvents } from './sse-events.ts';
import type { SpanTime } from './trace-span.ts';

/** The body of one HTTP message, without transfer and content encoding. */
export interface HttpBody {
  readonly text: string;
  /** The string or record that carries it. */
  readonly place: JsonView;
  /** The JSON in it: the body itself, or the events of a stream. */
  readonly messages: readonly { readonly view: JsonView; readonly at: SpanTime | null }[];
  /** How many bytes of it the recording says that it doesn't hold. */
  readonly missingBytes?: number;
  /** The address that the stream of the older HTTP+SSE transport gives for requests. */
  readonly endpoint?: string;
}

/** A body whose bytes stand in the source, in one piece or several; or nowhere, once unpacked. */
export interface BodyBytes {
  readonly bytes: Uint8Array;
  /** `start` counts in `bytes`; none where the source holds the body packed. */
  readonly pieces: readonly {
    readonly start: number;
    readonly offset: number;
    readonly length: number;
  }[];
  readonly carrier: Origin;
}

/** A body that stands in the source as a JSON string. */
export function bodyOfText(text: string, place: JsonView): HttpBody {
  const inner = (json: string): JsonView | null => assembledView(json, place.origin);
  if (!looksLikeSse(text)) {
    const view = /^\s*[[{]/.test(text) ? inner(text) : null;
    return { text, place, messages: view === null ? [] : [{ view, at: null }] };
  }
  const messages = readSseData(text).flatMap((data) => {
    const view = inner(data.trim());
    return view === null ? [] : [{ view, at: null }];
  });
  return { text, place, messages, ...endpointIn(text) };
}

/** `timeAt` tells when the byte before an offset into the body was there. */
export function bodyOfBytes(
  body: BodyBytes,
  timeAt: (offset: number) => SpanTime | null = () => null,
): HttpBody | null {
  const text = new TextDecoder().decode(body.bytes);
  const place = assembledView('null', body.carrier);
  if (place === null || body.bytes.length === 0) return null;
  if (!looksLikeSse(text)) {
    const view = /^\s*[[{]/.test(text) ? viewOfBytes(body, 0, body.bytes.length) : null;
    const at = timeAt(body.bytes.length);
    return { text, place, messages: view === null ? [] : [{ view, at }] };
  }
  return { text, place, messages: eventsOfBytes(body, timeAt), ...endpointIn(text) };
}

/** Those events of a stream that are JSON. */
export function eventsOfBytes(
  body: BodyBytes,
  timeAt: (offset: number) => SpanTime | null,
): HttpBody['messages'] {
  return readSseEvents(body.bytes).flatMap(({ data, span, end }) => {
    const view =
      span === null
        ? assembledView(data.trim(), body.carrier)
        : viewOfBytes(body, span.start, span.end);
    return view === null ? [] : [{ view, at: timeAt(end) }];
  });
}

function viewOfBytes({ bytes, pieces, carrier }: BodyBytes, from: number, to: number) {
  const parsed = parseLooseJsonBytes(bytes.subarray(from, to));
  if (!parsed.ok) return null;
  const within = pieces.flatMap(({ start, offset, length }) => {
    const begin = Math.max(start, from);
    const end = Math.min(start + length, to);
    if (begin >= end) return [];
    const place = { offset: offset + begin - start, length: end - begin };
    return [{ sha256: carrier.sha256, start: begin - from, ...place }];
  });
  const ground = {
    kind: 'scattered',
    document: parsed.value,
    pieces: within,
    carrier,
  } as const;
  return new JsonView(ground, parsed.value.root, '');
}

function endpointIn(text: string): { endpoint?: string } {
  const match = /^event:\s*endpoint\s*\r?\n(?:id:.*\r?\n)?data:\s*(\S{1,2000})/m.exec(
    text.slice(0, 20_000),
  );
  return match?.[1] === undefined ? {} : { endpoint: match[1] };
}
