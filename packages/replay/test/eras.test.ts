import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  NO_TARGET_SETTINGS,
  type TargetAddress,
  TargetSchema,
  type TargetSettings,
} from '@misstep/model';
import {
  hostileModernCommand,
  modernSdkCommand,
  startHostileModernHttp,
  startModernSdkHttp,
} from '@misstep/testkit';
import { describe, expect, it } from 'vitest';
import { verifyReceipt } from '../src/index.ts';
import {
  endingOf,
  type Replayed,
  replayOnce,
  reread,
  serverFrames,
  stdioTarget,
} from './replay-once.ts';

type Revision = TargetSettings['protocolRevision'];

function spoken(address: TargetAddress, protocolRevision: Revision) {
  const target = TargetSchema.parse({
    name: 'warehouse',
    address,
    settings: { ...NO_TARGET_SETTINGS, protocolRevision },
    confirmedAt: '2026-11-30T00:00:00.000Z',
    trustsReadOnlyHint: false,
    createdAt: '2026-11-30T00:00:00.000Z',
  });
  return { target };
}

function modernTarget(behaviour: string, logPath?: string): TargetAddress {
  return { transport: 'stdio', cwd: null, ...hostileModernCommand(behaviour, logPath) };
}

function sdkTarget(...args: string[]): TargetAddress {
  return { transport: 'stdio', cwd: null, ...modernSdkCommand(...args) };
}

function methodsOf(replayed: Replayed): (string | null)[] {
  return replayed.frames
    .filter(({ direction }) => direction === 'client-to-server')
    .map(({ method }) => method);
}

/** A receipt must hold against its frames in every era. */
function expectVerified(replayed: Replayed): void {
  const { receiptText } = endingOf(replayed);
  const { checks } = verifyReceipt(receiptText, replayed.frameLog);
  expect(checks.filter(({ state }) => state === 'differs')).toEqual([]);
  expect(reread(replayed)).toEqual({ frames: replayed.frames, events: replayed.events });
}

async function withModernHttp(
  behaviour: string,
  use: (address: TargetAddress, readLog: () => string) => Promise<void>,
): Promise<void> {
  const log = join(mkdtempSync(join(tmpdir(), 'misstep-modern-')), 'read.log');
  const server = await startHostileModernHttp(behaviour, log);
  try {
    await use({ transport: 'streamable-http', url: server.url }, () => readFileSync(log, 'utf8'));
  } finally {
    await server.stop();
  }
}

const NEW_METHODS = ['server/discover', 'tools/list', 'tools/call'];
const OLD_METHODS = ['initialize', 'notifications/initialized', 'tools/list', 'tools/call'];

