// @vitest-environment happy-dom
import type { StepDetail, TargetView } from '@misstep/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

interface Sent {
  readonly url: string;
  readonly body: { argumentsText?: string; confirmTool?: string; idempotencyKey?: string };
}

/** Answers a start with a replay that ends when the test says so. */
class FakeReplays {
  readonly sent: Sent[] = [];
  readonly cancelled: string[] = [];
  endsAtOnce = true;
  refuses = false;

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    // What the page sends is this test's own text.
    const body = init.body === undefined ? {} : (JSON.parse(String(init.body)) as Sent['body']);
    if (url.endsWith('/cancel')) {
      this.cancelled.push(url);
      return this.#answer(url, true, 'cancelled');
    }
    if (init.method === 'POST') {
      if (this.refuses) {
        const error = { code: 'REPLAY_REFUSED', message: 'not today', hint: '', details: {} };
        return new Response(JSON.stringify({ error }), { status: 409 });
      }
      this.sent.push({ url, body });
    }
    return this.#answer(url, this.endsAtOnce, 'result');
  };

  #answer(_url: string, isDone: boolean, outcome: string): Response {
    const replay = {
      id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      runId: 'r0123456789abcdefghij',
      stepId: 's1',
      state: isDone ? 'done' : 'waiting',
      targetName: 'shelf',
      tool: 'find',
      argumentsText: '{}',
      startedAt: '2026-01-01T00:00:00.000Z',
      frames: [],
      events: [],
      asks: [],
      outcome: isDone ? outcome : null,
      outcomeSentence: null,
      receipt: null,
      comparison: null,
    };
    return new Response(JSON.stringify(replay), { status: 200 });
  }
}

let replays: FakeReplays;
beforeEach(() => {
  replays = new FakeReplays();
  vi.resetModules();
  vi.stubGlobal('fetch', replays.fetch);
});
afterEach(() => vi.unstubAllGlobals());

const drafts = ['a', 'b', 'c'].map((name) => ({
  change: { pointer: `/${name}`, before: '1', after: '2' },
  argumentsText: `{"${name}":2}`,
}));

async function openSplit() {
  const { useSplit } = await import('../../src/features/replay/use-split.ts');
  // Only these parts are looked at.
  const step = { runId: 'r0123456789abcdefghij', id: 's1' } as unknown as StepDetail;
  const target = { name: 'shelf' } as unknown as TargetView;
  const client = new QueryClient();
  const wrapper = (props: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{props.children}</QueryClientProvider>
  );
  return renderHook(() => useSplit(step, target), { wrapper });
}

it('sends nothing for a plan, then each text once with a key of its own', async () => {
  const { result } = await openSplit();
  act(() => result.current.plan(drafts));
  expect(result.current.state).toBe('planned');
  expect(replays.sent).toEqual([]);
  act(() => {
    result.current.send('find');
    result.current.send('find');
  });
  await waitFor(() => expect(result.current.state).toBe('over'));
  expect(replays.sent.map(({ body }) => body.argumentsText)).toEqual([
    '{"a":2}',
    '{"b":2}',
    '{"c":2}',
  ]);
  expect(new Set(replays.sent.map(({ body }) => body.idempotencyKey)).size).toBe(3);
  expect(replays.sent.every(({ body }) => body.confirmTool === 'find')).toBe(true);
  expect(result.current.calls.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
});

it('stopped, cancels the one on its way and sends no other', async () => {
  replays.endsAtOnce = false;
  const { result } = await openSplit();
  act(() => result.current.plan(drafts));
  act(() => result.current.send(null));
  await waitFor(() => expect(replays.sent).toHaveLength(1));
  act(() => result.current.stop());
  await waitFor(() => expect(result.current.state).toBe('over'));
  expect(replays.cancelled).toHaveLength(1);
  expect(replays.sent).toHaveLength(1);
  expect(result.current.calls.map(({ state }) => state)).toEqual(['done', 'not sent', 'not sent']);
});

it('left, sends no other either', async () => {
  replays.endsAtOnce = false;
  const { result, unmount } = await openSplit();
  act(() => result.current.plan(drafts));
  act(() => result.current.send(null));
  await waitFor(() => expect(replays.sent).toHaveLength(1));
  unmount();
  await waitFor(() => expect(replays.cancelled).toHaveLength(1));
  expect(replays.sent).toHaveLength(1);
});

it('refused once, is not tried with the rest', async () => {
  replays.refuses = true;
  const { result } = await openSplit();
  act(() => result.current.plan(drafts));
  act(() => result.current.send(null));
  await waitFor(() => expect(result.current.state).toBe('over'));
  expect(result.current.calls.map(({ state, refusal }) => [state, refusal])).toEqual([
    ['refused', 'not today'],
    ['not sent', null],
    ['not sent', null],
  ]);
});
