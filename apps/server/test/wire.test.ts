import { routes } from '@misstep/contract';
import { type RunId, TargetNameSchema } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import type { Services } from '../src/compose.ts';
import { readRecordedCall } from '../src/services/replay/recorded-call.ts';
import { call, openTestApp, openTestServices } from './support.ts';

/** The demo's three recordings of one conversation. */
async function demoRuns(services: Services) {
  await services.demo.prepare();
  const { runs } = await services.runs.list({ offset: 0, limit: 10 });
  const idOf = (format: string): RunId => {
    const found = runs.find((run) => run.format === format);
    if (found === undefined) throw new Error(`the demo has no ${format}`);
    return found.id;
  };
  return {
    session: idOf('claude-code-jsonl'),
    ticket: idOf('plain-text'),
    wire: idOf('frame-log'),
  };
}

describe('a wire recording joined to a run', () => {
  test('gives the calls of the demo ticket their three versions, before and after', async () => {
    const services = await openTestServices();
    const { ticket, wire } = await demoRuns(services);
    const steps = await services.store.listSteps(ticket);
    const send = async (idempotencyKey: string, name = 'get_order') => {
      const step = steps.findLast(({ tool }) => tool === name);
      if (step === undefined) throw new Error(`the ticket has no ${name}`);
      const started = await services.replays.start({
        runId: ticket,
        stepId: step.id,
        targetName: TargetNameSchema.parse('demo'),
        argumentsText: null,
        tool: null,
        confirmTool: name,
        timeoutMs: 20_000,
        experimentId: null,
        prepared: null,
        idempotencyKey,
      });
      return services.replays.whenDone(started.id);
    };
    const early = await send('before-the-join');
    expect(early.comparison?.columns).toEqual(['transcript', 'replayed']);

    const join = await services.wires.join(ticket, wire);
    expect(join).toMatchObject({ pairedCount: 6, wireAlone: [] });
    expect(join.calls.map(({ by, remark }) => [by, remark])).toEqual(
      Array(6).fill(['arguments', null]),
    );
    const late = await send('after-the-join');
    expect(late.comparison?.columns).toEqual(['transcript', 'wire', 'replayed']);
    // The ticket rounded the id, dropped one of two notes and wrote 1.0 as 1.
    const verdictAt = (pointer: string) =>
      late.comparison?.rows.find((row) => row.pointer.endsWith(pointer))?.verdict;
    expect(['/id', '/ref', '/weight_kg'].map(verdictAt)).toEqual([
      'altered in transcript',
      'same',
      'formatting only',
    ]);
    const orders = await send('orders-after-the-join', 'search_orders');
    const found = orders.comparison?.rows.map(({ verdict }) => verdict);
    expect(found).toContain('elided in transcript');
    const shown = await services.comparisons.showRuled(early.id);
    expect(shown.comparison?.columns).toEqual(['transcript', 'wire', 'replayed']);

    expect(await services.wires.remove(ticket)).toEqual({ removed: true });
    expect(await services.wires.remove(ticket)).toEqual({ removed: false });
    for (const { id } of [early, late]) {
      expect((await services.comparisons.show(id, []))?.columns).toEqual([
        'transcript',
        'replayed',
      ]);
    }
  });

  test('is refused where it cannot be, and goes with its run', async () => {
    const { app, services } = await openTestApp();
    const { session, ticket, wire } = await demoRuns(services);
    const put = (runId: RunId, wireRunId: RunId) =>
      call(app, routes.putWire, { params: { runId }, body: { wireRunId } });
    for (const [runId, other, words] of [
      [session, session, 'to itself'],
      [session, ticket, 'no wire recording'],
      [wire, session, 'wire recording itself'],
    ] as const) {
      const refused = await put(runId, other);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(words)]);
    }
    const params = { runId: session };
    const preview = await call(app, routes.getWire, { params, query: { wireRunId: wire } });
    expect(preview.json).toMatchObject({ wireRun: { id: wire }, pairedCount: 6 });
    expect((await call(app, routes.getWire, { params })).json).toMatchObject({ wireRun: null });

    expect((await put(session, wire)).status).toBe(200);
    const step = (await services.store.listSteps(session)).find(({ kind }) => kind === 'tool');
    const recorded = () =>
      readRecordedCall(services.store, services.values, session, step?.id ?? ('' as never));
    expect((await recorded()).wireResultText).toContain('"isError":false');
    await services.runs.remove(wire);
    expect((await recorded()).wireResultText).toBeNull();
    expect((await call(app, routes.getWire, { params })).json).toMatchObject({ wireRun: null });
    expect((await call(app, routes.deleteWire, { params })).json).toEqual({ removed: true });
  });
});