describe('revision 2026-07-28', () => {
  it.each(['auto', '2026-07-28'] as const)('is spoken over stdio (%s)', async (revision) => {
    const address = modernTarget('echo');
    const replayed = await replayOnce(address, {
      ...spoken(address, revision),
      argumentsText: '{"n": 9007199254740993,  "a": 1.0, "a": -0}',
    });
    const ending = endingOf(replayed);
    expect(ending.sentence).toBe('echo answered with a result.');
    expect(ending.outcome).toBe('result');
    expect(methodsOf(replayed)).toEqual(NEW_METHODS);
    expect(replayed.frames.at(-2)?.text).toBe(
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"n": 9007199254740993,  "a": 1.0, "a": -0},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"misstep","version":"0.0.0-test"},"io.modelcontextprotocol/clientCapabilities":{}}}}',
    );
    expect(serverFrames(replayed).at(-1)?.text).toContain('9007199254740993,  \\"a\\": 1.0');
    expect(ending.receipt).toMatchObject({
      protocolRevision: '2026-07-28',
      protocolEra: 'modern',
      rounds: 1,
      server: { name: 'modern shelf', version: '2.0' },
    });
    expectVerified(replayed);
  });

  it('is spoken over HTTP: one POST a request, with what the body says in headers', async () => {
    await withModernHttp('echo', async (address, readLog) => {
      const replayed = await replayOnce(address, { argumentsText: '{"shelf":"Regal \\u00e9"}' });
      expect(endingOf(replayed).outcome).toBe('result');
      expect(methodsOf(replayed)).toEqual(NEW_METHODS);
      expectVerified(replayed);
      const requests = readLog()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
      expect(requests[0].headers).toMatchObject({
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'server/discover',
      });
      expect(requests[0].headers['mcp-name']).toBeUndefined();
      expect(requests[2].headers).toMatchObject({
        'mcp-method': 'tools/call',
        'mcp-name': 'echo',
        'mcp-param-shelf': `=?base64?${Buffer.from('Regal é').toString('base64')}?=`,
      });
    });
  });

  it('takes an error that has an HTTP status of its own for the answer', async () => {
    await withModernHttp('call-error', async (address) => {
      const replayed = await replayOnce(address);
      expect(endingOf(replayed).outcome).toBe('protocolError');
      expect(endingOf(replayed).sentence).toContain('error -32020: Header mismatch: Mcp-Name');
      expect(serverFrames(replayed).at(-1)?.remark).toBeNull();
      expectVerified(replayed);
    });
  });

  it('leaves out a tool whose header annotation is invalid, unless the person wants it sent', async () => {
    await withModernHttp('bad-header', async (address) => {
      const fault =
        'its x-mcp-header Shelf stands at a parameter that is neither string, integer nor boolean';
      const refused = await replayOnce(address);
      expect(refused.result).toMatchObject({ ok: false, error: { reason: 'toolLeftOut' } });
      expect(refused.result.ok ? '' : refused.result.error.sentence).toContain(
        `A conforming client leaves echo out, because ${fault}; so nothing was sent.`,
      );
      expect(methodsOf(refused)).not.toContain('tools/call');
      const sent = await replayOnce(address, { sendsLeftOut: true });
      expect(endingOf(sent).outcome).toBe('result');
      expect(sent.events.map(({ text }) => text)).toContain(
        `a conforming client leaves echo out over HTTP: ${fault}; sent because the person said so`,
      );
    });
  });

  it('cancels over HTTP by closing the stream, and on stdio by a notification', async () => {
    await withModernHttp('never-answers', async (address, readLog) => {
      const replayed = await replayOnce(address, { timeoutMs: 3000 });
      expect(endingOf(replayed).outcome).toBe('timedOut');
      expect(replayed.frames.at(-1)?.method).toBe('tools/call');
      expect(replayed.events.map(({ text }) => text)).toContain(
        'closed the response stream, which cancels the call',
      );
      await expect.poll(readLog).toContain('closed');
    });
    const replayed = await replayOnce(modernTarget('never-answers'), { timeoutMs: 3000 });
    expect(endingOf(replayed).outcome).toBe('timedOut');
    expect(replayed.frames.at(-1)).toMatchObject({ method: 'notifications/cancelled' });
    expect(replayed.frames.at(-1)?.text).toContain('"requestId":2');
  });

  it.each([['only-later', 'it speaks 2099-01-01, and 2026-07-28 is not among them.']])(
    '%s: says which revisions the server has',
    async (behaviour, sentence) => {
      const replayed = await replayOnce(modernTarget(behaviour));
      expect(endingOf(replayed).outcome).toBe('handshakeFailed');
      expect(endingOf(replayed).sentence).toContain(
        `The server's answer to server/discover can't be used: ${sentence}`,
      );
      expect(methodsOf(replayed)).toEqual(['server/discover']);
    },
  );

  it('is not taken for spoken where it is forced on a legacy server', async () => {
    const address = stdioTarget('echo');
    const replayed = await replayOnce(address, spoken(address, '2026-07-28'));
    expect(endingOf(replayed).outcome).toBe('handshakeFailed');
    expect(endingOf(replayed).sentence).toContain(
      "answer to server/discover can't be used: it is error -32601: no server/discover here.",
    );
  });

  it('has no result of a type that nobody knows', async () => {
    const replayed = await replayOnce(modernTarget('odd-type'));
    expect(endingOf(replayed).outcome).toBe('malformedAnswer');
    expect(endingOf(replayed).sentence).toContain('Its "resultType" is perhaps.');
  });
});

