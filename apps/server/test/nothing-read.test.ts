import { expect, test } from 'vitest';
import { fileOf } from './recordings.ts';
import { openTestServices } from './support.ts';

const har = (...entries: unknown[]) =>
  JSON.stringify({
    log: { version: '1.2', creator: { name: 'browser', version: '1' }, entries },
  });

const exchange = (url: string, mimeType: string, text: string) => ({
  startedDateTime: '2026-01-05T10:00:00.000Z',
  time: 20,
  request: { method: 'GET', url, headers: [] },
  response: { status: 200, headers: [], content: { size: text.length, mimeType, text } },
});

const EMPTY = 'a document whose list of entries is empty';
const OTHER_JSON = "other traffic, with JSON that is neither MCP nor a model's API";
const json = exchange('https://depot.example/stock', 'application/json', '{"boxes":3}');
const page = exchange('https://depot.example/', 'text/html', '<p>Depot</p>');

test('a document that holds no run is no failure, and says why it holds none', async () => {
  const services = await openTestServices();
  const expected: [path: string, text: string, format: string, why: string][] = [
    [
      'chat.json',
      '{"requesterUsername":"ada","responderUsername":"GitHub Copilot","requests":[]}',
      'vscode-copilot',
      EMPTY,
    ],
    [
      'prompts.json',
      '{"exportedAt":"2026","totalPrompts":0,"prompts":[]}',
      'vscode-copilot',
      EMPTY,
    ],
    ['chat-1.json', '{"sessionId":"s","projectHash":"p","messages":[]}', 'gemini-cli', EMPTY],
    ['export.json', '{"info":{"id":"ses_1","title":"t"},"messages":[]}', 'opencode', EMPTY],
    ['T-1.json', '{"v":1,"id":"T-1","created":1,"messages":[]}', 'amp-thread', EMPTY],
    [
      'session.json',
      '{"sessionId":"s","title":"New Session","workspaceDirectory":"/desk","history":[]}',
      'continue-session',
      EMPTY,
    ],
    ['spans.json', '{"resourceSpans":[]}', 'otlp-json', EMPTY],
    ['trace.json', '{"data":[{"traceID":"a","spans":[],"processes":{}}]}', 'jaeger-json', EMPTY],
    ['none.har', har(), 'har', EMPTY],
    ['json.har', har(json), 'har', OTHER_JSON],
    ['both.har', har(page, json, json), 'har', `${OTHER_JSON} (2 of 3 records)`],
    ['page.har', har(page), 'har', 'other traffic, without JSON in either direction'],
  ];
  const outcomes = await services.imports.importFiles(
    expected.map(([path, text]) => fileOf(path, text)),
  );
  const told = new Map(outcomes.map((outcome) => [outcome.path, outcome]));
  for (const [path, , format, why] of expected) {
    const message = expect.stringContaining(` finds no run in ${path}: ${why}.`);
    expect(told.get(path)).toMatchObject({
      format,
      runs: [],
      issues: [{ code: 'NO_RUN', message }],
      error: null,
    });
  }
});

test('what is whole and not of the format is not called cut or compressed', async () => {
  const services = await openTestServices();
  const options = { format: 'vscode-copilot' };
  const [other] = await services.imports.importFiles([fileOf('a.json', '{"boxes":3}')], options);
  expect(other?.error?.message).toContain('no entries in the document');
  expect(other?.error?.hint).toMatch(/^It can be read, but .*--format ID/);
  const [cut] = await services.imports.importFiles([fileOf('b.json', '{"requests":[')], options);
  expect(cut?.error?.hint).toBe('Check that the file is whole and not compressed.');
});
