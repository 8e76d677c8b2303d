import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, type RouterHistory, RouterProvider } from '@tanstack/react-router';
import { type RenderResult, render } from '@testing-library/react';
import { vi } from 'vitest';
import { createQueryClient } from '../../src/api/query-client.ts';
import { createAppRouter } from '../../src/router.tsx';

/** Answers of a server by "METHOD /path"; a function sees the body that was sent. */
export type Answers = Record<string, unknown | ((body: unknown) => unknown)>;

/** What was asked, in order: "GET /api/runs". */
export const asked: { call: string; body: unknown }[] = [];

let answers: Answers = {};

/** The page's fetch, answered from the table of the test. Must be set before the client is made. */
export async function fakeFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const path = String(input).split('?')[0];
  const call = `${init?.method ?? 'GET'} ${path}`;
  const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : init?.body;
  asked.push({ call, body });
  const answer = answers[call];
  if (answer === undefined) {
    return Response.json(
      { error: { code: 'NOT_FOUND', message: `no ${call}`, hint: '', details: {} } },
      { status: 404 },
    );
  }
  if (answer instanceof Response) return answer.clone();
  if (answer instanceof Error) throw answer;
  return Response.json(typeof answer === 'function' ? answer(body) : answer);
}

const NEVER = { matches: false, onchange: null, addListener() {}, removeListener() {} };

/** Shows the whole app at an address over a fake server. */
export function showApp(
  address: string,
  table: Answers,
): RenderResult & { history: RouterHistory } {
  asked.length = 0;
  answers = {
    'GET /api/imports': { imports: [] },
    'GET /api/formats': { formats: [] },
    'GET /api/targets': { targets: [] },
    'GET /api/status': {
      version: '0.1.0',
      dataFolder: '~/.misstep',
      runCount: 3,
      sourceBytes: 1234,
      author: 'mira',
      demoRunId: null,
    },
    ...table,
  };
  // happy-dom lays nothing out: rows are windowed by these.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1440);
  // Media queries for less than 1100 px don't hold on a wide screen.
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), { ...NEVER, media }),
  );
  const history = createMemoryHistory({ initialEntries: [address] });
  const view = render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={createAppRouter(history)} />
    </QueryClientProvider>,
  );
  return { ...view, history };
}
