import { parseLooseJsonBytes } from '@misstep/json';
import type { CapturedValue, Elision, Origin } from '@misstep/model';
import { type BrokenEvent, brokenInBytes, brokenInString, startsAsJson } from './broken-event.ts';
import { assembledView, JsonView } from './json-view.ts';
import { looksLikeSse, readSseEvents } from './sse-events.ts';
import { inlineValue, valueAt } from './step-builder.ts';
import type { SpanTime } from './trace-span.ts';

/** The body of one HTTP message, without transfer and content encoding. */
export interface HttpBody {
  readonly text: string;
  /** The string or record that carries it. */
  readonly place: JsonView;
  /** The JSON in it: the body itself, or the events of a stream. */
  readonly messages: readonly { readonly view: JsonView; readonly at: SpanTime | null }[];
  /** Events of a stream that are not whole. */
  readonly broken: readonly BrokenEvent[];
  /** The body as it stands in the source, as what an answer gave. */
  value(elisions?: Elision[]): CapturedValue;
  /** How many bytes of it are not here, where the recording says so. */
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
  const value = (elisions: Elision[] = []): CapturedValue =>
    place.text === text
      ? place.value('wire', elisions)
      : inlineValue(text, place.origin, 'wire', elisions);
  if (!looksLikeSse(text)) {
    const view = /^\s*[[{]/.test(text) ? inner(text) : null;
    return { text, place, value, broken: [], messages: view === null ? [] : [{ view, at: null }] };
  }
  const bytes = new TextEncoder().encode(text);
  const broken: BrokenEvent[] = [];
  const messages = readSseEvents(bytes).flatMap((event) => {
    const view = inner(event.data.trim());
    if (view !== null) return [{ view, at: null }];
    if (startsAsJson(event.data)) broken.push(brokenInString(event, text, bytes, place));
    return [];
  });
  return { text, place, value, broken, messages, ...endpointIn(text) };
}

/** `timeAt` tells when the byte before an offset into the body was there. */
export function bodyOfBytes(
  body: BodyBytes,
  timeAt: (offset: number) => SpanTime | null = () => null,
): HttpBody | null {
  const text = new TextDecoder().decode(body.bytes);
  const place = assembledView('null', body.carrier);
  if (place === null || body.bytes.length === 0) return null;
  const value = (elisions: Elision[] = []): CapturedValue => valueOfBytes(body, text, elisions);
  if (!looksLikeSse(text)) {
    const view = /^\s*[[{]/.test(text) ? viewOfBytes(body, 0, body.bytes.length) : null;
    const at = timeAt(body.bytes.length);
    return { text, place, value, broken: [], messages: view === null ? [] : [{ view, at }] };
  }
  return { text, place, value, ...eventsOfBytes(body, timeAt), ...endpointIn(text) };
}

/** Those events of a stream that are JSON, and those that begin so and aren't whole. */
export function eventsOfBytes(
  body: BodyBytes,
  timeAt: (offset: number) => SpanTime | null,
): Pick<HttpBody, 'messages' | 'broken'> {
  const broken: BrokenEvent[] = [];
  const messages = readSseEvents(body.bytes).flatMap((event) => {
    const { data, span, end } = event;
    const view =
      span === null
        ? assembledView(data.trim(), body.carrier)
        : viewOfBytes(body, span.start, span.end);
    if (view !== null) return [{ view, at: timeAt(end) }];
    if (startsAsJson(data)) broken.push(brokenInBytes(event, body));
    return [];
  });
  return { messages, broken };
}

function valueOfBytes(
  { bytes, pieces, carrier }: BodyBytes,
  text: string,
  elisions: Elision[],
): CapturedValue {
  const [only, ...more] = pieces;
  if (only === undefined || more.length > 0 || only.length !== bytes.length) {
    return inlineValue(text, carrier, 'wire', elisions);
  }
  const origin = { ...carrier, offset: only.offset, length: only.length };
  return valueAt(origin, 'text', 'wire', elisions);
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
