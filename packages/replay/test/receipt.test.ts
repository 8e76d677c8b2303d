import { encodeFrameRecord, type FrameLogEntry, type Receipt, readFrameLog } from '@misstep/model';
import { startHostileHttp } from '@misstep/testkit';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  describePins,
  meaningOf,
  packReceipt,
  type ReceiptVerification,
  unpackReceipt,
  verifyReceipt,
} from '../src/index.ts';
import { endingOf, replayOnce, stdioTarget } from './replay-once.ts';

let receiptText = '';
let frameLog: Uint8Array = new Uint8Array();

beforeAll(async () => {
  const replayed = await replayOnce(stdioTarget('echo'), {
    argumentsText: '{"n": 9007199254740993,\n "a": 1.0, "a": -0}',
  });
  receiptText = endingOf(replayed).receiptText;
  frameLog = replayed.frameLog;
});

/** The log with some of its payloads changed, checksums made to fit; null drops the record. */
function rewritten(change: (text: string, entry: FrameLogEntry) => string | null): Uint8Array {
  const records = readFrameLog(frameLog).entries.flatMap((entry) => {
    const text = change(new TextDecoder().decode(entry.payload), entry);
    if (text === null) return [];
    return [encodeFrameRecord({ ...entry, payload: new TextEncoder().encode(text) })];
  });
  return Buffer.concat(records);
}

function differing({ checks, verified }: ReceiptVerification): string[] {
  const fields = checks.filter(({ state }) => state === 'differs').map(({ field }) => field);
  expect(verified).toBe(fields.length === 0);
  // Any change changes the whole: it has its own tests below.
  return fields.filter((field) => field !== 'frameLog.sha256');
}

