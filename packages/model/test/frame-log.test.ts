import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  encodeFrameRecord,
  FRAME_LOG_MAGIC,
  type FrameLogRecord,
  readFrameLog,
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
  return Uint8Array.from(parts.flatMap((part) => [...part]));
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
