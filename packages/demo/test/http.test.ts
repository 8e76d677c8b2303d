import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveHttp } from '../src/index.ts';

let url: string;
let close: () => void;

beforeAll(async () => {
  const served = await serveHttp(0);
  url = served.url;
  close = () => served.server.close();
});
afterAll(() => close());

const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

test('a call is answered as an event stream, progress first', async () => {
  const response = await post(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"season_forecast","arguments":{},"_meta":{"progressToken":1}}}',
  );
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events = (await response.text()).trim().split('\n\n');
  expect(events).toHaveLength(5);
  expect(events[0]).toContain('notifications/progress');
  expect(events[4]).toContain('"id":1,"result"');
});

test('a notification is accepted without a body', async () => {
  const response = await post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  expect(response.status).toBe(202);
  expect(await response.text()).toBe('');
});

test('a page of another origin is refused', async () => {
  expect(
    (await post('{"jsonrpc":"2.0","id":1,"method":"ping"}', { origin: 'http://evil.example' }))
      .status,
  ).toBe(403);
});
