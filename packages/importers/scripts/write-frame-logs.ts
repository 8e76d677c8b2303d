import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeFrameRecord, FRAME_LOG_MAGIC, type FrameLogLane } from '@misstep/model';
import { FIXTURES_FOLDER } from '../test/support.ts';

// Frame logs have lengths and checksums in them, so their fixtures are written by this script.

const encoder = new TextEncoder();
const BEGAN_NS = BigInt(Date.UTC(2026, 10, 23, 5, 30)) * 1_000_000n;

function record(lane: FrameLogLane, atMs: number, payload: string, connection = 'c1'): Uint8Array {
  const monotonicNs = BigInt(Math.round(atMs * 1_000_000));
  return encodeFrameRecord({
    lane,
    monotonicNs,
    wallNs: BEGAN_NS + monotonicNs,
    transport: 'stdio',
    connection,
    payload: encoder.encode(payload),
  });
}

const rpc = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
const call = (id: number, name: string, argumentsText: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${argumentsText}}}`;

const shift = [
  record('#', 0, '{"kind":"started","text":"kestrel-depot --stdio"}'),
  record('>', 1.5, rpc({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } })),
  record('!', 4, 'kestrel-depot 3.1.0 listening\n'),
  record(
    '<',
    9.25,
    rpc({ id: 0, result: { serverInfo: { name: 'kestrel-depot', version: '3.1.0' } } }),
  ),
  record('>', 10, rpc({ id: 1, method: 'tools/list' })),
  record(
    '<',
    11,
    rpc({
      id: 1,
      result: {
        tools: [
          { name: 'find_part', description: 'Finds a part.', inputSchema: { type: 'object' } },
        ],
      },
    }),
  ),
  record(
    '>',
    20,
    call(2, 'find_part', '{"id":9007199254740993,"weight":1.0,"a":1,"a":2,"half":"\\ud800"}'),
  ),
  record('>', 20.5, call(2, 'find_part', '{ "name" : "hub" }'), 'c2'),
  record(
    '<',
    22.75,
    '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\\"parts\\":[]}"}],"structuredContent":{"parts":[]}}}',
  ),
  record('<', 23, 'welcome to the depot'),
  record('<', 24, '{"jsonrpc":"2.0","id":2,'),
  record('#', 25, '{"kind":"note","text":"cut by the cap","nextFrameRemark":"cut at 1 MB"}', 'c2'),
  record(
    '<',
    30,
    '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"hub 7"}]}}',
    'c2',
  ),
  record('>', 40, call(3, 'move_part', '{"to":"C-3"}')),
  record('#', 90, '{"kind":"exit","text":"exit code 1"}'),
];

const magic = encoder.encode(FRAME_LOG_MAGIC);
const folder = join(FIXTURES_FOLDER, 'frame-log');
writeFileSync(join(folder, 'night-shift.frames'), Buffer.concat([magic, ...shift]));

// The same log after a crash in the last record and with one payload byte changed on the disk.
const damaged = Buffer.concat([magic, ...shift.slice(0, 8)]);
const at = damaged.indexOf('find_part","description');
damaged[at] = 'F'.charCodeAt(0);
writeFileSync(join(folder, 'damaged.frames'), damaged.subarray(0, damaged.length - 12));
