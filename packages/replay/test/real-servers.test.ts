import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEverythingHttp, stdio } from './published-servers.ts';
import { endingOf, newFolder, replayOnce, reread, serverFrames } from './replay-once.ts';

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

  it.each(['streamable-http', 'sse'] as const)('over %s', async (transport) => {
    const everything = await startEverythingHttp(transport);
    try {
      const replayed = await replayOnce(everything.address, call);
      expect(endingOf(replayed).receipt).toMatchObject({
        transport,
        protocolRevision: '2025-11-25',
        server: { name: 'mcp-servers/everything' },
      });
      expect(endingOf(replayed).sentence).toBe('echo answered with a result.');
      expect(serverFrames(replayed).some(({ text }) => text.includes('Echo: shelf'))).toBe(true);
      expect(reread(replayed)).toEqual({ frames: replayed.frames, events: replayed.events });
    } finally {
      everything.stop();
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
