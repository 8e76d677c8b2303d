import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { namesIn } from '../src/services/import/names-in.ts';
import { fileOf } from './recordings.ts';
import { openTestServices } from './support.ts';

/** Two recordings of one session id, one of which started a sub-agent that has a file of its own. */

const sessionId = '7c1d0000-0000-4000-8000-000000000001';
const AGENT = 'ab12cd34';

function lines(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify({ sessionId, ...record })}\n`).join('');
}

function record(type: string, uuid: string, second: number, content: unknown, more: object = {}) {
  const timestamp = new Date(Date.UTC(2026, 4, 1, 8, 0, second)).toISOString();
  const message =
    type === 'user' ? { role: 'user', content } : { role: 'assistant', id: uuid, content };
  return { type, uuid, timestamp, message, ...more };
}

const plain = lines(
  record('user', 'p-1', 0, 'Count the buoys'),
  record('assistant', 'p-2', 1, [{ type: 'text', text: 'Nine.' }]),
);
const task = { type: 'tool_use', id: 'toolu_t', name: 'Task', input: { prompt: 'Look at buoy 4' } };
const starter = lines(
  record('user', 's-1', 60, 'Look at each buoy'),
  record('assistant', 's-2', 61, [task]),
  record('user', 's-3', 90, [{ type: 'tool_result', tool_use_id: 'toolu_t', content: 'rusty' }], {
    toolUseResult: { agentId: AGENT, content: [] },
  }),
);
const sidechain = { isSidechain: true, agentId: AGENT };
const agent = lines(
  record('user', 'a-1', 62, 'Look at buoy 4', sidechain),
  record('assistant', 'a-2', 63, [{ type: 'text', text: 'rusty' }], sidechain),
);

test.each([
  [['plain.jsonl', 'starter.jsonl', 'agent.jsonl']],
  [['agent.jsonl', 'starter.jsonl', 'plain.jsonl']],
])('the one that names the agent has it, given as %j', async (order) => {
  const texts: Readonly<Record<string, string>> = {
    'plain.jsonl': plain,
    'starter.jsonl': starter,
    'agent.jsonl': agent,
  };
  const services = await openTestServices();
  const outcomes = await services.imports.importFiles(
    order.map((name) => fileOf(name, texts[name] ?? '')),
  );
  const runs = new Map(order.map((name, index) => [name, outcomes[index]?.runs[0]?.id]));
  expect(runs.get('agent.jsonl')).toBe(runs.get('starter.jsonl'));
  expect(runs.get('plain.jsonl')).not.toBe(runs.get('starter.jsonl'));
  expect(outcomes.flatMap(({ issues }) => issues.map(({ code }) => code))).toEqual([]);
});

test('a name is found wherever a file is cut into pieces, and only in quotes', async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'misstep-')), 'long.txt');
  const pad = 'x'.repeat(1_048_576 - 4);
  writeFileSync(file, `${pad}"across" bare "last"`);
  expect(await namesIn(file, ['across', 'bare', 'last', 'absent'])).toEqual(
    new Set(['across', 'last']),
  );
  expect(await namesIn(file, [])).toEqual(new Set());
});
