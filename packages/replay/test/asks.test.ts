import type { ServerRequestAnswer } from '@misstep/mcp';
import type { ServerAsk, TargetAddress } from '@misstep/model';
import { startHostileHttp } from '@misstep/testkit';
import { describe, expect, it } from 'vitest';
import { AskDesk, MOST_ASKS, readReplayLog, verifyReceipt } from '../src/index.ts';
import { endingOf, type Replayed, replayOnce, serverFrames, stdioTarget } from './replay-once.ts';

const ACCEPT: ServerRequestAnswer = {
  kind: 'result',
  text: '{ "action":"accept","content":{"sure":true,"n":9007199254740993,"w":1.0,"w":1.0} }',
};

interface Asked {
  readonly replayed: Replayed;
  readonly asks: readonly ServerAsk[];
  readonly omitted: number;
  /** What the server says in its result that it was answered, a line each. */
  readonly told: readonly string[];
}

/** A replay in which `answer` decides as soon as an ask comes; null = nobody says anything. */
async function askedBy(
  target: TargetAddress | string,
  answer: (ask: ServerAsk) => ServerRequestAnswer | null,
  options: { readonly waitMs?: number; readonly timeoutMs?: number } = {},
): Promise<Asked> {
  const desk = new AskDesk({ waitMs: options.waitMs ?? 60_000 });
  let asks: readonly ServerAsk[] = [];
  let omitted = 0;
  const replayed = await replayOnce(typeof target === 'string' ? stdioTarget(target) : target, {
    askDesk: desk,
    timeoutMs: options.timeoutMs ?? 20_000,
    onAsks: (now, omittedCount) => {
      asks = now.map((ask) => ask);
      omitted = omittedCount;
      const newest = now.at(-1);
      if (newest === undefined || newest.answer !== null) return;
      const text = newest.endedUnanswered === null ? answer(newest) : null;
      if (text !== null) expect(desk.answer(newest.ordinal, text)).toBe('sent');
    },
  });
  // The log alone tells the same, and has the answers' texts also where they left last.
  const stored = readReplayLog(replayed.frameLog);
  expect(stored.asks.map(({ answer: given }) => given?.by)).toEqual(
    asks.map(({ answer: given }) => given?.by),
  );
  if (replayed.result.ok) {
    const { receiptText } = replayed.result.value;
    const checks = verifyReceipt(receiptText, replayed.frameLog).checks.filter(({ field }) =>
      field.startsWith('asks.'),
    );
    expect(checks.filter(({ state }) => state !== 'matches')).toEqual([]);
  }
  return {
    replayed,
    asks: stored.asks,
    omitted: Math.max(omitted, stored.asksOmitted),
    told: toldIn(replayed),
  };
}

function toldIn(replayed: Replayed): string[] {
  const answer = serverFrames(replayed).find(
    ({ kind, text }) => kind === 'response' && text.includes('"content"'),
  );
  if (answer === undefined) return [];
  const text: unknown = JSON.parse(answer.text).result.content[0].text;
  return String(text).split('\n');
}

