import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  encodeFrameRecord,
  FRAME_LOG_MAGIC,
  type FrameLogRecord,
  readFrameLog,
  streamFrameLog,
} from '../src/index.ts';

const magic = new TextEncoder().encode(FRAME_LOG_MAGIC);
const record: fc.Arbitrary<FrameLogRecord> = fc.record({
  lane: fc.constantFrom('>', '<', '!', '#'),
  monotonicNs: fc.bigInt({ min: 0n, max: 2n ** 63n }),
  wallNs: fc.bigInt({ min: 0n, max: 2n ** 63n }),
  transport: fc.constantFrom('stdio', 'streamable-http', 'sse', 'unknown'),
  connection: fc.constantFrom('c1', 'c2'),
  payload: fc.uint8Array({ maxLength: 80 }),
});

function concat(parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

describe('frame log', () => {
  test('gives back every record byte for byte', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 12 }), (records) => {
        const { entries, damage } = readFrameLog(
          concat([magic, ...records.map(encodeFrameRecord)]),
        );
        expect(damage).toEqual([]);
        expect(entries).toHaveLength(records.length);
        for (const [index, entry] of entries.entries())
          expect(entry).toMatchObject(records[index] ?? {});
      }),
    );
  });

  test('a log torn at any byte gives every record before the tear and one damage', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 6 }), fc.nat(), (records, seed) => {
        const encoded = records.map(encodeFrameRecord);
        const bytes = concat([magic, ...encoded]);
        const cut = magic.length + (seed % (bytes.length - magic.length));
        const { entries } = readFrameLog(bytes.subarray(0, cut));
        let whole = 0;
        let end = magic.length;
        for (const part of encoded) {
          end += part.length;
          // The last line break may be missing: the payload and its checksum are whole without it.
          if (end - 1 <= cut) whole += 1;
        }
        expect(entries).toHaveLength(whole);
      }),
    );
  });

  test('read a piece at a time it gives the same, whatever is damaged', async () => {
    const part = fc.oneof(
      record.map(encodeFrameRecord),
      fc.uint8Array({ maxLength: 30 }),
      fc
        .constantFrom('F > 1 2 stdio c1 90 00000000\n', '\nF', 'F\n')
        .map((text) => new TextEncoder().encode(text)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), fc.nat(), async (parts, seed) => {
        const whole = concat([magic, ...parts]);
        const bytes = whole.subarray(0, whole.length - (seed % whole.length) * (seed % 2));
        const entries: object[] = [];
        const damage: object[] = [];
        const read = (offset: number, length: number) =>
          Promise.resolve(bytes.slice(offset, offset + length));
        for await (const found of streamFrameLog(bytes.length, read)) {
          if ('reason' in found) damage.push(found);
          else entries.push(found);
        }
        expect({ entries, damage }).toEqual(readFrameLog(bytes));
      }),
    );
  });

  test('a log larger than the piece that is in memory reads whole', async () => {
    const payload = new Uint8Array(300_000).fill(0x20);
    const one = encodeFrameRecord({
      lane: '<',
      monotonicNs: 1n,
      wallNs: 2n,
      transport: 'stdio',
      connection: 'c1',
      payload,
    });
    const torn = one.slice(0, 150_000);
    const bytes = concat([magic, one, one, one, one, torn, one, one]);
    const offsets: number[] = [];
    let largest = 0;
    const read = (offset: number, length: number) => {
      largest = Math.max(largest, length);
      return Promise.resolve(bytes.subarray(offset, offset + length));
    };
    for await (const found of streamFrameLog(bytes.length, read)) offsets.push(found.offset);
    const whole = readFrameLog(bytes);
    expect(offsets).toEqual(
      [...whole.entries, ...whole.damage].map(({ offset }) => offset).sort((a, b) => a - b),
    );
    // The torn one swallows the next, which does not begin on a line of its own.
    expect(whole.entries).toHaveLength(5);
    expect(largest).toBeLessThan(bytes.length);
  });

  test('damage in one record costs that record only', () => {
    const parts = ['{"id":1}', '{"id":2}', '{"id":3}'].map((text) =>
      encodeFrameRecord({
        lane: '>',
        monotonicNs: 1n,
        wallNs: 2n,
        transport: 'stdio',
        connection: 'c1',
        payload: new TextEncoder().encode(text),
      }),
    );
    const middle = parts[1]?.slice() ?? new Uint8Array();
    middle[middle.length - 3] = 0x39;
    const { entries, damage } = readFrameLog(
      concat([magic, parts[0] ?? magic, middle, parts[2] ?? magic]),
    );
    expect(entries.map((entry) => new TextDecoder().decode(entry.payload))).toEqual([
      '{"id":1}',
      '{"id":3}',
    ]);
    expect(damage).toEqual([
      {
        offset: magic.length + (parts[0]?.length ?? 0),
        length: middle.length,
        reason: 'the checksum does not hold',
      },
    ]);
  });
});
