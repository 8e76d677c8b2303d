import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  encodeSpanJournalRecord,
  encodeSpanJournalStart,
  readSpanJournal,
  SPAN_ENCODINGS,
} from '../src/index.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const start = encodeSpanJournalStart(TRACE);
const record = fc.record({
  wallNs: fc.bigInt({ min: 0n, max: 2n ** 63n }),
  encoding: fc.constantFrom(...SPAN_ENCODINGS),
  compression: fc.constantFrom('identity' as const, 'gzip' as const),
  // Bodies that look like records themselves.
  body: fc.oneof(
    fc.uint8Array(),
    fc.constant(new TextEncoder().encode('\nS 1 json identity 2 00000000\n{}\n')),
  ),
});
const records = fc.array(record, { maxLength: 6 });

test('what is written reads back byte for byte', () => {
  fc.assert(
    fc.property(records, (written) => {
      const bytes = Buffer.concat([start, ...written.map(encodeSpanJournalRecord)]);
      const { traceId, entries, damage } = readSpanJournal(bytes);
      expect([traceId, damage]).toEqual([TRACE, []]);
      expect(entries.map(({ bodyOffset, ...each }) => ({ ...each, body: [...each.body] }))).toEqual(
        written.map((each) => ({ ...each, body: [...each.body] })),
      );
      for (const { bodyOffset, body } of entries) {
        expect([...bytes.subarray(bodyOffset, bodyOffset + body.length)]).toEqual([...body]);
      }
    }),
  );
});

test('cut anywhere, every record before the cut is there and the rest is told', () => {
  fc.assert(
    fc.property(records, fc.nat(), (written, seed) => {
      const parts = written.map(encodeSpanJournalRecord);
      const bytes = Buffer.concat([start, ...parts]);
      const length = start.length + (seed % (bytes.length - start.length + 1));
      const { entries, damage } = readSpanJournal(bytes.subarray(0, length));
      // A record is whole with its body; the line feed behind it is for people.
      let end = start.length;
      const whole = parts.filter((part) => {
        end += part.length;
        return end - 1 <= length;
      });
      expect(entries).toHaveLength(whole.length);
      const told = damage.reduce((sum, { length: bytesOf }) => sum + bytesOf, 0);
      const read = whole.reduce((sum, part) => sum + part.length, start.length);
      expect(told).toBe(Math.max(0, length - read));
    }),
  );
});

test('damage in the middle takes one record', () => {
  const body = (text: string) => new TextEncoder().encode(text);
  const common = { wallNs: 1n, encoding: 'json', compression: 'identity' } as const;
  const parts = ['{"a":1}', '{"b":2}', '{"c":3}'].map((text) =>
    encodeSpanJournalRecord({ ...common, body: body(text) }),
  );
  const bytes = Buffer.concat([start, ...parts]);
  bytes[bytes.indexOf('"b"')] = 0x27;
  const { entries, damage } = readSpanJournal(bytes);
  expect(entries.map((entry) => Buffer.from(entry.body).toString())).toEqual([
    '{"a":1}',
    '{"c":3}',
  ]);
  expect(damage).toEqual([
    {
      offset: start.length + (parts[0]?.length ?? 0),
      length: parts[1]?.length,
      reason: 'the checksum does not hold',
    },
  ]);
});
