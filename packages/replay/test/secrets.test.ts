import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ConnectionSecrets, knownSecrets } from '@misstep/mcp';
import { encodeFrameRecord, NO_TARGET_SETTINGS, readFrameLog } from '@misstep/model';
import { startHostileHttp } from '@misstep/testkit';
import { describe, expect, it } from 'vitest';
import {
  exportReceipt,
  maskFrameLog,
  packReceipt,
  unpackReceipt,
  verifyReceipt,
} from '../src/index.ts';
import { endingOf, type Replayed, replayOnce, reread, stdioTarget } from './replay-once.ts';

const KEY = 'shelf-key-0123456789';

const secrets: ConnectionSecrets = {
  environment: new Map([['SHELF_KEY', KEY]]),
  headers: new Map([
    ['Authorization', `Bearer ${KEY}`],
    ['Accept', 'text/html'],
    ['MCP-Session-Id', 'stolen'],
  ]),
};

/** As of a log from before places were noted. */
const inLog = { values: secrets, places: null };

/** Everything that Misstep itself says of a replay. */
function ownWords(replayed: Replayed): string {
  const { sentence, receiptText } = endingOf(replayed);
  const events = replayed.events.filter(({ kind }) => kind !== 'stderr');
  return JSON.stringify([sentence, receiptText, events]);
}

describe.concurrent('what only the server may know', () => {
  it('reaches a process through its environment', async () => {
    const replayed = await replayOnce(stdioTarget('print-env'), { secrets });
    expect(replayed.frames.at(-1)?.text).toContain('SHELF_KEY');
    expect(replayed.frames.at(-1)?.text).not.toContain(KEY);
    expect(ownWords(replayed)).not.toContain(KEY);
  });

  it('goes with every HTTP request, but not in the place of a header of the protocol', async () => {
    const seen: { method: string | undefined; headers: IncomingHttpHeaders }[] = [];
    const server = createServer((request, response) => {
      seen.push({ method: request.method, headers: request.headers });
      response.writeHead(401).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A server listening on a TCP port has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/mcp`;
    const replayed = await replayOnce(
      { transport: 'streamable-http', url },
      { secrets, settings: { ...NO_TARGET_SETTINGS, headerNames: [...secrets.headers.keys()] } },
    );
    server.close();
    expect(endingOf(replayed).sentence).toContain(
      'It does not accept the Authorization header of this target',
    );
    expect(seen.length).toBeGreaterThan(0);
    for (const { headers } of seen) {
      expect(headers).toMatchObject({
        authorization: `Bearer ${KEY}`,
        accept: 'application/json, text/event-stream',
      });
      expect(headers['mcp-session-id']).toBeUndefined();
    }
    const notes = replayed.events.filter(({ kind }) => kind === 'note').map(({ text }) => text);
    expect(notes.slice(0, 2)).toEqual([
      "the target's header Accept is not sent: the protocol sets it",
      "the target's header MCP-Session-Id is not sent: the protocol sets it",
    ]);
    expect(ownWords(replayed)).not.toContain(KEY);
  });

  it.each([
    ['leaks-environment', 'key (secret SHELF_KEY) has expired'],
    ['dies-with-environment', 'cannot log in with (secret SHELF_KEY)'],
  ])('%s: our own words mask what the server repeats, the frames do not', async (...row) => {
    const [behaviour, sentence] = row;
    const replayed = await replayOnce(stdioTarget(behaviour), { secrets });
    expect(endingOf(replayed).sentence).toContain(sentence);
    expect(ownWords(replayed)).not.toContain(KEY);
    expect(Buffer.from(replayed.frameLog).includes(KEY)).toBe(true);
    expect(reread(replayed)).toEqual({ frames: replayed.frames, events: replayed.events });
  });

  it('is masked in the headers, the reason phrase and the error of an HTTP answer', async () => {
    const server = await startHostileHttp('leaks-header');
    const address = { transport: 'streamable-http', url: server.url } as const;
    const replayed = await replayOnce(address, { secrets });
    await server.stop();
    expect(endingOf(replayed).outcome).toBe('protocolError');
    expect(endingOf(replayed).sentence).toContain('no (secret Authorization)');
    expect(ownWords(replayed)).not.toContain(KEY);
    expect(ownWords(replayed)).toContain('x-seen: (secret Authorization)');
    expect(replayed.frames.at(-1)?.text).toContain(KEY);
  });

  it('leaves this machine in no export, which counts what it masked', async () => {
    const replayed = await replayOnce(stdioTarget('leaks-environment'), { secrets });
    const { receiptText } = endingOf(replayed);
    const file = packReceipt(maskFrameLog(replayed.frameLog, inLog).frameLog, receiptText);
    expect(Buffer.from(file).includes(KEY)).toBe(false);
    const unpacked = unpackReceipt(file);
    if (unpacked.kind === 'none') throw new Error(unpacked.sentence);
    const verification = verifyReceipt(unpacked.receiptText, unpacked.frameLog);
    expect(verification.checks.find(({ field }) => field === 'frames')?.state).toBe('matches');
    expect(verification.maskedCount).toBe(2);
  });

  it('leaves in no stderr that came in pieces, and in no damage', () => {
    const record = {
      lane: '!',
      monotonicNs: 1n,
      wallNs: 1n,
      transport: 'stdio',
      connection: 'c1',
    } as const;
    const pieces = [KEY.slice(0, 7), `${KEY.slice(7)} ends`].map((text) =>
      encodeFrameRecord({ ...record, payload: new TextEncoder().encode(text) }),
    );
    const { frameLog, maskedCount } = maskFrameLog(Buffer.concat(pieces), inLog);
    expect(maskedCount).toBe(1);
    const texts = readFrameLog(frameLog).entries.map(({ payload }) =>
      Buffer.from(payload).toString(),
    );
    expect(texts.join('')).toContain('(secret SHELF_KEY) ends');
    const torn = maskFrameLog(Buffer.from(`torn ${KEY}`), inLog).frameLog;
    expect(Buffer.from(torn).includes(KEY)).toBe(false);
  });

  it('leaves with no field of a receipt that the server has filled', async () => {
    const replayed = await replayOnce(stdioTarget('echo'), { secrets });
    const { receipt } = endingOf(replayed);
    const leaking = { ...receipt, server: { name: `echo ${KEY}`, version: KEY.toUpperCase() } };
    const { bytes, notes } = exportReceipt(
      replayed.frameLog,
      `${JSON.stringify(leaking, null, 2)}\n`,
      { inLog, inTexts: knownSecrets(secrets), notChecked: null },
    );
    expect(Buffer.from(bytes).toString().toLowerCase()).not.toContain(KEY);
    expect(notes.join(' ')).toContain('masked in the receipt: server');
  });

  it('changes no byte of a log that holds none', async () => {
    const replayed = await replayOnce(stdioTarget('echo'), { secrets });
    const { receiptText } = endingOf(replayed);
    const { frameLog } = maskFrameLog(replayed.frameLog, inLog);
    expect(frameLog).toBe(replayed.frameLog);
    expect(verifyReceipt(receiptText, replayed.frameLog)).toMatchObject({
      verified: true,
      maskedCount: 0,
    });
  });
});
