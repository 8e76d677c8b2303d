import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeSpanJournalRecord, encodeSpanJournalStart, type SpanEncoding } from '@misstep/model';
import {
  encodeLogs,
  encodeSpan,
  encodeTraces,
  lengthDelimited,
  varint,
} from '../test/encode-otlp.ts';
import { FIXTURES_FOLDER } from '../test/support.ts';

// Protobuf isn't written by hand, so its fixtures are written by this script.

const folder = join(FIXTURES_FOLDER, 'otlp-protobuf');
mkdirSync(folder, { recursive: true });

// The run of the JSON fixture: both must read alike.
const tide = JSON.parse(readFileSync(join(FIXTURES_FOLDER, 'otlp-json/tide-agent.json'), 'utf8'));
writeFileSync(join(folder, 'tide-agent.pb'), encodeTraces(tide));

// Log records and the spans that they are of, each request with its length in front; and log records alone.
const logged = readFileSync(join(FIXTURES_FOLDER, 'otlp-json/logged.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const sent = JSON.parse(line);
    return { isLogs: 'resourceLogs' in sent, sent };
  });
const asRequest = ({ isLogs, sent }: (typeof logged)[number]): Uint8Array =>
  isLogs ? encodeLogs(sent) : encodeTraces(sent);
const framed = logged.map(asRequest).flatMap((bytes) => [varint(bytes.length), bytes]);
writeFileSync(join(folder, 'logged.pb'), Buffer.concat(framed));
const alone = logged.filter(({ isLogs }) => isLogs).map(asRequest);
writeFileSync(join(folder, 'logs-alone.pb'), Buffer.concat(alone));

const TRACE = '00f1d0c5a7b94e1c8f2a6d3b5c7e9a10';
const BEGAN_NS = 1_795_500_000_000_000_000n;
const said = (key: string, value: string | Uint8Array) => ({ key, value: { stringValue: value } });
const number = (key: string, value: bigint) => ({ key, value: { intValue: value } });

function span(id: number, parent: number | null, name: string, fields: object) {
  return {
    traceId: TRACE,
    spanId: id.toString(16).padStart(16, '0'),
    ...(parent === null ? {} : { parentSpanId: parent.toString(16).padStart(16, '0') }),
    name,
    kind: 1,
    startTimeUnixNano: BEGAN_NS + BigInt(id) * 1_000_000n,
    endTimeUnixNano: BEGAN_NS + BigInt(id) * 1_000_000n + 750_001n,
    ...fields,
  };
}

const request = (service: string, ...spans: object[]) =>
  encodeTraces({
    resourceSpans: [
      {
        resource: { attributes: [said('service.name', service)] },
        scopeSpans: [
          { scope: { name: 'wheel.tracing' }, spans: spans.map((each) => ({ ...each })) },
        ],
      },
    ],
  });

// Children before parents, keys that reach for prototypes, exact numbers, structured values.
const weigh = span(4, 2, 'execute_tool weigh_wheel', {
  attributes: [
    said('gen_ai.operation.name', 'execute_tool'),
    said('gen_ai.tool.name', 'weigh_wheel'),
    said('gen_ai.tool.call.id', 'w-1'),
    {
      key: 'gen_ai.tool.call.arguments',
      value: {
        kvlistValue: {
          values: [
            number('wheel', 9_007_199_254_740_993n),
            { key: '__proto__', value: { doubleValue: -0 } },
            { key: 'least', value: { intValue: -9_223_372_036_854_775_808n } },
            { key: 'odd', value: { doubleValue: Number.NaN } },
            { key: 'raw', value: { bytesValue: 'AP8=' } },
            { key: 'tags', value: { arrayValue: { values: [{ boolValue: true }, {}] } } },
          ],
        },
      },
    },
    said('gen_ai.tool.call.result', '{"grams": 1.0, "grams": 2, "note": "Größe ✓"}'),
    said('__proto__', 'polluted'),
    said('constructor.prototype.x', 'polluted'),
    said('prototype.0.role', 'user'),
  ],
});
const asked = span(3, 2, 'chat heron-2', {
  attributes: [
    said('gen_ai.operation.name', 'chat'),
    said('gen_ai.response.model', 'heron-2'),
    number('gen_ai.usage.input_tokens', 40n),
    number('gen_ai.usage.output_tokens', 7n),
    said(
      'gen_ai.input.messages',
      '[{"role":"user","parts":[{"type":"text","content":"How heavy is the wheel?"}]}]',
    ),
    said(
      'gen_ai.output.messages',
      '[{"role":"assistant","parts":[{"type":"tool_call","id":"w-1","name":"weigh_wheel","arguments":{"wheel":9007199254740993}}]}]',
    ),
    said(
      'gen_ai.tool.definitions',
      '[{"type":"function","name":"weigh_wheel","description":"Weighs a wheel.","parameters":{"type":"object"}}]',
    ),
  ],
});
const failed = span(5, 2, 'execute_tool ship_wheel', {
  attributes: [
    said('gen_ai.operation.name', 'execute_tool'),
    said('gen_ai.tool.name', 'ship_wheel'),
    said('gen_ai.tool.call.arguments', new Uint8Array([0x7b, 0xff, 0x7d])),
  ],
  events: [
    {
      timeUnixNano: BEGAN_NS,
      name: 'exception',
      attributes: [said('exception.message', 'no van is free')],
    },
  ],
  status: { code: 2 },
});
const began = span(2, null, 'invoke_agent wheelwright', {
  attributes: [
    said('gen_ai.operation.name', 'invoke_agent'),
    said('gen_ai.agent.name', 'wheelwright'),
  ],
});
// The agent's span as it began: no end yet, told again below.
const { endTimeUnixNano: _end, ...open } = began;

