import { parseJsonBytes } from '@misstep/json';
import {
  journalTraceId,
  readSpanJournal,
  SPAN_JOURNAL_START,
  type SpanJournalEntry,
} from '@misstep/model';
import type { Importer, ImportInput, ImportResult, SourceHead } from '../importer.ts';
import { JsonView } from '../json-view.ts';
import { OtlpReader } from '../otlp/otlp-reader.ts';
import { readProtobufTraces } from '../otlp/protobuf-traces.ts';
import { counted, IssueList, RecordLedger } from '../record-ledger.ts';
import { SourceRecords } from '../source-records.ts';
import { runsOfTraces } from '../trace-runs.ts';
import { refuseLarge, refuseUtf16 } from '../unreadable-source.ts';

/** The spans of one trace as Misstep's receiver kept them (docs/formats/otlp-received.md). */
export const otlpReceived: Importer = {
  id: 'otlp-received',
  title: 'OpenTelemetry spans received',
  evidence: 'logged',
  revision: 5,
  sniff,
  read,
};

const MAX_JOURNAL_BYTES = 256 * 1024 * 1024;

function sniff(head: SourceHead): number {
  if (journalTraceId(head.bytes) !== null) return 1;
  return head.text.startsWith(SPAN_JOURNAL_START) ? 0.8 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main } = input;
  const ledger = new RecordLedger(main.sha256);
  const issues = new IssueList();
  if (main.sizeBytes > MAX_JOURNAL_BYTES) {
    const told = 'A trace of more than 256 MiB is not read.';
    refuseLarge(main, ledger, issues, told);
    return { runs: [], sources: [ledger.account()], issues: issues.list() };
  }
  const bytes = await main.read(0, main.sizeBytes);
  input.signal?.throwIfAborted();
  const { traceId, entries, damage } = readSpanJournal(bytes);
  for (const { offset, length, reason } of damage) {
    ledger.malformed({ offset, length }, reason);
    const told = `${length} bytes can't be read: ${reason}.`;
    issues.add('JOURNAL_DAMAGED', told, main.sha256, offset);
  }
  const reader = new OtlpReader(ledger, new SourceRecords(main), traceId);
  for (const entry of entries) readBody(entry, { bytes, reader, ledger, issues });
  input.onProgress?.({ readBytes: bytes.length, records: ledger.total, steps: 0 });
  if (reader.skippedSpans > 0) {
    issues.add(
      'OTHER_TRACES',
      `${counted(reader.skippedSpans, 'span')} of other traces came in the same requests; each trace has a recording of its own.`,
      main.sha256,
    );
  }
  if (reader.skippedLogs > 0) {
    issues.add(
      'OTHER_TRACES_LOGS',
      `${counted(reader.skippedLogs, 'log record')} of other traces, or of none, came in the same requests.`,
      main.sha256,
    );
  }
  // The receiver finds the run again by the trace's id, so that is its natural one.
  const runs = await runsOfTraces(await reader.finish(issues), issues, ledger, (id) => ({
    naturalId: id,
  }));
  return { runs, sources: [ledger.account()], issues: issues.list() };
}

interface Reading {
  readonly bytes: Uint8Array;
  readonly reader: OtlpReader;
  readonly ledger: RecordLedger;
  readonly issues: IssueList;
}

function readBody(
  { encoding, body, bodyOffset }: SpanJournalEntry,
  { bytes, reader, ledger, issues }: Reading,
): void {
  const span = { offset: bodyOffset, length: body.length };
  if (encoding !== 'json') {
    const end = bodyOffset + body.length;
    const signal = encoding === 'protobuf-logs' ? ('logs' as const) : ('spans' as const);
    const request = { bytes, bytesAt: 0, start: bodyOffset, end, isCut: false, signal };
    readProtobufTraces(request, reader, ledger, issues);
    return;
  }
  const parsed = parseJsonBytes(body);
  if (!parsed.ok) {
    if (body.length > 0) ledger.malformed(span, parsed.error.message);
    return;
  }
  const { sha256 } = ledger;
  const ground = { kind: 'bytes' as const, document: parsed.value, sha256, offset: bodyOffset };
  reader.readValue(new JsonView(ground, parsed.value.root, ''));
}
