import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { TargetAddress } from '@misstep/model';
import { describe, expect, it } from 'vitest';
import { endingOf, newFolder, replayOnce, reread, serverFrames } from './replay-once.ts';

const require = createRequire(import.meta.url);

/** The script that a published server package runs as its command. */
function binOf(name: string): string {
  const path = require.resolve(`${name}/package.json`);
  const { bin } = JSON.parse(readFileSync(path, 'utf8'));
  const script = typeof bin === 'string' ? bin : Object.values<string>(bin)[0];
  return join(dirname(path), script ?? '');
}

function stdio(name: string, ...args: string[]): TargetAddress {
  return { transport: 'stdio', command: process.execPath, args: [binOf(name), ...args], cwd: null };
}

/** A port that was free a moment ago, for servers that can't say which one they took. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server listening on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('server-everything', () => {
  const call = {
    tool: 'echo',
    confirmTool: 'echo',
    argumentsText: '{"message":"shelf \\u00e9 1.0"}',
  };

  it('over stdio', async () => {
    const replayed = await replayOnce(
      stdio('@modelcontextprotocol/server-everything', 'stdio'),
      call,
    );
    const ending = endingOf(replayed);
    expect(ending.outcome).toBe('result');
    expect(serverFrames(replayed).some(({ text }) => text.includes('Echo: shelf é 1.0'))).toBe(
      true,
    );
    expect(ending.receipt.server.name).toBe('mcp-servers/everything');
    expect(ending.receipt.protocolRevision).toBe('2025-11-25');
    expect(reread(replayed)).toEqual({ frames: replayed.frames, events: replayed.events });
  });

  it.each([
    ['streamableHttp', 'streamable-http', 'mcp', '2025-11-25'],
    ['sse', 'sse', 'sse', '2025-11-25'],
  ] as const)('over %s', async (mode, transport, path, revision) => {
    const port = await freePort();
    const child = spawn(
      process.execPath,
      [binOf('@modelcontextprotocol/server-everything'), mode],
      { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    try {
      await new Promise<void>((resolve, reject) => {
        let said = '';
        child.stderr.on('data', (chunk: Buffer) => {
          said += chunk.toString('utf8');
          if (said.includes(String(port))) resolve();
        });
        child.once('exit', () => reject(new Error(`the server did not start: ${said}`)));
      });
      const url = `http://127.0.0.1:${port}/${path}`;
      const replayed = await replayOnce({ transport, url }, call);
      expect(endingOf(replayed).receipt).toMatchObject({ transport, protocolRevision: revision });
      expect(endingOf(replayed).sentence).toBe('echo answered with a result.');
      expect(serverFrames(replayed).some(({ text }) => text.includes('Echo: shelf'))).toBe(true);
      expect(reread(replayed)).toEqual({ frames: replayed.frames, events: replayed.events });
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe('server-filesystem', () => {
  it('reads a file', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'shelf.txt'), 'boxes: 9007199254740993');
    const replayed = await replayOnce(stdio('@modelcontextprotocol/server-filesystem', folder), {
      tool: 'read_text_file',
      confirmTool: 'read_text_file',
      argumentsText: JSON.stringify({ path: join(folder, 'shelf.txt') }),
    });
    const ending = endingOf(replayed);
    expect(ending.outcome).toBe('result');
    expect(serverFrames(replayed).at(-1)?.text).toContain('boxes: 9007199254740993');
    expect(ending.receipt.toolDefinition.readOnlyHint).toBe(true);
  });
});

describe('server-memory', () => {
  it('answers a wrong argument with an error of the tool', async () => {
    const replayed = await replayOnce(stdio('@modelcontextprotocol/server-memory'), {
      tool: 'search_nodes',
      confirmTool: 'search_nodes',
      argumentsText: '{"query":1.0}',
    });
    expect(['toolError', 'protocolError']).toContain(endingOf(replayed).outcome);
    expect(replayed.frames.find(({ method }) => method === 'tools/call')?.text).toContain(
      '"arguments":{"query":1.0}',
    );
  });

  it('answers a right one', async () => {
    const replayed = await replayOnce(stdio('@modelcontextprotocol/server-memory'), {
      tool: 'search_nodes',
      confirmTool: 'search_nodes',
      argumentsText: '{"query":"no such node"}',
    });
    expect(endingOf(replayed).outcome).toBe('result');
  });
});
