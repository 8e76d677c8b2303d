import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { importerById, type SourceReader, surveySpans } from '../src/index.ts';
import { encodeTraces, lengthDelimited, type PlainTraces } from './encode-otlp.ts';
import { readValue, valuesOf } from './invariants.ts';
import { CORPUS_FOLDER, FIXTURES_FOLDER, filesBelow, sourceOf, sourceOfText } from './support.ts';

const TRACE = '00f1d0c5a7b94e1c8f2a6d3b5c7e9a10';

/** Everything of a reading but where it stands: ids, encodings, places. */
async function pictureOf(format: string, main: SourceReader) {
  const result = await importerById(format)?.read({ main, companions: [] });
  if (result === undefined) throw new Error('no such importer');
  const runs = [];
  for (const { key, title, client, model, clock, steps } of result.runs) {
    const seqs = new Map(steps.map(({ id, seq }) => [id, seq]));
    const pictures = [];
    for (const step of steps) {
      const {
        id,
        parentId,
        origin,
        moreOrigins,
        arguments: given,
        result: got,
        content,
        ...rest
      } = step;
      const texts = await Promise.all(valuesOf(step).map((value) => readValue(value, [main])));
      const parent = parentId === null ? null : seqs.get(parentId);
      pictures.push({ ...rest, parent, texts, further: moreOrigins.length });
    }
    runs.push({ key, title, client, model, clock, steps: pictures });
  }
  return { runs, records: result.sources[0]?.records };
}

test('the same run as JSON and as protobuf is the same tree with the same values', async () => {
  const text = readFileSync(join(FIXTURES_FOLDER, 'otlp-json/tide-agent.json'), 'utf8');
  const fromJson = await pictureOf('otlp-json', sourceOfText(text));
  const bytes = encodeTraces(JSON.parse(text));
  const fromProtobuf = await pictureOf('otlp-protobuf', sourceOf('tide.pb', bytes));
  expect(fromJson.runs[0]?.steps.length).toBeGreaterThan(8);
  expect(fromProtobuf).toEqual(fromJson);
});

const corpus = filesBelow(join(CORPUS_FOLDER, 'otlp')).filter((path) => path.endsWith('.json'));

// Files of other projects, which are not part of the repository.
test.skipIf(corpus.length === 0)(
  'real traces are the same trees once they are protobuf',
  async () => {
    for (const path of corpus) {
      const text = readFileSync(path, 'utf8');
      const fromJson = await pictureOf('otlp-json', sourceOfText(text));
      const fromProtobuf = await pictureOf(
        'otlp-protobuf',
        sourceOf('real.pb', encodeTraces(JSON.parse(text))),
      );
      expect(fromJson.runs.length).toBeGreaterThan(0);
      expect(fromProtobuf).toEqual(fromJson);
    }
  },
);

/** OTLP's AnyValue as its JSON writes it, with integers as text. */
const anyValue = fc.letrec<{ value: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.string({ unit: 'binary' }).map((stringValue) => ({ stringValue })),
    fc.boolean().map((boolValue) => ({ boolValue })),
    fc
      .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
      .map((integer) => ({ intValue: String(integer) })),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((double) => !Object.is(double, -0))
      .map((doubleValue) => ({ doubleValue })),
    fc.uint8Array().map((bytes) => ({ bytesValue: Buffer.from(bytes).toString('base64') })),
    fc.array(tie('value')).map((values) => ({ arrayValue: { values } })),
    fc
      .array(fc.record({ key: fc.constantFrom('a', '__proto__', 'é', ''), value: tie('value') }))
      .map((values) => ({ kvlistValue: { values } })),
  ),
})).value;

