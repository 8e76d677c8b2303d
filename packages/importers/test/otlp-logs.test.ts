import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeSpanJournalRecord, encodeSpanJournalStart, type SpanEncoding } from '@misstep/model';
import { expect, test } from 'vitest';
import { otlpReceived } from '../src/formats/otlp-received.ts';
import { surveyLogs } from '../src/index.ts';
import { encodeLogs, type PlainLogs } from './encode-otlp.ts';
import { expectAccountsAddUp } from './invariants.ts';
import { FIXTURES_FOLDER, sourceOf } from './support.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const LINES = readFileSync(join(FIXTURES_FOLDER, 'otlp-json/logged.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '');

interface Body {
  readonly encoding: SpanEncoding;
  readonly bytes: Uint8Array;
}

function bodyOf(line: string, isProtobuf: boolean): Body {
  const parsed: Partial<PlainLogs> = JSON.parse(line);
  const { resourceLogs } = parsed;
  if (isProtobuf && resourceLogs !== undefined) {
    return { encoding: 'protobuf-logs', bytes: encodeLogs({ resourceLogs }) };
  }
  return { encoding: 'json', bytes: new TextEncoder().encode(line) };
}

async function readJournal(bodies: readonly Body[]) {
  const records = bodies.map(({ encoding, bytes }) =>
    encodeSpanJournalRecord({ wallNs: 1n, encoding, compression: 'identity', body: bytes }),
  );
  const journal = Buffer.concat([encodeSpanJournalStart(TRACE), ...records]);
  const main = sourceOf('trace.spans', new Uint8Array(journal));
  const result = await otlpReceived.read({ main, companions: [] });
  expectAccountsAddUp(result, [main]);
  return result;
}

const pictureOf = ({ runs }: Awaited<ReturnType<typeof readJournal>>) =>
  runs[0]?.steps.map(({ kind, name, status, statusReason, usage, summary, content, time }) => ({
    kind,
    name,
    status,
    statusReason,
    usage,
    summary,
    startedAtNs: time.startedAtNs,
    texts: content.map(({ value }) => value.encoding),
  }));

test('log records as protobuf say what they say as JSON', async () => {
  const asJson = await readJournal(LINES.map((line) => bodyOf(line, false)));
  const asProtobuf = await readJournal(LINES.map((line) => bodyOf(line, true)));
  expect(asJson.runs[0]?.steps).toHaveLength(5);
  const strip = (picture: ReturnType<typeof pictureOf>) =>
    picture?.map(({ texts, ...each }) => ({ ...each, parts: texts.length }));
  expect(strip(pictureOf(asProtobuf))).toEqual(strip(pictureOf(asJson)));
  expect(asProtobuf.sources[0]?.records).toEqual(asJson.sources[0]?.records);
});

test('whatever comes first, steps are the same and keep their ids while others come', async () => {
  const orders = [LINES, LINES.toReversed(), [...LINES.slice(2), ...LINES.slice(0, 2)]];
  const whole = await Promise.all(
    orders.map((lines) => readJournal(lines.map((line) => bodyOf(line, false)))),
  );
  const [first, ...others] = whole.map(pictureOf);
  for (const other of others) expect(other).toEqual(first);
  for (const lines of orders) {
    let before = new Set<string>();
    for (let count = 1; count <= lines.length; count += 1) {
      const part = await readJournal(lines.slice(0, count).map((line) => bodyOf(line, false)));
      const ids = new Set(part.runs.flatMap(({ steps }) => steps.map(({ id }) => id)));
      for (const id of before) expect([...ids]).toContain(id);
      before = ids;
    }
  }
});

test('a survey tells which traces log records say something of', () => {
  for (const line of LINES.filter((each) => each.includes('resourceLogs'))) {
    const json = bodyOf(line, false);
    const protobuf = bodyOf(line, true);
    const found = surveyLogs('json', json.bytes);
    expect(surveyLogs('protobuf', protobuf.bytes)).toEqual(found);
    expect(found.ok && [...found.value.traces.keys()]).toEqual([TRACE]);
  }
  const last = surveyLogs('json', bodyOf(LINES.at(-1) ?? '', false).bytes);
  expect(last).toMatchObject({ ok: true, value: { otherRecords: 2 } });
  for (const text of ['', '[]', '{"resourceSpans":[]}', '{"resourceLogs":{}}']) {
    expect(surveyLogs('json', new TextEncoder().encode(text)).ok).toBe(false);
  }
});
