import { JsonView } from '../json-view.ts';
import { type PlacedDocument, PlacedWriter, type SourcePlace } from '../placed-json.ts';
import { isFault, readWireField, type WireFault, type WireField } from '../protobuf-wire.ts';
import { counted, type IssueList, type RecordLedger } from '../record-ledger.ts';
import type { Recall, SourceRecords } from '../source-records.ts';
import { type OtlpReader, serviceOf } from './otlp-reader.ts';
import { ProtobufMessages } from './protobuf-message.ts';
import { LOG_RECORD, type MessageSchema, RESOURCE, SPAN } from './protobuf-schema.ts';

/** Bytes of a source with one ExportTraceServiceRequest (or TracesData, or the same of logs) in them. */
export interface ProtobufRequest {
  /** What it holds: requests for spans and for log records are built alike. Spans if left out. */
  readonly signal?: 'spans' | 'logs';
  readonly bytes: Uint8Array;
  /** Where in the source `bytes` begins. */
  readonly bytesAt: number;
  readonly start: number;
  readonly end: number;
  /** The request goes on behind `end`: the source is cut. */
  readonly isCut: boolean;
}

type Extent = Pick<WireField, 'start' | 'end'>;

/**
 * Reads the spans of a request. What holds others (the request, a resource's and a scope's spans)
 * is read as far as it goes, so that a cut source gives every span that is whole; a span itself is
 * whole or malformed.
 */
export function readProtobufTraces(
  request: ProtobufRequest,
  reader: OtlpReader,
  ledger: RecordLedger,
  issues: IssueList,
): void {
  new TracesReader(request, reader, ledger, issues).read();
}

class TracesReader {
  readonly #request: ProtobufRequest;
  readonly #reader: OtlpReader;
  readonly #ledger: RecordLedger;
  readonly #issues: IssueList;
  readonly #messages: ProtobufMessages;
  #unknownFields = 0;

  constructor(
    request: ProtobufRequest,
    reader: OtlpReader,
    ledger: RecordLedger,
    issues: IssueList,
  ) {
    this.#request = request;
    this.#reader = reader;
    this.#ledger = ledger;
    this.#issues = issues;
    this.#messages = new ProtobufMessages(request.bytes, request.bytesAt);
  }

