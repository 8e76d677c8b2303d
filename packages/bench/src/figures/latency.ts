import { join } from 'node:path';
import { McpConnection } from '@misstep/mcp';
import { FrameLogWriter } from '@misstep/replay';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { installDepot } from './depot.ts';
import { table, writeReport } from './report.ts';
import { newFolder } from './send-once.ts';
import { type StartedServer, startServer } from './start-server.ts';

const EVERYTHING = '@modelcontextprotocol/server-everything';
const VERSION = '2026.8.31';
const SIZES = [
  { title: '100 B', bytes: 100, calls: 400 },
  { title: '100 kB', bytes: 100_000, calls: 200 },
] as const;
const WARM_UP = 40;

/** One caller of the echo tool; its time is from the call to the answer. */
interface Arm {
  call(message: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Our connection with every byte kept in a file, beside the SDK's own client, turn by turn. */
export async function latency(): Promise<void> {
  const spec = `${EVERYTHING}@${VERSION}`;
  const depot = installDepot([spec]);
  const rows: string[][] = [];
  for (const transport of ['stdio', 'streamable-http'] as const) {
    const words = [depot.bin(EVERYTHING), transport === 'stdio' ? 'stdio' : 'streamableHttp'];
    const server = await startServer(transport, words, new Map());
    try {
      for (const size of SIZES) {
        rows.push([transport, size.title, ...(await compare(server, size.bytes, size.calls))]);
        process.stdout.write(`  ${rows.at(-1)?.join('  ')}\n`);
      }
    } finally {
      server.stop();
    }
  }
  writeReport(
    'latency',
    'What capture costs',
    [spec, '@modelcontextprotocol/sdk@1.32.2'],
    [
      `The echo tool of a published server, called by the SDK's own client and by Misstep's connection with every byte written to a frame log before it is read. Both are connected once; each pair of calls is made in turns, the first of a pair in every second one; ${WARM_UP} pairs before are not counted. A ratio is Misstep's time by the SDK's in the same run. The milliseconds are of a machine with other work to do: only the ratios say something.`,
      '',
      ...table(
        [
          'transport',
          'message',
          'pairs',
          'median ratio',
          'p90 ratio',
          'SDK median, p90',
          'Misstep median, p90',
        ],
        rows,
      ),
    ],
  );
}

async function compare(server: StartedServer, bytes: number, calls: number): Promise<string[]> {
  const arms = [await connectSdk(server), await connectOurs(server)] as const;
  const timesMs: [number[], number[]] = [[], []];
  const message = 'x'.repeat(bytes);
  const measure = async (which: 0 | 1, isCounted: boolean) => {
    const startedAtMs = performance.now();
    await arms[which].call(message);
    if (isCounted) timesMs[which].push(performance.now() - startedAtMs);
  };
  try {
    for (let pair = 0; pair < WARM_UP + calls; pair += 1) {
      const order = pair % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
      for (const which of order) await measure(which, pair >= WARM_UP);
    }
  } finally {
    for (const arm of arms) await arm.close();
  }
  const [sdk, ours] = timesMs;
  const ratio = (share: number) => (at(ours, share) / at(sdk, share)).toFixed(2);
  const pair = (times: number[]) => `${at(times, 0.5).toFixed(2)}, ${at(times, 0.9).toFixed(2)} ms`;
  return [String(calls), ratio(0.5), ratio(0.9), pair(sdk), pair(ours)];
}

function at(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

async function connectSdk({ address }: StartedServer): Promise<Arm> {
  const client = new Client({ name: 'figures', version: '0.0.0' });
  const transport =
    address.transport === 'stdio'
      ? new StdioClientTransport({ command: address.command, args: address.args, stderr: 'ignore' })
      : new StreamableHTTPClientTransport(new URL(address.url));
  // Its optional members are declared without `undefined`, which our compiler settings keep apart.
  await client.connect(transport as Transport);
  return {
    call: (message) => client.callTool({ name: 'echo', arguments: { message } }),
    close: () => client.close(),
  };
}

async function connectOurs({ address }: StartedServer): Promise<Arm> {
  const folder = newFolder();
  const log = new FrameLogWriter(join(folder, 'calls.frames'), address.transport, 'c1', () => {
    throw new Error('The frame log could not be written.');
  });
  const connection = new McpConnection({
    address,
    defaultCwd: folder,
    maxFrameBytes: 16 * 1024 * 1024,
    clientVersion: '0.0.0-figures',
    protocolRevision: '2025-11-25',
    tap: (record) => log.append(record),
  });
  await connection.handshake();
  await connection.listTools(null);
  return {
    call: (message) => connection.callTool('echo', `{"message":"${message}"}`).answer,
    close: async () => {
      await connection.close();
      log.close();
    },
  };
}
