import { describe, expect, test } from 'vitest';
import { chooseFormat, makeSourceHead } from '../src/index.ts';
import { sourceOfText } from './support.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

async function told(value: unknown, format: string) {
  const main = sourceOfText(JSON.stringify(value));
  const { importer } = chooseFormat(await makeSourceHead(main));
  expect(importer?.id).toBe(format);
  const result = await importer?.read({ main, companions: [] });
  expect(result?.runs).toHaveLength(1);
  return (result?.issues ?? []).map(({ code, message }) => [code, message.slice(0, 7)]);
}

const otlp = (traceId: string, spanId: string) => ({
  resourceSpans: [
    { scopeSpans: [{ spans: [{ traceId, spanId, name: 'ring', startTimeUnixNano: '1' }] }] },
  ],
});
const printed = (trace_id: string, span_id: string) => ({
  name: 'ring',
  context: { trace_id, span_id, trace_state: '[]' },
  kind: 'SpanKind.INTERNAL',
  parent_id: null,
  start_time: '2026-03-02T09:00:00Z',
  end_time: '2026-03-02T09:00:01Z',
  status: { status_code: 'UNSET' },
  attributes: {},
});
const jaeger = (traceID: string, spanID: string) => ({
  data: [{ traceID, spans: [{ traceID, spanID, operationName: 'ring', startTime: 1 }] }],
});
const zipkin = (traceId: string, id: string, parentId?: string) => [
  { traceId, id, parentId, name: 'ring', timestamp: 1, duration: 2, localEndpoint: {} },
];
const ODD = [['ID_LENGTH', '1 span ']];

describe('ids that are not of the format’s length are told', () => {
  test('OTLP', async () => {
    expect(await told(otlp(TRACE, SPAN), 'otlp-json')).toEqual([]);
    expect(await told(otlp('S/kvNXezTaajzpKdDg5HNg==', 'APBnqgupArc='), 'otlp-json')).toEqual([]);
    expect(await told(otlp(TRACE, 'b1'), 'otlp-json')).toEqual(ODD);
    expect(await told(otlp(TRACE.slice(1), SPAN), 'otlp-json')).toEqual(ODD);
  });

  test('what a console exporter prints', async () => {
    expect(await told(printed(`0x${TRACE}`, `0x${SPAN}`), 'otlp-json')).toEqual([]);
    expect(await told(printed(`0x${TRACE}`, '0xb1'), 'otlp-json')).toEqual(ODD);
  });

  test('Jaeger, which may drop leading zeros', async () => {
    expect(await told(jaeger('c0ffee', 'a1'), 'jaeger-json')).toEqual([]);
    expect(await told(jaeger('c0ffee', `${SPAN}0`), 'jaeger-json')).toEqual(ODD);
    expect(await told(jaeger('kiln', 'a1'), 'jaeger-json')).toEqual(ODD);
  });

  test('Zipkin', async () => {
    expect(await told(zipkin(SPAN, SPAN), 'zipkin-json')).toEqual([]);
    expect(await told(zipkin(TRACE, SPAN), 'zipkin-json')).toEqual([]);
    expect(await told(zipkin(TRACE, 'b1'), 'zipkin-json')).toEqual(ODD);
    expect(await told(zipkin(TRACE, SPAN, 'b1'), 'zipkin-json')).toEqual([
      ...ODD,
      ['PARENT_MISSING', '1 span '],
    ]);
  });
});