function tracesOf(value: object): PlainTraces {
  const attributes = [
    { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
    { key: 'gen_ai.tool.name', value: { stringValue: 'weigh' } },
    { key: 'gen_ai.tool.call.arguments', value },
  ];
  const ids = { traceId: TRACE, spanId: '00000000000000a1' };
  return {
    resourceSpans: [
      { scopeSpans: [{ scope: {}, spans: [{ ...ids, name: 'weigh', attributes }] }] },
    ],
  };
}

test('any value of an attribute reads alike from both', async () => {
  await fc.assert(
    fc.asyncProperty(anyValue, async (value) => {
      const traces = tracesOf(value);
      const fromJson = await pictureOf('otlp-json', sourceOfText(JSON.stringify(traces)));
      const main = sourceOf('one.pb', encodeTraces(traces));
      expect(await pictureOf('otlp-protobuf', main)).toEqual(fromJson);
    }),
    { numRuns: 200 },
  );
});

test('a group, which no message of OTLP has, is passed over with all that is in it', async () => {
  const inner = Buffer.concat([
    lengthDelimited(1, Buffer.from(TRACE, 'hex')),
    lengthDelimited(2, Buffer.from('00000000000000a1', 'hex')),
    lengthDelimited(5, Buffer.from('weigh')),
  ]);
  // Field 100 as a group that holds a number and a group with a text.
  const group = Buffer.from([0xa3, 6, 8, 1, 0x13, 0x0a, 1, 0x41, 0x14, 0xa4, 6]);
  const wrapped = (bytes: Uint8Array) =>
    lengthDelimited(1, lengthDelimited(2, lengthDelimited(2, bytes)));
  const read = (bytes: Uint8Array) => pictureOf('otlp-protobuf', sourceOf('a.pb', bytes));
  const whole = await read(wrapped(Buffer.concat([inner, group])));
  expect(whole.runs[0]?.steps).toHaveLength(1);
  expect(whole.records).toMatchObject({ understood: 1, malformed: 0 });
  for (const broken of [group.subarray(0, -2), Buffer.from([0xa3, 6, 0x14])]) {
    const { records } = await read(wrapped(Buffer.concat([inner, broken])));
    expect(records).toMatchObject({ malformed: 1 });
  }
});

test('values nested without end make their span malformed, not the reader', async () => {
  let bytes: Uint8Array = new Uint8Array();
  for (let depth = 0; depth < 20_000; depth += 1) {
    bytes = depth % 2 === 0 ? lengthDelimited(1, bytes) : lengthDelimited(5, bytes);
    if (bytes.length > 200_000) break;
  }
  const traces = tracesOf({ stringValue: 'x' });
  const span = traces.resourceSpans[0]?.scopeSpans[0]?.spans[0] ?? {};
  const inner = encodeTraces({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const deep = lengthDelimited(9, lengthDelimited(2, bytes));
  const broken = lengthDelimited(1, lengthDelimited(2, lengthDelimited(2, deep)));
  const { runs, records } = await pictureOf(
    'otlp-protobuf',
    sourceOf('deep.pb', Buffer.concat([inner, broken])),
  );
  expect(runs[0]?.steps).toHaveLength(1);
  expect(records).toEqual({
    total: 2,
    understood: 1,
    setAside: 0,
    notUnderstood: 0,
    malformed: 1,
  });
});

test('a survey tells the traces of a body, or why it is none', () => {
  const encode = (text: string) => new TextEncoder().encode(text);
  const traces = tracesOf({ stringValue: 'x' });
  const expected = { ok: true, value: { traces: new Map([[TRACE, 1]]), spansWithoutTrace: 0 } };
  const whole = encodeTraces(traces);
  expect(surveySpans('json', encode(JSON.stringify(traces)))).toEqual(expected);
  expect(surveySpans('protobuf', whole)).toEqual(expected);
  for (let length = 1; length < whole.length; length += 1) {
    expect(surveySpans('protobuf', whole.subarray(0, length)).ok).toBe(false);
  }
  expect(surveySpans('protobuf', new Uint8Array()).ok).toBe(true);
  for (const text of [
    '',
    '[]',
    '{"resourceSpans":{}}',
    '{"resourceLogs":[]}',
    '{"resourceSpans":',
  ]) {
    expect(surveySpans('json', encode(text)).ok).toBe(false);
  }
});
