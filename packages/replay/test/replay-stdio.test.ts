import { describe, expect, it } from 'vitest';
import { endingOf, replayOnce, reread, serverFrames, stdioTarget } from './replay-once.ts';

describe('a replay over stdio', () => {
  it('sends the call, keeps every frame and gives a receipt', async () => {
    const replayed = await replayOnce(stdioTarget('echo'));
    const ending = endingOf(replayed);
    expect(ending.sentence).toBe('echo answered with a result.');
    expect(ending.outcome).toBe('result');
    expect(replayed.states).toEqual(['connecting', 'waiting']);
    expect(replayed.frames.map(({ method, idText }) => method ?? `answer ${idText}`)).toEqual([
      'server/discover',
      'answer 20260728',
      'initialize',
      'answer 0',
      'notifications/initialized',
      'tools/list',
      'answer 1',
      'tools/call',
      'answer 2',
    ]);
    expect(replayed.frames.at(7)?.text).toBe(
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"shelf":"A-7"}}}',
    );
    expect(serverFrames(replayed).every(({ remark }) => remark === null)).toBe(true);
    expect(ending.receipt).toMatchObject({
      outcome: 'result',
      server: { name: 'hostile é', version: '1.0' },
      protocolRevision: '2025-11-25',
      protocolEra: 'legacy',
      rounds: 1,
      pins: { arguments: 'recorded', tool: 'recorded' },
      arguments: { sameBytesAsRecorded: true, sizeBytes: 15 },
      toolDefinition: { readOnlyHint: true, destructiveHint: null },
    });
    expect(ending.receipt.callDurationNs).toBeGreaterThan(0);
    expect(replayed.events.map(({ kind }) => kind)).toEqual(['started', 'note', 'exit']);
    expect(reread(replayed)).toEqual({ frames: replayed.frames, events: replayed.events });
  });
});
