import type { SourceHash } from '@misstep/model';
import type { Importer, ImportInput, ImportResult, SourceGroup, SourceHead } from '../importer.ts';
import { memorySource } from '../memory-source.ts';
import { OtlpReader } from '../otlp/otlp-reader.ts';
import { framingOf, type ProtobufFraming, readLength, signalOf } from '../otlp/protobuf-framing.ts';
import { readProtobufTraces } from '../otlp/protobuf-traces.ts';
import { IssueList, RecordLedger } from '../record-ledger.ts';
import { SourceRecords } from '../source-records.ts';
import { groupOfTraces, type OtlpReading, readTraceSources } from '../trace-sources.ts';
import { refuseUtf16 } from '../unreadable-source.ts';

/** OpenTelemetry traces as OTLP protobuf: one request, or several with their lengths. */
export const otlpProtobuf: Importer = {
  id: 'otlp-protobuf',
  title: 'OpenTelemetry trace (OTLP protobuf)',
  evidence: 'logged',
  revision: 8,
  sniff: (head: SourceHead) => (framingOf(head.bytes) === null ? 0 : 0.96),
  group: groupOf,
  read,
};

const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
/** Enough for the longest length in front of a message. */
const LENGTH_BYTES = 10;
const LOOK_BYTES = 1024 * 1024;

async function read(input: ImportInput): Promise<ImportResult> {
  const { main } = input;
  input.signal?.throwIfAborted();
  const framing = framingOf(await main.read(0, Math.min(LOOK_BYTES, main.sizeBytes)));
  // Two bytes of a length may look like UTF-16's mark, so this comes second.
  const refused = framing === null ? await refuseUtf16(input) : null;
  if (refused !== null) return refused;
  return readTraceSources(input, async (source, reading) => {
    const { main: own } = source;
    const framed = framingOf(await own.read(0, Math.min(LOOK_BYTES, own.sizeBytes)));
    if (framed !== null) await readMessages(source, framed, reading);
    else if (own.sizeBytes > 0) {
      reading.ledger.malformed(
        { offset: 0, length: own.sizeBytes },
        'no span or log record of OTLP at its beginning',
      );
    }
  });
}

/** What the first message says, of which the head may hold a part. */
function groupOf({ bytes }: SourceHead): SourceGroup | null {
  const framing = framingOf(bytes);
  const framed = framing === null || framing === 'bare' ? null : readLength(framing, bytes, 0);
  const start = framed?.start ?? 0;
  const length = Math.min(framed?.length ?? bytes.length, bytes.length - start);
  const body = bytes.subarray(start, start + length);
  const ledger = new RecordLedger(NOWHERE);
  const reader = new OtlpReader(ledger, new SourceRecords(memorySource('', body, NOWHERE)));
  const signal = signalOf(body, 0, length) ?? 'spans';
  const whole = { signal, bytes: body, bytesAt: 0, start: 0, end: body.length, isCut: true };
  readProtobufTraces(whole, reader, ledger, new IssueList());
  const ids = [...reader.spans.map(({ traceId }) => traceId), ...reader.loggedTraceIds];
  return groupOfTraces(ids, reader.spans[0]?.start?.ns ?? null);
}

/** Nothing is kept of a look, so its places lead nowhere. */
const NOWHERE = '' as SourceHash;

async function readMessages(
  { main, signal, onProgress }: ImportInput,
  framing: ProtobufFraming,
  { reader, ledger, issues }: OtlpReading,
): Promise<void> {
  let kind: 'spans' | 'logs' = 'spans';
  for (let at = 0; at < main.sizeBytes; ) {
    signal?.throwIfAborted();
    const left = main.sizeBytes - at;
    const head = framing === 'bare' ? null : await main.read(at, Math.min(LENGTH_BYTES, left));
    const framed =
      framing === 'bare' || head === null
        ? { start: 0, length: main.sizeBytes }
        : readLength(framing, head, 0);
    if (framed === null) {
      ledger.malformed({ offset: at, length: left }, 'no length of a message');
      return;
    }
    const from = at + framed.start;
    const length = Math.min(framed.length, main.sizeBytes - from);
    at = from + length;
    if (length > MAX_MESSAGE_BYTES) {
      ledger.malformed({ offset: from, length }, 'larger than 256 MiB');
      issues.add(
        'DOCUMENT_TOO_LARGE',
        'A message of more than 256 MiB is not read; let the exporter write smaller batches.',
        main.sha256,
        from,
      );
      continue;
    }
    const bytes = await main.read(from, length);
    const isCut = length < framed.length;
    // A request without any goes on as the one before it.
    kind = signalOf(bytes, 0, framed.length) ?? kind;
    readProtobufTraces(
      { signal: kind, bytes, bytesAt: from, start: 0, end: bytes.length, isCut },
      reader,
      ledger,
      issues,
    );
    onProgress?.({ readBytes: at, records: ledger.total, steps: 0 });
  }
}
