import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MOST_UNPACKED_BYTES, unpackContent } from '../src/content-encoding.ts';
import { readPrinted } from '../src/formats/mcp-proxy-log/printed-value.ts';
import { mcpVcr } from '../src/formats/mcp-vcr.ts';
import { pcap } from '../src/formats/pcap.ts';
import type { ImportResult } from '../src/index.ts';
import { classicCapture, ethernet, ipv4, nextGeneration, tcpSide } from './encode-capture.ts';
import { sourceOf, sourceOfText, stepsOf } from './support.ts';

const ASKED =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dive","arguments":{"depth":9007199254740993,"of":"Grün ✓"}}}';
const ANSWERED = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"12.50 m"}]}}';
const request = Buffer.from(
  `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:9\r\nContent-Length: ${Buffer.byteLength(ASKED)}\r\n\r\n${ASKED}`,
);
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${ANSWERED.length.toString(16)}\r\n${ANSWERED}\r\n0\r\n\r\n`,
);

/** Frames of one side's bytes, cut at these places, from this sequence number on. */
function framesOf(bytes: Buffer, cuts: readonly number[], port: number, sequence: number) {
  const places = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])];
  places.sort((a, b) => a - b);
  return places.slice(1).map((end, index) => {
    const begin = places[index] ?? 0;
    const from = tcpSide('127.0.0.1', port, (sequence + begin) % 2 ** 32);
    const to = tcpSide('127.0.0.1', port === 9 ? 5000 : 9, 0);
    return ethernet(ipv4(from, to, bytes.subarray(begin, end)));
  });
}

async function readFrames(frames: readonly Uint8Array[]): Promise<ImportResult> {
  const packets = frames.map((frame, index) => ({ atNs: BigInt(index + 1) * 1_000_000n, frame }));
  return pcap.read({ main: sourceOf('any.pcap', classicCapture(1, packets)), companions: [] });
}

describe('TCP', () => {
  const cuts = fc.array(fc.nat({ max: 500 }), { maxLength: 6 });
  const sequence = fc.constantFrom(0, 77, 2 ** 31 - 40, 2 ** 32 - 60);

  test('however it is cut, sent again and mixed up, the call is the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        cuts,
        cuts,
        sequence,
        fc.infiniteStream(fc.nat()),
        async (a, b, at, order) => {
          const sent = framesOf(request, a, 5000, at);
          const given = framesOf(answer, b, 9, at);
          // The first packets come first: what is before them in the stream isn't known otherwise.
          const later = [...sent.slice(1), ...sent];
          const mixed = later
            .map((frame) => ({ frame, key: order.next().value ?? 0 }))
            .sort((left, right) => left.key - right.key)
            .map(({ frame }) => frame);
          const [first = new Uint8Array()] = sent;
          const result = await readFrames([first, ...mixed, ...given, ...given]);
          const [step, ...more] = stepsOf(result);
          expect(more).toEqual([]);
          expect([step?.tool, step?.status]).toEqual(['dive', 'ok']);
          expect(step?.summary).toBe('depth: 9007199254740993, of: "Grün ✓"');
          expect(result.sources[0]?.records.notUnderstood).toBe(0);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('bytes that are sent again as others are told, and the first stand', async () => {
    const [sent = new Uint8Array()] = framesOf(request, [], 5000, 77);
    const other = Buffer.from(request.toString().replace('dive', 'sink'));
    const again = framesOf(other, [], 5000, 77);
    // A probe that keeps the connection alive may hold any byte.
    const probe = framesOf(Buffer.from('\0'), [], 5000, 77 + request.length - 1);
    const result = await readFrames([sent, ...again, ...probe, ...framesOf(answer, [], 9, 5)]);
    expect(stepsOf(result).map(({ tool }) => tool)).toEqual(['dive']);
    expect(result.issues.map(({ code }) => code)).toEqual(['SENT_AGAIN_DIFFERENTLY']);
    expect(result.sources[0]?.records).toMatchObject({ notUnderstood: 1, setAside: 1 });
  });

  test('a time beyond all years is told', async () => {
    const capture = nextGeneration([{ linkType: 1, resolution: 0 }]);
    for (const frame of framesOf(request, [], 5000, 77)) {
      capture.packet(0, 2n ** 64n, frame);
    }
    const main = sourceOf('any.pcapng', capture.finish());
    const result = await pcap.read({ main, companions: [] });
    expect(result.issues.map(({ code }) => code)).toContain('TIME_UNREADABLE');
    expect(stepsOf(result).map(({ tool }) => tool)).toEqual(['dive']);
  });

  test('what was not captured is told, and no call is made up', async () => {
    const [head = new Uint8Array(), , tail = new Uint8Array()] = framesOf(
      request,
      [80, 110],
      5000,
      1,
    );
    const result = await readFrames([head, tail]);
    expect(stepsOf(result)).toEqual([]);
    expect(result.issues.map(({ code }) => code)).toEqual(['CAPTURE_GAPS']);
    expect(result.sources[0]?.records.understood).toBe(0);
  });
});

describe('packed bodies', () => {
  const text = Buffer.from('{"depth": 12.50, "of": "Grün ✓"}'.repeat(50));

  test.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', text],
    ['', text],
  ])('%s', async (encoding, packed) => {
    const unpacked = await unpackContent(packed, encoding);
    expect(unpacked?.fault).toBeNull();
    expect(Buffer.from(unpacked?.bytes ?? []).equals(text)).toBe(true);
  });

  test('an encoding that nobody knows is left alone', async () => {
    expect(await unpackContent(text, 'lzma')).toBeNull();
  });

  test('cut data give what can be had, or nothing, and say so', async () => {
    for (const [encoding, packed] of [
      ['gzip', gzipSync(text)],
      ['br', brotliCompressSync(text)],
      ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x24])],
    ] as const) {
      const unpacked = await unpackContent(packed.subarray(0, packed.length - 9), encoding);
      expect([encoding, unpacked?.fault]).toEqual([
        encoding,
        'the compressed body is cut or damaged',
      ]);
    }
  });

  test('a bomb is met', async () => {
    const zeros = Buffer.alloc(MOST_UNPACKED_BYTES + 1_000_000);
    for (const [encoding, packed] of [
      ['gzip', gzipSync(zeros)],
      ['br', brotliCompressSync(zeros)],
    ] as const) {
      const unpacked = await unpackContent(packed, encoding);
      expect([encoding, unpacked?.fault]).toEqual([
        encoding,
        'the body unpacks to more than 64 MiB',
      ]);
      expect(unpacked?.bytes.length).toBeLessThanOrEqual(MOST_UNPACKED_BYTES);
    }
  });
});

describe('printed values', () => {
  test.each([
    [`{ a: 1, 'b c': "it's", list: [ 1, 2 ] }`, '{"a":1,"b c":"it\'s","list":[1,2]}'],
    [`'one\\n' +\n  'two'`, '"one\\ntwo"'],
    ['{True: None}', '{"True":null}'],
    [
      `{'ok': True, 'no': False, 'n': 9007199254740993, 'f': 1.0}`,
      '{"ok":true,"no":false,"n":9007199254740993,"f":1.0}',
    ],
    [`ErrorData(code=-32602, message='x', data=None)`, '{"code":-32602,"message":"x","data":null}'],
    [`('a', 1,)`, '["a",1]'],
    [
      `{ __proto__: 1, constructor: { prototype: 2 } }`,
      '{"__proto__":1,"constructor":{"prototype":2}}',
    ],
    ['`back\\`tick \\x41 \\u{1f600}`', '"back`tick A 😀"'],
    ['{}', '{}'],
    ['[]', '[]'],
  ])('%s', (text, json) => {
    expect(readPrinted(text, 0)).toEqual({ json, cuts: [], end: text.length });
  });

  test('what was left out is told with its place and number', () => {
    const text = `{ a: [ 'x'... 30 more characters, ... 4 more items ], b: [Object] }`;
    const printed = readPrinted(text, 0);
    expect(printed?.cuts).toEqual([
      { pointer: '/a/0', kind: 'characters', count: 30, marker: '... 30 more characters' },
      { pointer: '/a', kind: 'items', count: 4, marker: '... 4 more items' },
      { pointer: '/b', kind: 'value', count: null, marker: '[Object]' },
    ]);
  });

  test('any text ends, and what is read is JSON', () => {
    const piece = fc.constantFrom(
      ...'{}[]()\'"`,:=+\\ a1T.-\n',
      'True',
      '... 3 more items',
      'root=',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const printed = readPrinted(pieces.join(''), 0);
        if (printed !== null) expect(() => JSON.parse(printed.json)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});

describe('YAML', () => {
  const read = (payload: string): Promise<ImportResult> =>
    mcpVcr.read({
      main: sourceOfText(
        `meta:\n  version: 1\nmessages:\n- dir: c2s\n  payload: ${payload}\n  t: 1\n`,
      ),
      companions: [],
    });

  test('aliases that unfold without bound are refused', async () => {
    const levels = [...'bcdefghij'].map((name, index) => {
      const before = `*${'abcdefghij'[index]}`;
      return `${name}: &${name} [${Array.from({ length: 9 }, () => before).join(', ')}]`;
    });
    const bomb = `{a: &a [x, x, x, x, x, x, x, x, x], ${levels.join(', ')}}`;
    const result = await read(bomb);
    expect(stepsOf(result)).toEqual([]);
    expect(result.sources[0]?.records.malformed).toBeGreaterThan(0);
  });

  test('depth costs no stack', async () => {
    const result = await read(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(stepsOf(result)).toEqual([]);
    expect(result.sources[0]?.records.malformed).toBeGreaterThan(0);
  });
});
