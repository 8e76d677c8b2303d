import { routes } from '@misstep/contract';
import type { Replay } from '@misstep/model';
import { hostileStdioCommand } from '@misstep/testkit';
import { describe, expect, test } from 'vitest';
import { addDepot, importedCall } from './depot.ts';
import { call, openTestApp, type TestApp, until } from './support.ts';

const ACCEPT = '{"action":"accept","content":{"sure":true,"n":9007199254740993}}';

/** A replay of a server that asks, running until `answer` is given or its default comes. */
async function started(behaviour: string, change: object = {}) {
  const opened = await openTestApp();
  const { args } = hostileStdioCommand(behaviour);
  const noLines = async () => [];
  await addDepot(opened.services, { args, lines: noLines, starts: noLines });
  const place = await importedCall(opened.services);
  const sent = await call(opened.app, routes.startReplay, {
    params: place,
    body: {
      targetName: 'depot',
      argumentsText: null,
      tool: 'echo',
      confirmTool: 'echo',
      idempotencyKey: `asks-of-${behaviour}`,
      ...change,
    },
  });
  expect(sent.status).toBe(200);
  return { ...opened, id: (sent.json as Replay).id };
}

async function read({ app }: Pick<TestApp, 'app'>, id: string): Promise<Replay> {
  return (await call(app, routes.getReplay, { params: { replayId: id } })).json as Replay;
}

describe('what a server asks during a replay', () => {
  test('waits to be seen, is answered once, and stays in what is stored', async () => {
    const running = await started('asks-form');
    const { app, id } = running;
    const replay = await until(async () => {
      const now = await read(running, id);
      return now.asks.length > 0 ? now : null;
    });
    expect(replay).toMatchObject({
      state: 'waiting',
      asks: [{ ordinal: 1, method: 'elicitation/create', answer: null, endedUnanswered: null }],
    });
    const answer = (ordinal: number, text: string) =>
      call(app, routes.answerAsk, {
        params: { replayId: id, ordinal },
        body: { kind: 'result', text },
      });
    const refusals = [
      await answer(1, '{"action":'),
      await answer(1, '"\ud800"'),
      await answer(2, '{}'),
    ];
    expect(refusals.map(({ status, json }) => [status, json])).toMatchObject([
      [400, { error: { code: 'REQUEST_INVALID' } }],
      [400, { error: { code: 'REQUEST_INVALID' } }],
      [404, { error: { code: 'ASK_NOT_FOUND' } }],
    ]);
    expect((await answer(1, ACCEPT)).status).toBe(200);
    const done = await until(async () => {
      const now = await read(running, id);
      return now.state === 'done' ? now : null;
    });
    expect(done.asks).toMatchObject([{ answer: { by: 'person', kind: 'result', text: ACCEPT } }]);
    expect(done.receipt?.asks).toMatchObject({ byPerson: 1, byDefault: 0, unanswered: 0 });
    expect(done.receipt?.asks?.waitedNs).toBeGreaterThan(0);
    const late = [await answer(1, ACCEPT), await answer(9, ACCEPT)];
    expect(late.map(({ status, json }) => [status, json])).toMatchObject([
      [409, { error: { code: 'ASK_CLOSED' } }],
      [404, { error: { code: 'ASK_NOT_FOUND' } }],
    ]);
  });

  test('is answered by default where the person says nothing in the time given', async () => {
    const running = await started('asks-form', { askWaitMs: 200 });
    const done = await until(async () => {
      const now = await read(running, running.id);
      return now.state === 'done' ? now : null;
    });
    expect(done.asks).toMatchObject([
      { defaultAfterMs: 200, answer: { by: 'default', text: '{"action":"decline"}' } },
    ]);
    expect(done.outcome).toBe('result');
  });

  test('is left unanswered where the replay is cancelled', async () => {
    const running = await started('asks-form');
    await until(async () => ((await read(running, running.id)).asks.length > 0 ? true : null));
    const cancelled = await call(running.app, routes.cancelReplay, {
      params: { replayId: running.id },
      body: {},
    });
    expect(cancelled.json).toMatchObject({
      outcome: 'cancelled',
      asks: [{ answer: null, endedUnanswered: 'replayEnded' }],
    });
  });

  test('a long one is shown with its beginning, the cut counted', async () => {
    const running = await started('asks-large', { askWaitMs: 0 });
    const done = await until(async () => {
      const now = await read(running, running.id);
      return now.state === 'done' ? now : null;
    });
    const [ask] = done.asks;
    expect(Buffer.byteLength(ask?.paramsText ?? '') + (ask?.paramsOmittedBytes ?? 0)).toBe(
      5_000_014,
    );
  });
});