const messages = [
  request('wheel-desk', open),
  request('wheel-desk', weigh, asked),
  request('wheel-desk', weigh),
  request('wheel-desk', failed, began),
];
const varints = messages.flatMap((message) => [varint(message.length), message]);
writeFileSync(join(folder, 'scattered.pb'), Buffer.concat(varints));

// As a collector's file exporter writes it, from a newer OTLP (fields that aren't known here), with
// a damaged span, and cut in the last one.
const newer = lengthDelimited(
  1,
  Buffer.concat([
    lengthDelimited(
      2,
      Buffer.concat([
        lengthDelimited(2, Buffer.concat([encodeSpan(asked), lengthDelimited(900, varint(1))])),
        lengthDelimited(2, Buffer.concat([encodeSpan(weigh).subarray(0, 60), Buffer.from([0x07])])),
      ]),
    ),
    Buffer.concat([varint(901 << 3), varint(5)]),
  ]),
);
const fixed = [newer, request('wheel-desk', weigh), request('wheel-desk', failed, began)].flatMap(
  (message) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(message.length);
    return [length, message];
  },
);
const collected = Buffer.concat(fixed);
writeFileSync(join(folder, 'collector-cut.pb'), collected.subarray(0, collected.length - 30));

// The same spans as the receiver keeps them: in several requests, as JSON and as protobuf, one of
// them twice, with a span of another trace, and torn at the end.
const received = join(FIXTURES_FOLDER, 'otlp-received');
mkdirSync(received, { recursive: true });
const other = { ...span(9, null, 'GET /wheels', {}), traceId: 'ffffffffffffffffffffffffffffffff' };
const asJson = JSON.stringify(
  {
    resourceSpans: [
      {
        resource: { attributes: [said('service.name', 'wheel-desk')] },
        scopeSpans: [{ scope: { name: 'wheel.tracing' }, spans: [failed, other] }],
      },
    ],
  },
  (_key, value: unknown) => {
    if (value instanceof Uint8Array) return new TextDecoder().decode(value);
    return typeof value === 'bigint' ? String(value) : value;
  },
);
let wallNs = BEGAN_NS;
function record(encoding: SpanEncoding, body: Uint8Array, compression: 'identity' | 'gzip') {
  wallNs += 1_000_000_000n;
  return encodeSpanJournalRecord({ wallNs, encoding, compression, body });
}
const journal = Buffer.concat([
  encodeSpanJournalStart(TRACE),
  record('protobuf', request('wheel-desk', weigh, asked), 'gzip'),
  record('json', new TextEncoder().encode(asJson), 'identity'),
  record('protobuf', request('wheel-desk', weigh), 'identity'),
  record('protobuf', request('wheel-desk', open), 'identity'),
  record('protobuf', request('wheel-desk', failed, began), 'identity'),
]);
writeFileSync(join(received, 'wheel.spans'), journal);
const torn = Buffer.from(journal.subarray(0, journal.length - 40));
torn[torn.indexOf('weigh_wheel')] = 0x57;
writeFileSync(join(received, 'torn.spans'), torn);
