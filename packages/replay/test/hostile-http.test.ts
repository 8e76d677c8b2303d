import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startHostileHttp } from '@misstep/testkit';
import { describe, expect, it } from 'vitest';
import { endingOf, type Replayed, replayOnce, reread, serverFrames } from './replay-once.ts';

async function replayHttp(
  behaviour: string,
  overrides: Parameters<typeof replayOnce>[1] = {},
): Promise<Replayed> {
  const server = await startHostileHttp(behaviour);
  try {
    const address = { transport: 'streamable-http', url: `${server.url}?key=secret` } as const;
    const replayed = await replayOnce(address, overrides);
    expect(reread(replayed)).toEqual({ frames: replayed.frames, events: replayed.events });
    return replayed;
  } finally {
    await server.stop();
  }
}

const CUT_REMARK =
  'Cut by Misstep at 1000000 bytes, the largest frame that it keeps; what follows was not kept.';

describe.concurrent('a replay over Streamable HTTP', () => {
  it('keeps frames, status, headers and the session', async () => {
    const replayed = await replayHttp('echo');
    const ending = endingOf(replayed);
    expect(ending.outcome).toBe('result');
    expect(ending.receipt).toMatchObject({
      transport: 'streamable-http',
      protocolRevision: '2025-11-25',
      server: { name: 'hostile é', version: '1.0' },
    });
    const http = replayed.events.filter(({ kind }) => kind === 'http');
    expect(http[0]?.text).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/mcp\?… → 200 OK\n/);
    expect(http[1]?.text).toContain('mcp-session-id: shelf-1');
    expect(http.at(-1)?.text).toMatch(/^DELETE .* → 204/);
    expect(Buffer.from(replayed.frameLog).includes('secret')).toBe(false);
  });

  it.each([
    ['json-echo', 'result', 'echo answered with a result.'],
    ['split-events', 'result', 'echo answered with a result.'],
    ['resumed-stream', 'result', 'echo answered with a result.'],
    ['answers-twice', 'result', 'echo answered with a result.'],
    ['slow-with-progress', 'result', 'echo answered with a result.'],
    ['huge-answer', 'result', 'echo answered with a result.'],
    ['asks-client', 'result', 'echo answered with a result.'],
    ['paged-list', 'result', 'echo answered with a result.'],
    ['is-error', 'toolError', 'echo answered that it failed (isError is true)'],
    ['json-rpc-error', 'protocolError', 'error -32602: no such shelf'],
    ['http-400-json', 'protocolError', 'error -32600: bad header'],
    [
      'session-lost',
      'connectionLost',
      'The session is lost: the server no longer knows the session',
    ],
    ['half-stream', 'connectionLost', 'it gave no event id to resume the stream from'],
    ['unresumable-stream', 'connectionLost', 'after event e1 could not be resumed (HTTP 405'],
    [
      'stream-ends-early',
      'connectionLost',
      'No answer came: the HTTP answer ended without an answer to the request with id 2; it gave no event id',
    ],
    [
      'batch-stream',
      'malformedAnswer',
      'ended without an answer to the request with id 2; what it answers has the id 2 (in a batch), 77 (in a batch)',
    ],
    [
      'null-id',
      'malformedAnswer',
      'ended without an answer to the request with id 2; what it answers has the id null',
    ],
    ['hangs-up', 'connectionLost', 'socket hang up'],
    ['exit-mid-call', 'connectionLost', 'the HTTP answer ended without an answer to the request'],
    ['half-stream', 'connectionLost', 'the HTTP answer broke off before it held an answer'],
    [
      'http-500',
      'malformedAnswer',
      'the server answered with HTTP 500 Internal Server Error. Its body says: <h1>Oh no</h1>.',
    ],
    [
      'http-503-json',
      'malformedAnswer',
      'is no MCP answer: the server answered with HTTP 503 Service Unavailable. Its body says: {"error":"no server is ready"}. Whether',
    ],
    ['html-answer', 'malformedAnswer', 'the HTTP answer holds no answer to the request'],
    ['empty-answer', 'malformedAnswer', 'the HTTP answer is empty'],
    ['json-other-id', 'malformedAnswer', "The server answered id 999, but the call's id is 2"],
    ['string-id', 'malformedAnswer', 'The server answered with id "2", but the call\'s id is 2'],
    [
      'string-id',
      'malformedAnswer',
      'the HTTP answer ended without an answer to the request with id 2',
    ],
    ['json-nan', 'malformedAnswer', 'but found "NaN"'],
    ['plain-type', 'malformedAnswer', 'Its content type is text/plain: strict clients'],
    ['cut-then-resumed', 'result', 'echo answered with a result.'],
    ['redirect', 'connectionFailed', 'redirects (HTTP 307) to http://127.0.0.1:1/elsewhere?…'],
    ['unauthorized', 'handshakeFailed', 'It asks for a login, which this target does not have.'],
    [
      'not-ready',
      'handshakeFailed',
      'HTTP 503 Service Unavailable. Its body says: {"error":"no server is ready"}. The call was not sent.',
    ],
    ['initialize-error', 'handshakeFailed', 'it is error -32000: not today.'],
  ])('%s: %s', async (behaviour, outcome, sentence) => {
    const replayed = await replayHttp(behaviour);
    expect(endingOf(replayed).sentence).toContain(sentence);
    expect(endingOf(replayed).outcome).toBe(outcome);
  });

  it.each([
    ['plain-type', 'malformedAnswer', 'Its content type is text/plain'],
    ['http-500-result', 'malformedAnswer', 'It came with HTTP 500 Internal Server Error'],
    ['http-500-stream', 'malformedAnswer', 'It came with HTTP 500 Internal Server Error'],
    ['http-300-result', 'malformedAnswer', 'It came with HTTP 300 Multiple Choices'],
    ['http-202-result', 'malformedAnswer', 'It came with HTTP 202 Accepted'],
    ['short-body', 'connectionLost', 'The HTTP body broke off here'],
    ['ends-inside-event', 'connectionLost', 'The stream ended inside this event'],
    ['extra-key', 'malformedAnswer', 'Holds "extra" beside the members of JSON-RPC'],
  ])('%s: a result that clients would not take is kept, but %s', async (...row) => {
    const [behaviour, outcome, why] = row;
    const replayed = await replayHttp(behaviour);
    const ending = endingOf(replayed);
    expect(ending.outcome).toBe(outcome);
    expect(ending.sentence).toMatch(
      /^echo answered with a result, but clients would not take the answer: /,
    );
    expect(ending.sentence).toContain(why);
    expect(ending.sentence).toContain('Whether the tool did its work is not known.');
    expect(serverFrames(replayed).at(-1)?.remark).toContain(why);
    expect(ending.receipt.result.sizeBytes).toBeGreaterThan(0);
    expect(ending.comparison).not.toBeNull();
  });

  it.each([
    ['never-answers', 'timedOut', 'The server did not answer the call within 3 s.'],
    ['silent-initialize', 'handshakeFailed', 'The server did not answer initialize within 3 s.'],
  ])('%s: %s', async (behaviour, outcome, sentence) => {
    const replayed = await replayHttp(behaviour, { timeoutMs: 3000 });
    expect(endingOf(replayed).sentence).toContain(sentence);
    expect(endingOf(replayed).outcome).toBe(outcome);
    expect(replayed.frames.some(({ method }) => method === 'notifications/cancelled')).toBe(
      behaviour !== 'silent-initialize',
    );
  });

  it('tells the server when the person cancels', async () => {
    const controller = new AbortController();
    const replayed = await replayHttp('never-answers', {
      signal: controller.signal,
      onState: (state) => state === 'waiting' && setImmediate(() => controller.abort()),
    });
    expect(endingOf(replayed).outcome).toBe('cancelled');
    expect(replayed.frames.at(-1)?.method).toBe('notifications/cancelled');
    // The cancellation itself was answered: 202.
    expect(replayed.events.filter(({ text }) => text.includes('→ 202'))).toHaveLength(2);
  });

  it('says that a stream was resumed', async () => {
    const replayed = await replayHttp('resumed-stream');
    const texts = replayed.events.map(({ text }) => text);
    expect(texts).toContain('stream id: e1\nretry: 10');
    expect(texts).toContain('resumed the event stream after event e1');
  });

  it('keeps the frames that came before a stream broke off', async () => {
    const replayed = await replayHttp('half-stream');
    expect(serverFrames(replayed).slice(-2)).toMatchObject([
      { kind: 'notification', method: 'notifications/progress' },
      { kind: 'malformed', text: '{"jsonrpc":"2.0","id"' },
    ]);
    expect(serverFrames(replayed).at(-1)?.remark).toContain('The stream ended inside this event');
    expect(replayed.events).toContainEqual(
      expect.objectContaining({ kind: 'http', text: 'stream comment: soon' }),
    );
  });

  it('shows HTML as noise, and never a cookie', async () => {
    const replayed = await replayHttp('http-500');
    expect(serverFrames(replayed).at(-1)).toMatchObject({ kind: 'noise', text: '<h1>Oh no</h1>' });
    expect(replayed.events.some(({ text }) => text.includes('set-cookie: (not kept)'))).toBe(true);
    expect(Buffer.from(replayed.frameLog).includes('secret')).toBe(false);
  });

  it('remarks on a content type that strict clients refuse', async () => {
    const replayed = await replayHttp('plain-type');
    expect(serverFrames(replayed).at(-1)?.remark).toBe(
      'Its content type is text/plain: strict clients read only JSON and event streams.',
    );
  });

  it.each(['huge-answer', 'json-huge'])(
    '%s: ends what is too large, and blames nobody for the cut',
    async (behaviour) => {
      const replayed = await replayHttp(behaviour, { maxFrameBytes: 1_000_000 });
      expect(endingOf(replayed).outcome).toBe('tooLarge');
      const cut = serverFrames(replayed).at(-1);
      expect(cut).toMatchObject({ sizeBytes: 1_000_000, kind: 'cut', remark: CUT_REMARK });
      // The frame's own beginning, without what an event stream has before it.
      expect(cut?.text.slice(0, 10)).toBe('{"jsonrpc"');
    },
  );

  it('ends a flood of comments, and keeps little of it', async () => {
    const replayed = await replayHttp('comment-flood', { maxFrameBytes: 1_000_000 });
    expect(endingOf(replayed).outcome).toBe('tooLarge');
    expect(endingOf(replayed).sentence).toContain('its event streams are larger than');
    expect(replayed.frameLog.length).toBeLessThan(1_000_000);
  }, 60_000);

  it.each(['long-event-id', 'long-other-id'])(
    '%s: says it in a short sentence',
    async (behaviour) => {
      const { sentence } = endingOf(await replayHttp(behaviour));
      expect(sentence.length).toBeLessThan(700);
      expect(sentence).toMatch(/i… \(\d+ more characters\)/);
    },
  );

  it('says that the headers of an answer are too large, not that none came', async () => {
    const { outcome, sentence } = endingOf(await replayHttp('long-headers'));
    expect(outcome).toBe('malformedAnswer');
    expect(sentence).toContain('its headers are larger than 16384 bytes');
    expect(sentence).toContain('Whether the tool did its work is not known.');
    expect(sentence).not.toContain('No answer');
  });

  it('says why no connection came about', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A server listening on a TCP port has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const url = `http://127.0.0.1:${port}/mcp`;
    const ending = endingOf(await replayOnce({ transport: 'streamable-http', url }));
    expect(ending.outcome).toBe('connectionFailed');
    expect(ending.sentence).toContain(`connect ECONNREFUSED 127.0.0.1:${port}`);
  });

  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'not a url', 'C:\\server.exe'])(
    'refuses %s as an address',
    async (url) => {
      const ending = endingOf(await replayOnce({ transport: 'streamable-http', url }));
      expect(ending.outcome).toBe('connectionFailed');
      expect(ending.sentence).toContain('the address is no http or https URL');
    },
  );
});
