import { NO_TARGET_SETTINGS, TargetSchema } from '@misstep/model';
import { startHostileSse } from '@misstep/testkit';
import { describe, expect, it } from 'vitest';
import { endingOf, type Replayed, replayOnce, reread, serverFrames } from './replay-once.ts';

async function replaySse(
  behaviour: string,
  overrides: Parameters<typeof replayOnce>[1] = {},
): Promise<Replayed> {
  const server = await startHostileSse(behaviour);
  try {
    const replayed = await replayOnce({ transport: 'sse', url: server.url }, overrides);
    expect(reread(replayed)).toEqual({ frames: replayed.frames, events: replayed.events });
    return replayed;
  } finally {
    await server.stop();
  }
}

describe.concurrent('a replay over HTTP+SSE', () => {
  it.each(['echo', 'absolute'])('%s: sends the call and keeps its bytes', async (behaviour) => {
    const replayed = await replaySse(behaviour, {
      argumentsText: '{"n": 9007199254740993, "a": 1.0}',
    });
    const ending = endingOf(replayed);
    expect(ending.outcome).toBe('result');
    expect(ending.receipt).toMatchObject({
      transport: 'sse',
      protocolRevision: '2025-11-25',
      protocolEra: 'legacy',
    });
    expect(replayed.frames.map(({ method, idText }) => method ?? `answer ${idText}`)).toEqual([
      'initialize',
      'answer 0',
      'notifications/initialized',
      'tools/list',
      'answer 1',
      'tools/call',
      'answer 2',
    ]);
    expect(serverFrames(replayed).at(-1)?.text).toContain('9007199254740993, \\"a\\": 1.0');
  });

  it('shows the stream, its ids, retry and comments, and what the POSTs bring', async () => {
    const texts = (await replaySse('echo')).events.map(({ text }) => text);
    expect(texts.some((text) => /^GET http:.*\/sse → 200 OK\n/.test(text))).toBe(true);
    expect(texts).toContain('stream comment: welcome\nid: 1\nretry: 500');
    expect(texts).toContain('stream event: endpoint\n/messages?sessionId=s-1');
    expect(texts.filter((text) => text === 'body of the POST: Accepted')).toHaveLength(4);
  });

  it('blames nobody for a frame that is larger than what is kept', async () => {
    const replayed = await replaySse('echo', {
      maxFrameBytes: 1_000_000,
      argumentsText: `{"text":"${'x'.repeat(1_100_000)}"}`,
    });
    expect(endingOf(replayed).outcome).toBe('tooLarge');
    const cut = serverFrames(replayed).at(-1);
    expect(cut).toMatchObject({
      sizeBytes: 1_000_000,
      kind: 'cut',
      remark:
        'Cut by Misstep at 1000000 bytes, the largest frame that it keeps; what follows was not kept.',
    });
    expect(cut?.text.slice(0, 10)).toBe('{"jsonrpc"');
  });

  it.each([
    ['other-origin', 'the server names an endpoint of another origin, http://127.0.0.1:1,'],
    ['other-scheme', "the server's endpoint is no http or https address: file:///etc/passwd"],
    ['ends-at-once', 'the event stream ended before it named an endpoint'],
    ['html', 'the address answers with text/html, not with an event stream'],
  ])('%s: nothing is sent', async (behaviour, sentence) => {
    const replayed = await replaySse(behaviour);
    expect(endingOf(replayed).sentence).toContain(sentence);
    expect(endingOf(replayed).sentence).toContain('The call was not sent.');
    expect(endingOf(replayed).outcome).toBe('connectionFailed');
    expect(replayed.frames).toEqual([]);
  });

  it.each([
    ['no-endpoint', 'The server did not name an endpoint on its event stream within 3 s.'],
    [
      'not-found',
      'The server did not take the request for its event stream: the server answered with HTTP 404',
    ],
  ])('%s: the handshake failed', async (behaviour, sentence) => {
    const replayed = await replaySse(behaviour, { timeoutMs: 3000 });
    expect(endingOf(replayed).sentence).toContain(sentence);
    expect(endingOf(replayed).outcome).toBe('handshakeFailed');
  });

  it.each([
    ['drops-stream', 'connectionLost', 'the event stream ended, and HTTP+SSE cannot resume it'],
    ['ends-stream', 'connectionLost', 'the event stream ended, and HTTP+SSE cannot resume it'],
    ['refuses-post', 'malformedAnswer', 'the server answered with HTTP 400 Bad Request'],
    ['answers-in-post', 'malformedAnswer', 'It came in the body of the POST'],
  ])('%s: %s', async (behaviour, outcome, sentence) => {
    const replayed = await replaySse(behaviour, { timeoutMs: 5000 });
    expect(endingOf(replayed).sentence).toContain(sentence);
    expect(endingOf(replayed).sentence).toContain('Whether the tool did its work is not known.');
    expect(endingOf(replayed).outcome).toBe(outcome);
  });

  it('has no revision without initialize', async () => {
    const server = await startHostileSse('echo');
    const target = TargetSchema.parse({
      name: 'warehouse',
      address: { transport: 'sse', url: server.url },
      settings: { ...NO_TARGET_SETTINGS, protocolRevision: '2026-07-28' },
      confirmedAt: '2026-11-30T00:00:00.000Z',
      trustsReadOnlyHint: false,
      createdAt: '2026-11-30T00:00:00.000Z',
    });
    const replayed = await replayOnce(target.address, { target });
    await server.stop();
    expect(endingOf(replayed)).toMatchObject({
      outcome: 'handshakeFailed',
      sentence: expect.stringContaining('Revision 2026-07-28 is not spoken over HTTP+SSE'),
    });
    expect(replayed.events).toEqual([]);
  });
});
