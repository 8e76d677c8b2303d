import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { OtlpReader } from '../otlp/otlp-reader.ts';
import { framingOf, type ProtobufFraming, readLength, signalOf } from '../otlp/protobuf-framing.ts';
import { readProtobufTraces } from '../otlp/protobuf-traces.ts';
import { IssueList, RecordLedger } from '../record-ledger.ts';
import { SourceRecords } from '../source-records.ts';
import { runsOfTraces } from '../trace-runs.ts';
import { refuseUtf16 } from '../unreadable-source.ts';

/** OpenTelemetry traces as OTLP protobuf: one request, or several with their lengths. */
export const otlpProtobuf: Importer = {
  id: 'otlp-protobuf',
  title: 'OpenTelemetry trace (OTLP protobuf)',
  evidence: 'logged',
  revision: 7,
  sniff: (head: SourceHead) => (framingOf(head.bytes) === null ? 0 : 0.96),
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
  const issues = new IssueList();
  const ledger = new RecordLedger(main.sha256);
  const reader = new OtlpReader(ledger, new SourceRecords(input.main));
  if (framing !== null) await readMessages(input, framing, { reader, ledger, issues });
  else if (main.sizeBytes > 0) {
    ledger.malformed(
      { offset: 0, length: main.sizeBytes },
      'no span or log record of OTLP at its beginning',
    );
  }
  const runs = await runsOfTraces(await reader.finish(issues), issues, ledger);
  return { runs, sources: [ledger.account()], issues: issues.list() };
}

interface Reading {
  readonly reader: OtlpReader;
  readonly ledger: RecordLedger;
  readonly issues: IssueList;
}

async function readMessages(
  { main, signal, onProgress }: ImportInput,
  framing: ProtobufFraming,
  { reader, ledger, issues }: Reading,
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
