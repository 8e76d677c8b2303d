import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TargetAddress } from '@misstep/model';
import { hostileModernCommand, hostileStdioCommand } from '@misstep/testkit';
import { expect, it } from 'vitest';
import { EraMemory, McpConnection, readFrame } from '../src/index.ts';

/** The methods that a handshake sends. */
async function greet(address: TargetAddress, eras: EraMemory) {
  const methods: (string | null)[] = [];
  const connection = new McpConnection({
    address,
    defaultCwd: mkdtempSync(join(tmpdir(), 'misstep-eras-')),
    maxFrameBytes: 1_000_000,
    clientVersion: '0.0.0-test',
    eras,
    tap: ({ lane, bytes }) => {
      if (lane === '>') methods.push(readFrame(bytes).head.method);
    },
  });
  const { protocolEra } = await connection.handshake();
  await connection.close();
  return { protocolEra, methods };
}

it('asks a legacy server once, and a server that was changed meanwhile anew', async () => {
  const eras = new EraMemory();
  const legacy: TargetAddress = { transport: 'stdio', cwd: null, ...hostileStdioCommand('echo') };
  const again = ['initialize', 'notifications/initialized'];
  expect(await greet(legacy, eras)).toEqual({
    protocolEra: 'legacy',
    methods: ['server/discover', ...again],
  });
  expect(await greet(legacy, eras)).toEqual({ protocolEra: 'legacy', methods: again });

  const modern: TargetAddress = { transport: 'stdio', cwd: null, ...hostileModernCommand('echo') };
  eras.remember(modern, 'legacy');
  expect(await greet(modern, eras)).toEqual({
    protocolEra: 'modern',
    methods: ['initialize', 'server/discover'],
  });
  expect(eras.recall(modern)).toBe('modern');
});