  read(): void {
    const { isCut, start, end, bytesAt } = this.#request;
    if (isCut) this.#tellCut(end);
    for (const field of this.#fieldsOf({ start, end }, 1)) {
      if (field.number === 1) this.#readResourceSpans(field);
    }
    const { invalidTexts, firstInvalidAt } = this.#messages;
    for (let left = invalidTexts; left > 0; left -= 1) {
      this.#issues.count(
        'INVALID_UTF8',
        (count) => `${counted(count, 'text')} with bytes that are no UTF-8; shown as U+FFFD.`,
        this.#ledger.sha256,
        firstInvalidAt,
      );
    }
    const unknown = this.#unknownFields + this.#messages.unknownFields;
    for (let left = unknown; left > 0; left -= 1) {
      this.#issues.count(
        'UNKNOWN_FIELDS',
        (count) => `${counted(count, 'protobuf field')} that OTLP doesn't define; not read.`,
        this.#ledger.sha256,
        bytesAt + start,
      );
    }
  }

  #readResourceSpans(resourceSpans: WireField): void {
    const before = this.#reader.seen;
    const scopes: Extent[] = [];
    let service: string | null = null;
    for (const field of this.#fieldsOf(resourceSpans, 3)) {
      // A resource that can't be read takes none of its spans with it.
      if (field.number === 1 && !field.isCut) service = this.#serviceOf(field);
      else if (field.number === 2) scopes.push(field);
    }
    for (const scope of scopes) {
      for (const field of this.#fieldsOf(scope, 3)) {
        if (field.number === 2) this.#readItem(field, service);
      }
    }
    if (this.#reader.seen > before) return;
    const place = this.#placeOf(resourceSpans);
    const [first, all] = this.#isLogs ? ['log record', 'log records'] : ['span', 'spans'];
    if (resourceSpans.isCut) this.#ledger.malformed(place, `cut off before its first ${first}`);
    else this.#ledger.notUnderstood(place, `no ${all} in it`);
  }

  #serviceOf(resource: WireField): string | null {
    const view = this.#viewOf(RESOURCE, resource);
    return 'reason' in view ? null : serviceOf(view);
  }

  get #isLogs(): boolean {
    return this.#request.signal === 'logs';
  }

  #readItem(item: WireField, service: string | null): void {
    const view = item.isCut
      ? { at: item.tagAt, reason: `the ${this.#isLogs ? 'log record' : 'span'} is cut` }
      : this.#viewOf(this.#isLogs ? LOG_RECORD : SPAN, item);
    if (!('reason' in view)) {
      const schema = this.#isLogs ? LOG_RECORD : SPAN;
      const recall = recallMessage(this.#reader.records, schema, this.#placeOf(item));
      if (this.#isLogs) this.#reader.readLog(view, service, recall);
      else this.#reader.readSpan(view, service, recall);
      return;
    }
    const at = this.#request.bytesAt + view.at;
    this.#ledger.malformed(this.#placeOf(item), `${view.reason} (at byte ${at})`);
  }

  #viewOf(schema: MessageSchema, field: WireField): JsonView | WireFault {
    const { bytes, bytesAt } = this.#request;
    return viewOf(this.#messages, schema, field, {
      sha256: this.#ledger.sha256,
      whole: this.#placeOf(field),
      bytes,
      bytesAt,
    });
  }

  /** The length-delimited fields of a message that has those up to `known`; the others are counted. */
  *#fieldsOf({ start, end }: Extent, known: number): Generator<WireField> {
    const { bytes, bytesAt } = this.#request;
    for (let at = start; at < end; ) {
      const read = readWireField(bytes, at, end);
      if (isFault(read)) {
        this.#ledger.malformed(
          { offset: bytesAt + read.at, length: end - read.at },
          `${read.reason} (at byte ${bytesAt + read.at})`,
        );
        return;
      }
      if (read.isCut) this.#tellCut(read.tagAt);
      if (read.type === 2 && read.number <= known) yield read;
      else this.#unknownFields += 1;
      at = read.end;
    }
  }

  #tellCut(at: number): void {
    const { sha256 } = this.#ledger;
    const offset = this.#request.bytesAt + at;
    const told = (): string => 'The file ends in the middle of a message; what is whole was read.';
    this.#issues.count('CUT_TAIL', told, sha256, offset);
  }

  /** A field with its tag. */
  #placeOf({ tagAt, end }: WireField): SourcePlace {
    return { offset: this.#request.bytesAt + tagAt, length: end - tagAt, isText: false };
  }
}

function viewOf(
  messages: ProtobufMessages,
  schema: MessageSchema,
  field: WireField,
  ground: Omit<PlacedDocument, 'document' | 'places'>,
): JsonView | WireFault {
  const writer = new PlacedWriter();
  const fault = messages.write(writer, schema, field);
  if (fault !== null) return fault;
  const placed = writer.finish(ground);
  if (placed === null) return { at: field.start, reason: 'it holds what no JSON can say' };
  return new JsonView({ kind: 'placed', placed }, placed.document.root, '');
}

/** A message that was read before, from the bytes of its field with the tag. */
function recallMessage(
  records: SourceRecords,
  schema: MessageSchema,
  { offset, length }: SourcePlace,
): Recall {
  return async ({ sha256 }) => {
    const bytes = await records.bytes(offset, length);
    const field = readWireField(bytes, 0, bytes.length);
    const messages = new ProtobufMessages(bytes, offset);
    const ground = { sha256, whole: { offset, length, isText: false }, bytes, bytesAt: offset };
    const view = isFault(field) ? field : viewOf(messages, schema, field, ground);
    if ('reason' in view) throw new Error(view.reason);
    return view;
  };
}
