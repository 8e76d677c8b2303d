import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TargetAddress } from '@misstep/model';
import { startHostileHttp } from '@misstep/testkit';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../src/index.ts';
import {
  endingOf,
  newFolder,
  type Replayed,
  replayOnce,
  serverFrames,
  stdioTarget,
} from './replay-once.ts';

const ARGUMENTS = [
  '{"id":9007199254740993}',
  '{"id":1.0}',
  '{"id":-0}',
  '{"id":1e400}',
  '{"id":{"a":1,"a":2}}',
  '{"id":"\\ud800"}',
  '{ "id" :\t12345678901234567890.000e-7 , "__proto__":{"x":1},"é":"\\u00e9 é 🧭" }',
  '{}',
];

interface Transport {
  readonly name: string;
  readonly replay: (argumentsText: string) => Promise<{ replayed: Replayed; read: Buffer }>;
}

async function withReadLog(
  argumentsText: string,
  open: (logPath: string) => Promise<{ address: TargetAddress; stop: () => Promise<void> }>,
) {
  const logPath = join(newFolder(), 'read.log');
  const { address, stop } = await open(logPath);
  try {
    const replayed = await replayOnce(address, { argumentsText });
    return { replayed, read: readFileSync(logPath) };
  } finally {
    await stop();
  }
}

const overHttp = (behaviour: string) => (argumentsText: string) =>
  withReadLog(argumentsText, async (logPath) => {
    const server = await startHostileHttp(behaviour, logPath);
    return {
      address: { transport: 'streamable-http', url: server.url },
      stop: () => server.stop(),
    };
  });

const overStdio = (argumentsText: string) =>
  withReadLog(argumentsText, async (logPath) => ({
    address: stdioTarget('echo', logPath),
    stop: async () => undefined,
  }));

const TRANSPORTS: Transport[] = [
  { name: 'stdio', replay: overStdio },
  { name: 'HTTP as an event stream', replay: overHttp('echo') },
  { name: 'HTTP as JSON', replay: overHttp('json-echo') },
];

describe.concurrent.each(TRANSPORTS)('arguments over $name', ({ replay }) => {
  it.each(ARGUMENTS)('%s reach the server as these bytes and come back unchanged', async (text) => {
    const { replayed, read } = await replay(text);
    const ending = endingOf(replayed);
    expect(ending.outcome).toBe('result');

    const frame = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":${text}}}`;
    expect(read.includes(Buffer.from(`${frame}\n`))).toBe(true);
    expect(replayed.frames.find(({ method }) => method === 'tools/call')?.text).toBe(frame);
    expect(serverFrames(replayed).at(-1)?.text).toContain(
      `"structuredContent":{"received":${text}}`,
    );
    expect(Buffer.from(replayed.frameLog).includes(Buffer.from(`"received":${text}}`))).toBe(true);
    expect(ending.comparison?.sentence).toContain(
      JSON.stringify(`"received":${text}}`).slice(1, -1),
    );
    expect(ending.receipt.arguments.sha256).toBe(sha256(text));
    expect(ending.receipt.pins.arguments).toBe('edited');
    expect(ending.receipt.arguments.sameBytesAsRecorded).toBe(false);
  });
});

describe('line breaks in the arguments', () => {
  const typed = '{\r\n  "shelf": "A\\n7",\n  "n": 1.0\n}';

  it('become spaces on stdio, where a frame is one line, and an event says so', async () => {
    const { replayed, read } = await overStdio(typed);
    const sent = '{    "shelf": "A\\n7",   "n": 1.0 }';
    expect(read.includes(Buffer.from(`"arguments":${sent}}}\n`))).toBe(true);
    expect(replayed.events).toContainEqual(
      expect.objectContaining({
        kind: 'note',
        text: 'line breaks between tokens became spaces: a stdio frame is one line',
      }),
    );
    const { receipt } = endingOf(replayed);
    expect(receipt.arguments.sha256).toBe(sha256(sent));
  });

  it('are sent as typed over HTTP', async () => {
    const { replayed, read } = await overHttp('echo')(typed);
    expect(read.includes(Buffer.from(`"arguments":${typed}}}`))).toBe(true);
    expect(endingOf(replayed).receipt.arguments.sha256).toBe(sha256(typed));
    expect(replayed.events.some(({ text }) => text.startsWith('line breaks'))).toBe(false);
  });
});