describe('what a server asks while it works on the call', () => {
  it('is answered by the person, byte for byte', async () => {
    const { replayed, asks, told } = await askedBy('asks-form', () => ACCEPT);
    expect(endingOf(replayed).outcome).toBe('result');
    expect(told).toEqual([`{"jsonrpc":"2.0","id":"form-1","result":${ACCEPT.text}}`]);
    expect(asks).toMatchObject([
      {
        ordinal: 1,
        method: 'elicitation/create',
        idText: '"form-1"',
        paramsOmittedBytes: 0,
        defaultAnswer: { kind: 'result', text: '{"action":"decline"}' },
        answer: { by: 'person', kind: 'result', text: ACCEPT.text },
        endedUnanswered: null,
      },
    ]);
    expect(asks[0]?.paramsText).toContain('"message":"Really take the box away?"');
    expect(endingOf(replayed).receipt.asks).toMatchObject({ byPerson: 1, byDefault: 0 });
    const initialize = replayed.frames.find(({ method }) => method === 'initialize')?.text ?? '';
    expect(JSON.parse(initialize).params.capabilities).toEqual({
      roots: {},
      sampling: {},
      elicitation: { form: {}, url: {} },
    });
  });

  it.each([
    ['asks-form', '{"jsonrpc":"2.0","id":"form-1","result":{"action":"decline"}}'],
    ['asks-roots', '{"jsonrpc":"2.0","id":"roots-1","result":{"roots":[]}}'],
    [
      'asks-for-sampling',
      '{"jsonrpc":"2.0","id":"s1","error":{"code":-1,"message":"no person answered"}}',
    ],
    [
      'asks-unknown',
      '{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found: shelf/colour"}}',
    ],
  ])('%s: gets its default where nobody can be asked', async (behaviour, line) => {
    const { replayed, told, asks } = await askedBy(behaviour, () => null, { waitMs: 0 });
    expect(told).toEqual([line]);
    expect(asks).toMatchObject([{ defaultAfterMs: 0, answer: { by: 'default' } }]);
    expect(endingOf(replayed).receipt.asks).toMatchObject({ byPerson: 0, byDefault: 1 });
  });

  it('gets its default after half of what remains, and the waiting is no silence of the server', async () => {
    const { replayed, asks } = await askedBy('asks-form', () => null, { timeoutMs: 3000 });
    const [ask] = asks;
    expect(ask?.defaultAfterMs).toBeLessThanOrEqual(1500);
    expect(ask?.answer?.by).toBe('default');
    const { receipt } = endingOf(replayed);
    const waitedNs = receipt.asks?.waitedNs ?? 0;
    expect(waitedNs).toBeGreaterThan(((ask?.defaultAfterMs ?? 0) - 50) * 1e6);
    expect(receipt.callDurationNs).toBeGreaterThan(waitedNs);
  });

  it('a hundred at once: each is listed, each is answered, also last first', async () => {
    const { asks, told } = await askedBy('asks-many', () => ACCEPT);
    expect(asks).toHaveLength(100);
    expect(told).toHaveLength(100);
    expect(told.every((line) => line.includes(ACCEPT.text))).toBe(true);
  });

  it('more than can be looked at: the rest is answered by default at once, and counted', async () => {
    const { replayed, asks, told, omitted } = await askedBy('asks-flood', () => ACCEPT);
    expect(asks).toHaveLength(MOST_ASKS);
    expect(omitted).toBe(500 - MOST_ASKS);
    expect(told).toHaveLength(500);
    expect(told.filter((line) => line.includes('"decline"'))).toHaveLength(500 - MOST_ASKS);
    expect(endingOf(replayed).receipt.asks).toMatchObject({
      byPerson: MOST_ASKS,
      byDefault: 500 - MOST_ASKS,
    });
  });

  it('a server that asks for ever times out all the same', async () => {
    const { replayed, asks } = await askedBy('asks-for-ever', () => ACCEPT, { timeoutMs: 1500 });
    expect(endingOf(replayed).outcome).toBe('timedOut');
    expect(asks.length).toBeGreaterThan(1);
  });

  it('under the very id of our own call', async () => {
    const { replayed, told } = await askedBy('asks-with-our-id', () => ACCEPT);
    expect(endingOf(replayed).outcome).toBe('result');
    expect(told[0]).toMatch(/^\{"jsonrpc":"2\.0","id":\d+,"result":\{ "action"/);
  });

  it('under ids that JavaScript can not hold: answered as written; null gets no answer', async () => {
    const { replayed, asks, told } = await askedBy('asks-with-odd-ids', () => ACCEPT);
    expect(asks.map(({ idText }) => idText)).toEqual(['9007199254740993', '1.50', '"\\u0041"']);
    expect(told.map((line) => line.slice(0, line.indexOf(',"result"')))).toEqual([
      '{"jsonrpc":"2.0","id":9007199254740993',
      '{"jsonrpc":"2.0","id":1.50',
      '{"jsonrpc":"2.0","id":"\\u0041"',
      '{"jsonrpc":"2.0","id":9007199254740995',
    ]);
    const nameless = replayed.frames.find(({ idText }) => idText === 'null');
    expect(nameless?.remark).toContain('The id is null');
  });

  it('with five megabytes of params: cut for display between characters, the cut counted', async () => {
    const { asks } = await askedBy('asks-large', () => ACCEPT);
    const [ask] = asks;
    const shown = Buffer.byteLength(ask?.paramsText ?? '');
    expect(shown).toBeLessThanOrEqual(65_536);
    expect(shown + (ask?.paramsOmittedBytes ?? 0)).toBe(5_000_000 + '{"message":""}'.length);
    expect(ask?.paramsText).not.toContain('\ufffd');
  });

  it('after its answer: the replay is over and says that nobody answered', async () => {
    const { replayed, asks } = await askedBy('asks-after-answer', () => null);
    expect(endingOf(replayed).outcome).toBe('result');
    for (const ask of asks) expect(ask.endedUnanswered).toBe('replayEnded');
  });

  it('and takes back: no answer goes out', async () => {
    const { replayed, asks } = await askedBy('asks-then-withdraws', () => null);
    expect(asks).toMatchObject([{ answer: null, endedUnanswered: 'withdrawn' }]);
    expect(
      replayed.frames.filter(
        ({ direction, idText }) => direction === 'client-to-server' && idText === '"gone"',
      ),
    ).toEqual([]);
  });

  it('an answer twice is closed, one to nothing is unknown', async () => {
    const desk = new AskDesk({ waitMs: 60_000 });
    const states: string[] = [];
    await replayOnce(stdioTarget('asks-form'), {
      askDesk: desk,
      onAsks: (asks) => {
        if (states.length > 0 || asks.length === 0) return;
        states.push(desk.answer(2, ACCEPT));
        states.push(desk.answer(1, ACCEPT));
        states.push(desk.answer(1, ACCEPT));
      },
    });
    expect([...states, desk.answer(1, ACCEPT)]).toEqual(['unknown', 'sent', 'closed', 'closed']);
  });

  it('an answer over several lines goes out on one, as any stdio frame', async () => {
    const { told } = await askedBy('asks-form', () => ({
      kind: 'result',
      text: '{\n "action": "cancel"\n}',
    }));
    expect(told).toEqual(['{"jsonrpc":"2.0","id":"form-1","result":{  "action": "cancel" }}']);
  });

  it('progress is asked for with a token where somebody listens', async () => {
    const { replayed, told } = await askedBy('tells-progress', () => ACCEPT);
    expect(told[0]).toMatch(/^token \d+$/);
    const methods = replayed.frames.map(({ method }) => method);
    expect(methods).toContain('notifications/progress');
    expect(methods).toContain('notifications/message');
  });

  it.each(['asks-form', 'asks-form-on-get'])('over HTTP: %s', async (behaviour) => {
    const server = await startHostileHttp(behaviour);
    try {
      const { replayed, told } = await askedBy(
        { transport: 'streamable-http', url: server.url },
        () => ACCEPT,
      );
      expect(endingOf(replayed).outcome).toBe('result');
      expect(told).toEqual([`{"jsonrpc":"2.0","id":"form-1","result":${ACCEPT.text}}`]);
    } finally {
      await server.stop();
    }
  });
});