describe('verifyReceipt', () => {
  it('confirms a receipt by the frames of its call', () => {
    const found = verifyReceipt(receiptText, frameLog);
    expect(found.checks.filter(({ state }) => state !== 'matches')).toEqual([]);
    expect(found).toMatchObject({ verified: true, receipt: { tool: 'echo' } });
    expect(found.checks.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['arguments.sha256', 'toolDefinition.sha256', 'result.sha256']),
    );
    expect(found.sentence).toContain(`all ${found.checks.length} checks`);
  });

  it.each([
    'is-error',
    'json-rpc-error',
    'paged-list',
    'string-ids',
    'never-answers',
    'answers-twice',
  ])('confirms what came of a server that does %s', async (behaviour) => {
    const replayed = await replayOnce(stdioTarget(behaviour), { timeoutMs: 3000 });
    const found = verifyReceipt(endingOf(replayed).receiptText, replayed.frameLog);
    expect(differing(found)).toEqual([]);
    expect(found.checks.length).toBeGreaterThan(9);
  });

  it.each(['echo', 'json-rpc-error', 'http-400-json', 'slow-with-progress', 'half-stream'])(
    'confirms what came over HTTP of a server that does %s',
    async (behaviour) => {
      const server = await startHostileHttp(behaviour);
      try {
        const address = { transport: 'streamable-http', url: server.url } as const;
        const replayed = await replayOnce(address, { argumentsText: '{"a":1.0,\n"b":[]}' });
        const found = verifyReceipt(endingOf(replayed).receiptText, replayed.frameLog);
        expect(differing(found)).toEqual([]);
        expect(found.checks.map(({ field }) => field)).toContain('arguments.sha256');
      } finally {
        await server.stop();
      }
    },
  );

  it('says exactly what does not match', () => {
    const swap = (from: string, to: string, lane: string) =>
      rewritten((text, entry) => (entry.lane === lane ? text.replace(from, to) : text));
    // White space alone: the bytes differ, the canonical form does not.
    expect(differing(verifyReceipt(receiptText, swap('{"n": 9', '{"n":  9', '>')))).toEqual([
      'arguments.sizeBytes',
      'arguments.sha256',
    ]);
    expect(differing(verifyReceipt(receiptText, swap('740993', '740992', '>')))).toEqual([
      'arguments.sha256',
      'arguments.canonicalSha256',
    ]);
    expect(
      differing(verifyReceipt(receiptText, swap('Gives back what', 'Gives back that', '<'))),
    ).toEqual(['toolDefinition.sha256']);
    expect(
      differing(verifyReceipt(receiptText, swap('"received":{"n"', '"received":{"m"', '<'))),
    ).toEqual(['result.sha256', 'result.canonicalSha256']);
    expect(
      differing(verifyReceipt(receiptText, swap('"name":"echo"', '"name":"ecHo"', '>'))),
    ).toEqual(['tool']);
    expect(
      differing(verifyReceipt(receiptText, swap('"version":"1.0"', '"version":"1.1"', '<'))),
    ).toEqual(['server.version']);
  });

  it('sees a call that is gone, sent twice, or answered otherwise', () => {
    const gone = rewritten((text) => (text.includes('tools/call') ? null : text));
    expect(differing(verifyReceipt(receiptText, gone))).toContain('arguments');
    const call = readFrameLog(frameLog).entries.find(({ payload }) =>
      Buffer.from(payload).includes('tools/call'),
    );
    if (call === undefined) throw new Error('no call');
    const twice = Buffer.concat([frameLog, encodeFrameRecord(call)]);
    expect(differing(verifyReceipt(receiptText, twice))).toEqual(['pins.attempts']);
    const failed = rewritten((text) => text.replace('"structuredContent"', '"isError":true,"x"'));
    expect(differing(verifyReceipt(receiptText, failed))).toContain('outcome');
    expect(verifyReceipt(receiptText, new Uint8Array()).verified).toBe(false);
  });

  it('notices any flipped bit of a frame', () => {
    const frames = readFrameLog(frameLog).entries;
    fc.assert(
      fc.property(fc.nat(frames.length - 1), fc.nat(), fc.nat(7), (index, at, bit) => {
        const entry = frames[index];
        if (entry === undefined || entry.payload.length === 0) return;
        const bytes = Uint8Array.from(frameLog);
        const place = entry.payloadOffset + (at % entry.payload.length);
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
        expect(verifyReceipt(receiptText, bytes).verified).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('covers every byte of the log, the lines of records included', () => {
    fc.assert(
      fc.property(fc.nat(frameLog.length - 1), fc.nat(7), (at, bit) => {
        const bytes = Uint8Array.from(frameLog);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        expect(verifyReceipt(receiptText, bytes).verified).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['stderr', '!', 'FATAL: database dropped\n'],
    ['a notification', '<', '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'],
    ['a connection event', '#', '{"kind":"note","text":"invented"}'],
  ] as const)('notices %s that was added with a right checksum', (_what, lane, text) => {
    const [first] = readFrameLog(frameLog).entries;
    if (first === undefined) throw new Error('an empty log');
    const added = encodeFrameRecord({ ...first, lane, payload: new TextEncoder().encode(text) });
    const forged = Buffer.concat([frameLog, added]);
    expect(verifyReceipt(receiptText, forged)).toMatchObject({ verified: false });
    const unpacked = unpackReceipt(packReceipt(forged, receiptText));
    if (unpacked.kind === 'none') throw new Error(unpacked.sentence);
    const { receiptText: packed, frameLog: packedLog } = unpacked;
    expect(verifyReceipt(packed, packedLog, unpacked)).toMatchObject({ verified: false });
  });

  it("notices what follows the receipt's record, and another line of it", () => {
    const file = Buffer.from(packReceipt(frameLog, receiptText));
    const at = readFrameLog(file).entries.at(-1)?.offset ?? 0;
    const other = Buffer.from(file);
    const [call] = readFrameLog(frameLog).entries;
    if (call === undefined) throw new Error('an empty log');
    other.write(' c9 ', other.indexOf(' c1 ', at));
    const after = Buffer.concat([file, encodeFrameRecord({ ...call, lane: '!' })]);
    for (const [bytes, verified] of [
      [file, true],
      [after, false],
      [other, false],
    ] as const) {
      const unpacked = unpackReceipt(bytes);
      if (unpacked.kind === 'none') throw new Error(unpacked.sentence);
      const found = verifyReceipt(unpacked.receiptText, unpacked.frameLog, unpacked);
      expect(found.verified).toBe(verified);
    }
  });

  it('says of a receipt of an earlier version that the frames as a whole are not covered', () => {
    const { frameLog: _, ...earlier } = JSON.parse(receiptText);
    const found = verifyReceipt(JSON.stringify(earlier), frameLog);
    expect(found.verified).toBe(true);
    expect(found.sentence).toContain('the frames as a whole are not covered by this receipt');
  });

  it('does not judge by a canonical form that it does not know', () => {
    const later = receiptText.replace('misstep-canonical-1', 'misstep-canonical-9');
    const found = verifyReceipt(later, frameLog);
    expect(found.verified).toBe(false);
    expect(
      found.checks
        .filter(({ state }) => state !== 'matches')
        .map(({ field, state }) => [field, state]),
    ).toEqual([
      ['arguments.canonicalSha256', 'cannot be checked'],
      ['result.canonicalSha256', 'cannot be checked'],
    ]);
  });

  it('takes any text for a receipt without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.uint8Array(), (text, bytes) => {
        expect(verifyReceipt(text, bytes).verified).toBe(false);
      }),
    );
  });
});

describe('a packed receipt', () => {
  it('holds log and receipt word for word, and reads as a frame log', () => {
    const file = packReceipt(frameLog, receiptText);
    expect(Buffer.compare(file.subarray(0, frameLog.length), frameLog)).toBe(0);
    expect(readFrameLog(file).damage).toEqual([]);
    const unpacked = unpackReceipt(file);
    if (unpacked.kind === 'none') throw new Error(unpacked.sentence);
    expect(unpacked.receiptText).toBe(receiptText);
    expect(Buffer.compare(unpacked.frameLog, frameLog)).toBe(0);
    expect(verifyReceipt(unpacked.receiptText, unpacked.frameLog).verified).toBe(true);
  });

  it('survives behind a torn record, which counts as damage', () => {
    const file = packReceipt(frameLog.subarray(0, frameLog.length - 9), receiptText);
    const unpacked = unpackReceipt(file);
    if (unpacked.kind === 'none') throw new Error(unpacked.sentence);
    expect(differing(verifyReceipt(unpacked.receiptText, unpacked.frameLog))).toContain('frames');
  });

  it('is refused where its text was changed or is not there', () => {
    const changed = { kind: 'receipt', receipt: `${receiptText} `, receiptSha256: 'f'.repeat(64) };
    const record = encodeFrameRecord({
      lane: '#',
      monotonicNs: 0n,
      wallNs: 0n,
      transport: 'stdio',
      connection: 'c1',
      payload: new TextEncoder().encode(JSON.stringify(changed)),
    });
    expect(unpackReceipt(record)).toMatchObject({ kind: 'none' });
    expect(unpackReceipt(frameLog)).toEqual({
      kind: 'none',
      sentence: 'The file holds no receipt.',
    });
  });
});

it('calls nothing the same in a replay that sent nothing', async () => {
  const { receipt } = endingOf(await replayOnce(stdioTarget('echo')));
  const unsent: Receipt = {
    ...receipt,
    rounds: 0,
    protocolRevision: null,
    server: { name: null, version: null },
    toolDefinition: { ...receipt.toolDefinition, sha256: null },
  };
  const pins = describePins(unsent);
  expect(pins.every(({ same }) => same === null)).toBe(true);
  expect(pins.map(({ words }) => words)).toEqual([
    'unknown, the call was not sent',
    'unknown, the call was not sent',
    'unknown, the server was not asked',
    ...Array(3).fill('unknown, the server was not reached'),
    'unknown, as of now',
  ]);
  expect(meaningOf(pins)).toMatch(/^The call was not sent/);
});

it('says of a replay what was the same and what nobody can know', async () => {
  const { receipt } = endingOf(await replayOnce(stdioTarget('echo')));
  expect(describePins(receipt)).toMatchObject([
    { name: 'Same argument bytes', same: true, words: 'yes, 15 of 15' },
    { name: 'Same tool', same: true },
    { name: 'Same tool definition', same: null },
    { name: 'Same server', same: null },
    { name: 'Same server version', same: null },
    { name: 'Same protocol revision', same: null },
    { name: 'Same server state', words: 'unknown, as of now' },
  ]);
});
