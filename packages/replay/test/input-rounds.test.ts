import type { ServerAsk, TargetAddress } from '@misstep/model';
import { hostileModernCommand, modernSdkCommand } from '@misstep/testkit';
import { describe, expect, it } from 'vitest';
import { AskDesk, verifyReceipt } from '../src/index.ts';
import { endingOf, type Replayed, replayOnce, serverFrames } from './replay-once.ts';

function modernTarget(behaviour: string): TargetAddress {
  return { transport: 'stdio', cwd: null, ...hostileModernCommand(behaviour) };
}

function callsOf(replayed: Replayed): string[] {
  return replayed.frames.filter(({ method }) => method === 'tools/call').map(({ text }) => text);
}

function expectVerified(replayed: Replayed): void {
  const { checks } = verifyReceipt(endingOf(replayed).receiptText, replayed.frameLog);
  expect(checks.filter(({ state }) => state === 'differs')).toEqual([]);
}

/** Answers each ask with that text as it comes, and keeps what was asked. */
function answering(kind: 'result' | 'error', text: string) {
  const asked: ServerAsk[] = [];
  const askDesk = new AskDesk({ waitMs: 60_000 });
  const onAsks = (asks: readonly ServerAsk[]) => {
    const newest = asks.at(-1);
    if (newest === undefined || newest.answer !== null || asked.length >= asks.length) return;
    asked.push(newest);
    expect(askDesk.answer(newest.ordinal, { kind, text })).toBe('sent');
  };
  return { asked, overrides: { askDesk, onAsks } };
}

describe.concurrent('a call for which the server asks for input', () => {
  it('goes on with the answer and the very state, as one call', async () => {
    const { asked, overrides } = answering('result', '{"action":"accept", "content":{"n":1.0}}');
    const replayed = await replayOnce(modernTarget('asks-person'), overrides);
    const ending = endingOf(replayed);
    expect(ending.outcome).toBe('result');
    expect(ending.sentence).toBe(
      'echo answered with a result. The server asked for input, so the call took 2 requests.',
    );
    expect(asked).toMatchObject([
      {
        method: 'elicitation/create',
        idText: 'who',
        paramsText: '{"mode":"form","message":"Who asks?","n":1}',
      },
    ]);
    const [first = '', second = ''] = callsOf(replayed);
    expect(JSON.parse(first)).toMatchObject({ id: 2, params: { arguments: { shelf: 'A-7' } } });
    expect(second).toContain(
      '"id":3,"method":"tools/call","params":{"name":"echo","arguments":{"shelf":"A-7"},"inputResponses":{"who":{"action":"accept", "content":{"n":1.0}}},"requestState":"st\\u0061te","_meta":{"progressToken":3,',
    );
    expect(first).toContain('"elicitation":{"form":{},"url":{}}');
    expect(ending.receipt).toMatchObject({
      rounds: 2,
      pins: { attempts: 1 },
      asks: { byPerson: 1, byDefault: 0, unanswered: 0 },
    });
    expectVerified(replayed);
  });

  it('is taken up again at once where only a state came', async () => {
    const replayed = await replayOnce(modernTarget('state-only'));
    expect(endingOf(replayed).receipt.rounds).toBe(2);
    expect(callsOf(replayed)[1]).not.toContain('inputResponses');
    expect(serverFrames(replayed).at(-1)?.text).toContain('state');
    expectVerified(replayed);
  });

  it('says no for the person where nobody answers', async () => {
    const replayed = await replayOnce(modernTarget('asks-person'));
    expect(callsOf(replayed)[1]).toContain('"inputResponses":{"who":{"action":"decline"}}');
    expect(replayed.events.map(({ text }) => text)).toContain(
      'declined elicitation/create, asked for as who',
    );
    expect(endingOf(replayed).outcome).toBe('result');
    expectVerified(replayed);
  });

  it('ends there where there is no way to say no', async () => {
    const { overrides } = answering('error', '{"code":-1,"message":"no"}');
    for (const answers of [{}, overrides]) {
      const replayed = await replayOnce(modernTarget('asks-model'), answers);
      expect(callsOf(replayed)).toHaveLength(1);
      expect(endingOf(replayed)).toMatchObject({
        outcome: 'protocolError',
        sentence: expect.stringContaining(
          'echo did not finish: the server asked for sampling/createMessage, which was not answered.',
        ),
      });
      expectVerified(replayed);
    }
  });

  it('is not asked for ever', async () => {
    const { overrides } = answering('result', '{"action":"cancel"}');
    const replayed = await replayOnce(modernTarget('asks-forever'), overrides);
    expect(callsOf(replayed)).toHaveLength(8);
    expect(endingOf(replayed).outcome).toBe('protocolError');
    expect(endingOf(replayed).receipt.rounds).toBe(8);
    expectVerified(replayed);
  });

  it('works with a server of the official SDK', async () => {
    const { overrides } = answering('result', '{"action":"accept","content":{"name":"Ann"}}');
    const address: TargetAddress = { transport: 'stdio', cwd: null, ...modernSdkCommand() };
    const replayed = await replayOnce(address, {
      ...overrides,
      tool: 'greet',
      confirmTool: 'greet',
      argumentsText: '{}',
    });
    expect(endingOf(replayed).outcome).toBe('result');
    expect(serverFrames(replayed).at(-1)?.text).toContain('Ann');
    expectVerified(replayed);
  });
});
