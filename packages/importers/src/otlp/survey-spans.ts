import { parseJsonBytes } from '@misstep/json';
import type { Result, SourceHash } from '@misstep/model';
import { JsonView } from '../json-view.ts';
import { memorySource } from '../memory-source.ts';
import { IssueList, RecordLedger } from '../record-ledger.ts';
import { SourceRecords } from '../source-records.ts';
import { isSpanId, NO_IDS, OtlpReader } from './otlp-reader.ts';
import { readProtobufTraces } from './protobuf-traces.ts';

/** What an OTLP trace request holds, as far as its receiver must know. */
export interface SpanSurvey {
  /** How many spans of each trace, by the trace's id in lower-case hexadecimal digits. */
  readonly traces: ReadonlyMap<string, number>;
  /** Spans that no trace can be told of: an id is missing, or isn't 16 bytes (the span's own: 8). */
  readonly spansWithoutTrace: number;
}

/** What an OTLP log request holds for runs. */
export interface LogSurvey {
  /** How many log records say something of a span of a trace, by the trace's id. */
  readonly traces: ReadonlyMap<string, number>;
  /** Log records that say nothing of a model or a tool, or of no span. */
  readonly otherRecords: number;
}

export type Wire = 'json' | 'protobuf';

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
/** Nothing is kept of a survey, so its places lead nowhere. */
const NOWHERE = '' as SourceHash;

/** Reads the body of an ExportTraceServiceRequest; the error says why it is none. */
export function surveySpans(encoding: Wire, body: Uint8Array): Result<SpanSurvey, string> {
  const read = readRequest('spans', encoding, body);
  if (!read.ok) return read;
  const { reader, ledger } = read.value;
  const traces = new Map<string, number>();
  let spansWithoutTrace = ledger.account().unused.filter(({ reason }) => reason === NO_IDS).length;
  for (const { traceId, spanId } of reader.spans) {
    if (TRACE_ID.test(traceId) && isSpanId(spanId)) {
      traces.set(traceId, (traces.get(traceId) ?? 0) + 1);
    } else spansWithoutTrace += 1;
  }
  return { ok: true, value: { traces, spansWithoutTrace } };
}

/** The same of an ExportLogsServiceRequest. */
export function surveyLogs(encoding: Wire, body: Uint8Array): Result<LogSurvey, string> {
  const read = readRequest('logs', encoding, body);
  if (!read.ok) return read;
  const { reader, ledger } = read.value;
  const traces = new Map<string, number>();
  let kept = 0;
  for (const traceId of reader.loggedTraceIds) {
    if (!TRACE_ID.test(traceId)) continue;
    traces.set(traceId, (traces.get(traceId) ?? 0) + 1);
    kept += 1;
  }
  return { ok: true, value: { traces, otherRecords: ledger.total - kept } };
}

const REQUESTS = {
  spans: { name: 'ExportTraceServiceRequest', keys: ['resourceSpans', 'resource_spans'] },
  logs: { name: 'ExportLogsServiceRequest', keys: ['resourceLogs', 'resource_logs'] },
} as const;

function readRequest(
  signal: 'spans' | 'logs',
  encoding: Wire,
  body: Uint8Array,
): Result<{ reader: OtlpReader; ledger: RecordLedger }, string> {
  const ledger = new RecordLedger(NOWHERE);
  const issues = new IssueList();
  const reader = new OtlpReader(ledger, new SourceRecords(memorySource('', body, NOWHERE)));
  if (encoding === 'json') {
    const parsed = parseJsonBytes(body);
    if (!parsed.ok) return { ok: false, error: `The body is no JSON: ${parsed.error.message}` };
    const ground = { kind: 'bytes' as const, document: parsed.value, sha256: NOWHERE, offset: 0 };
    const view = new JsonView(ground, parsed.value.root, '');
    const { name, keys } = REQUESTS[signal];
    const list = view.firstOf(...keys);
    // Unknown fields are ignored, as OTLP says; but a body of nothing else was meant for elsewhere.
    const isRequest = view.isObject && (list?.isArray ?? view.entries.size === 0);
    if (!isRequest) {
      return { ok: false, error: `The body is no ${name}: it has no ${keys[0]}.` };
    }
    if (list !== undefined) reader.readValue(view);
  } else {
    const whole = { bytes: body, bytesAt: 0, start: 0, end: body.length, isCut: false, signal };
    readProtobufTraces(whole, reader, ledger, issues);
    const damaged = ledger.account().unused.find(({ state }) => state === 'malformed');
    if (damaged !== undefined)
      return { ok: false, error: `The body is damaged: ${damaged.reason}.` };
    if (issues.list().some(({ code }) => code === 'CUT_TAIL')) {
      return { ok: false, error: 'The body is cut off.' };
    }
  }
  return { ok: true, value: { reader, ledger } };
}