describe('which era a server is of', () => {
  it.each([
    ['legacy-exits', ['server/discover', ...OLD_METHODS], 'is started again and greeted'],
    ['legacy-silent', ['server/discover', ...OLD_METHODS], 'no answer to server/discover'],
    ['only-earlier', ['server/discover', ...OLD_METHODS], 'greeted with initialize for 2025-06-18'],
  ])('%s: found out, and said', async (behaviour, methods, note) => {
    const replayed = await replayOnce(modernTarget(behaviour));
    expect(endingOf(replayed).sentence).toBe('echo answered with a result.');
    expect(methodsOf(replayed)).toEqual(methods);
    expect(replayed.events.filter(({ kind }) => kind === 'note').at(-1)?.text).toContain(
      behaviour === 'only-earlier' ? '2025-06-18 was offered, the server chose' : note,
    );
    expect(replayed.events.some(({ text }) => text.includes(note))).toBe(true);
    expect(endingOf(replayed).receipt.protocolEra).toBe('legacy');
    expectVerified(replayed);
  });

  it('a modern server that is slow to start is no legacy one', async () => {
    const replayed = await replayOnce(modernTarget('slow-start'));
    expect(endingOf(replayed).outcome).toBe('result');
    expect(endingOf(replayed).receipt.protocolEra).toBe('modern');
    expect(methodsOf(replayed)).toEqual([
      'server/discover',
      'initialize',
      'server/discover',
      'tools/list',
      'tools/call',
    ]);
    expectVerified(replayed);
  });

  it.each([['2024-11-05'], ['2025-06-18']] as const)(
    '%s, forced: is offered without a probe; what the server chose is said',
    async (revision) => {
      const address = stdioTarget('echo');
      const replayed = await replayOnce(address, spoken(address, revision));
      expect(methodsOf(replayed)).toEqual(OLD_METHODS);
      expect(JSON.parse(replayed.frames[0]?.text ?? '').params).toEqual({
        protocolVersion: revision,
        capabilities: {},
        clientInfo: { name: 'misstep', version: '0.0.0-test' },
      });
      expect(endingOf(replayed).outcome).toBe('result');
      expect(endingOf(replayed).sentence).toBe(
        `echo answered with a result. Revision ${revision} was offered, but the server chose 2025-11-25.`,
      );
    },
  );
});

describe("a server made with the official SDK's second generation", () => {
  it.each([
    [[], 'auto', 'modern'],
    [['--strict'], 'auto', 'modern'],
    [[], '2025-06-18', 'legacy'],
  ] as const)('over stdio %j, %s: %s', async (args, revision, era) => {
    const address = sdkTarget(...args);
    const replayed = await replayOnce(address, spoken(address, revision));
    expect(endingOf(replayed).sentence).toBe('echo answered with a result.');
    expect(endingOf(replayed).receipt).toMatchObject({
      protocolEra: era,
      protocolRevision: era === 'modern' ? '2026-07-28' : '2025-06-18',
      server: { name: 'sdk shelf', version: '2.4' },
    });
    expect(serverFrames(replayed).at(-1)?.text).toContain('A-7');
    expectVerified(replayed);
  });

  it.each([
    [[], 'auto', 'modern'],
    [['--strict'], '2026-07-28', 'modern'],
    [[], '2025-11-25', 'legacy'],
  ] as const)('over HTTP %j, %s: %s', async (args, revision, era) => {
    const server = await startModernSdkHttp(...args);
    const address: TargetAddress = { transport: 'streamable-http', url: server.url };
    const replayed = await replayOnce(address, spoken(address, revision));
    await server.stop();
    expect(endingOf(replayed).sentence).toBe('echo answered with a result.');
    expect(endingOf(replayed).receipt.protocolEra).toBe(era);
    expectVerified(replayed);
  });
});
