import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { SourceHash } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import { importerById, readInPages, type SourceReader } from '../src/index.ts';
import { encodeTraces, varint } from './encode-otlp.ts';
import { MemoryPages } from './memory-pages.ts';

const SPANS = 600;
const TEXT = 'a granite kiln '.repeat(1500);
/** What all spans hold is over ten times that. */
const MOST_BYTES = 3_000_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const hex = (index: number, digits: number): string =>
  (index + 1).toString(16).padStart(digits, '0');
const iso = (index: number): string => new Date(1_790_000_000_000 + index * 1000).toISOString();
const isRoot = (index: number): boolean => index === 0;
const otlpIds = (index: number) => ({
  traceId: hex(1, 32),
  spanId: hex(index, 16),
  ...(isRoot(index) ? {} : { parentSpanId: hex(0, 16) }),
});
const said = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const otlpSpan = (index: number) => ({
  ...otlpIds(index),
  name: `execute_tool find ${index}`,
  startTimeUnixNano: String(1_790_000_000_000_000_000n + BigInt(index) * 1_000_000_000n),
  endTimeUnixNano: String(1_790_000_000_500_000_000n + BigInt(index) * 1_000_000_000n),
  attributes: [
    said('gen_ai.operation.name', 'execute_tool'),
    said('gen_ai.tool.call.result', `${index} ${TEXT}`),
  ],
});
const otlpLog = (index: number) => ({
  ...otlpIds(index),
  timeUnixNano: String(1_790_000_000_000_000_000n + BigInt(index) * 1_000_000_000n),
  eventName: 'gen_ai.user.message',
  body: { kvlistValue: { values: [said('content', `${index} ${TEXT}`)] } },
});
const spansOf = (index: number) => ({
  resourceSpans: [
    {
      resource: { attributes: [said('service.name', 'a kiln of many words')] },
      scopeSpans: [{ spans: [otlpSpan(index)] }],
    },
  ],
});
const logsOf = (index: number) => ({
  resourceLogs: [{ scopeLogs: [{ logRecords: [otlpLog(index)] }] }],
});

/** One span as each format writes it. */
const FORMATS: Readonly<
  Record<string, { format: string; of(index: number): object | Uint8Array }>
> = {
  'OTLP JSON lines': { format: 'otlp-json', of: spansOf },
  'OTLP log records': { format: 'otlp-json', of: logsOf },
  'OTLP protobuf': {
    format: 'otlp-protobuf',
    of: (index) => {
      const request = encodeTraces(spansOf(index));
      return Buffer.concat([varint(request.length), request]);
    },
  },
  Jaeger: {
    format: 'jaeger-json',
    of: (index) => ({
      traceID: hex(1, 32),
      spans: [
        {
          traceID: hex(1, 32),
          spanID: hex(index, 16),
          operationName: 'find',
          startTime: 1_790_000_000_000_000 + index,
          duration: 5,
          processID: 'p1',
          tags: [{ key: 'output.value', value: `${index} ${TEXT}` }],
        },
      ],
      processes: { p1: { serviceName: 'a kiln of many words' } },
    }),
  },
  Zipkin: {
    format: 'zipkin-json',
    of: (index) => ({
      traceId: hex(1, 32),
      id: hex(index, 16),
      name: 'find',
      kind: 'CLIENT',
      timestamp: 1_790_000_000_000_000 + index,
      duration: 5,
      localEndpoint: { serviceName: 'a kiln of many words' },
      tags: { 'output.value': `${index} ${TEXT}` },
    }),
  },
  Langfuse: {
    format: 'langfuse',
    of: (index) => ({
      id: `observation-${index}`,
      traceId: 'trace-of-many-words',
      type: 'GENERATION',
      parentObservationId: null,
      startTime: iso(index),
      endTime: iso(index + 1),
      statusMessage: null,
      usageDetails: {},
      output: `${index} ${TEXT}`,
    }),
  },
  Phoenix: {
    format: 'phoenix',
    of: (index) => ({
      context: { trace_id: hex(1, 32), span_id: hex(index, 16) },
      span_kind: 'TOOL',
      name: 'find',
      start_time: iso(index),
      end_time: iso(index + 1),
      status_code: 'OK',
      attributes: { 'output.value': `${index} ${TEXT}` },
    }),
  },
  LangSmith: {
    format: 'langsmith',
    of: (index) => ({
      id: `00000000-0000-4000-8000-${hex(index, 12)}`,
      trace_id: '00000000-0000-4000-8000-000000000001',
      run_type: 'tool',
      name: 'find',
      start_time: iso(index),
      end_time: iso(index + 1),
      outputs: { output: `${index} ${TEXT}` },
    }),
  },
  'OpenAI Agents SDK': {
    format: 'openai-agents',
    of: (index) => ({
      object: 'trace.span',
      id: `span_${hex(index, 24)}`,
      trace_id: `trace_${hex(1, 32)}`,
      started_at: iso(index),
      ended_at: iso(index + 1),
      span_data: { type: 'function', name: 'find', output: `${index} ${TEXT}` },
    }),
  },
};

describe.each(Object.entries(FORMATS))('%s', (name, { format, of }) => {
  test('does not hold what its spans hold until the last has come', async () => {
    const parts: Uint8Array[] = [];
    for (let index = 0; index < SPANS; index += 1) {
      const record = of(index);
      parts.push(
        record instanceof Uint8Array ? record : Buffer.from(`${JSON.stringify(record)}\n`),
      );
    }
    const bytes = Buffer.concat(parts);
    let heldBytes: number | null = null;
    let readBytes = 0;
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const main: SourceReader = {
      // The digest is 64 lower-case hexadecimal digits, which is what the brand asks for.
      sha256: createHash('sha256').update(bytes).digest('hex') as SourceHash,
      name: 'spans',
      sizeBytes: bytes.length,
      read: async (offset, length) => {
        // The first that is read again: all spans are known, and none of their steps is made.
        if (readBytes >= bytes.length && heldBytes === null) {
          collectGarbage();
          heldBytes = process.memoryUsage().heapUsed - before;
        }
        readBytes += length;
        return bytes.subarray(offset, offset + length);
      },
    };
    const importer = importerById(format);
    if (importer === null) throw new Error(`no format ${format}`);
    const result = await readInPages(importer, { main, companions: [] }, new MemoryPages());
    const run = result.runs[0];
    expect(run?.steps).toHaveLength(SPANS);
    expect(result.sources[0]?.records.understood).toBe(SPANS);
    expect(bytes.length).toBeGreaterThan(10_000_000);
    expect(heldBytes).not.toBeNull();
    expect(heldBytes).toBeLessThan(MOST_BYTES);
    collectGarbage();
    // A message of a log record is put together, so its text stands in the step itself.
    if (name !== 'OTLP log records') {
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(2 * MOST_BYTES);
    }
    expect(run?.steps.at(-1)?.seq).toBe(SPANS);
  });
});
