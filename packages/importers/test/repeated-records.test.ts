import { expect, test } from 'vitest';
import { importerById } from '../src/index.ts';
import { sourceOfText } from './support.ts';

const record = (uuid: string, sessionId: string, content: string, second = 0) =>
  JSON.stringify({
    parentUuid: null,
    sessionId,
    type: 'user',
    uuid,
    timestamp: `2026-01-05T10:00:0${second}.000Z`,
    message: { role: 'user', content },
  });

async function readSession(lines: readonly string[]) {
  const result = await importerById('claude-code-jsonl')?.read({
    main: sourceOfText(`${lines.join('\n')}\n`),
    companions: [],
  });
  if (result === undefined) throw new Error('no such importer');
  return {
    summaries: result.runs[0]?.steps.map(({ summary }) => summary) ?? [],
    records: result.sources[0]?.records,
    usages:
      result.runs[0]?.steps.flatMap(({ usage }) =>
        usage === null ? [] : [[usage.inputTokens, usage.outputTokens]],
      ) ?? [],
    issues: result.issues.map(({ code, message, offset }) => ({ code, message, offset })),
  };
}

test('a record that differs from the first in its session id alone is counted once', async () => {
  const first = record('u1', 'one', 'Fold the map');
  const { summaries, issues } = await readSession([first, record('u1', 'two', 'Fold the map')]);
  expect(summaries).toEqual(['Fold the map']);
  expect(issues).toEqual([
    expect.objectContaining({ code: 'DUPLICATE_RECORDS', offset: first.length + 1 }),
  ]);
});

test.each(['u1', 'constructor', '__proto__'])(
  'other content under the uuid %s is a record of its own, told once with its number',
  async (uuid) => {
    const first = record(uuid, 'one', 'Fold the map');
    const { summaries, issues, records } = await readSession([
      first,
      record(uuid, 'one', 'Unfold the map', 1),
      record(uuid, 'two', 'Burn the map', 2),
      record(uuid, 'two', 'Unfold the map', 1),
    ]);
    expect(summaries).toEqual(['Fold the map', 'Unfold the map', 'Burn the map']);
    expect(records).toEqual({
      total: 4,
      understood: 3,
      setAside: 1,
      notUnderstood: 0,
      malformed: 0,
    });
    expect(issues.map(({ code }) => code)).toEqual(['UUID_REUSED', 'DUPLICATE_RECORDS']);
    expect(issues[0]).toMatchObject({
      message: expect.stringContaining('2 records'),
      offset: first.length + 1,
    });
  },
);

const answer = (uuid: string, outputTokens: number, content: readonly object[]) =>
  JSON.stringify({
    ...{ parentUuid: null, sessionId: 'one', type: 'assistant', uuid, requestId: 'req' },
    timestamp: '2026-01-05T10:00:01.000Z',
    message: {
      ...{ role: 'assistant', id: 'msg', model: 'demo', content },
      usage: { input_tokens: 5, output_tokens: outputTokens },
    },
  });
const folding = { type: 'tool_use', id: 'toolu', name: 'fold', input: { map: 12 } };

test('an answer repeated with other token counts is one, with the larger ones', async () => {
  const { summaries, issues, usages } = await readSession([
    answer('u1', 2, [folding]),
    answer('u1', 7, [folding]),
  ]);
  expect(summaries).toHaveLength(2);
  expect(usages).toEqual([[5, 7]]);
  expect(issues.map(({ code }) => code)).toEqual(['USAGE_DIFFERS', 'DUPLICATE_RECORDS']);
});

test('a call that two records of one answer tell is one call', async () => {
  const said = { type: 'text', text: 'I fold it' };
  const { summaries, issues } = await readSession([
    answer('u1', 2, [folding]),
    answer('u2', 2, [said, folding]),
    answer('u3', 2, [{ ...folding, id: 'toolu_2' }]),
  ]);
  expect(summaries).toHaveLength(3);
  expect(issues.map(({ code }) => code)).toEqual(['CALL_REPEATED']);
});

test('a run of LangSmith that is sent once more moves no step', async () => {
  const run = (id: string, more: object) =>
    JSON.stringify({
      id,
      trace_id: 't',
      run_type: 'llm',
      start_time: '2026-01-05T10:00:00Z',
      ...more,
    });
  const message = {
    role: 'assistant',
    tool_calls: [{ id: 'k', function: { name: 'fold', arguments: '{}' } }],
  };
  const model = run('a', { outputs: { choices: [{ message }] } });
  const tool = run('b', { run_type: 'tool', name: 'fold', parent_run_id: 'a' });
  const idsOf = async (lines: readonly string[]) => {
    const main = sourceOfText(`${lines.join('\n')}\n`);
    const result = await importerById('langsmith')?.read({ main, companions: [] });
    return result?.runs.flatMap(({ steps }) => steps.map(({ id }) => id)) ?? [];
  };
  const before = await idsOf([model, tool]);
  expect(before.length).toBeGreaterThan(1);
  expect(await idsOf([model, tool, model])).toEqual(before);
});

test('thousands of records of one message that another file repeats under other uuids take no square of time', async () => {
  const piece = (sessionId: string, mark: string, at: number) =>
    JSON.stringify({
      parentUuid: null,
      sessionId,
      type: 'assistant',
      uuid: `${at.toString(16).padStart(8, '0')}-${mark}-4000-8000-000000000000`,
      requestId: 'req_1',
      timestamp: '2026-01-05T10:00:00.000Z',
      message: {
        id: 'msg_1',
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text: `piece ${at}` }],
        usage: { input_tokens: 5, output_tokens: 1 },
      },
    });
  const source = (sessionId: string, mark: string) =>
    sourceOfText(
      Array.from({ length: 4000 }, (_, at) => `${piece(sessionId, mark, at)}\n`).join(''),
    );
  const [main, reader] = [source('one', '0000'), source('two', '1111')];
  const result = await importerById('claude-code-jsonl')?.read({
    main,
    companions: [{ reader, group: { key: 'two', role: 'main', part: null } }],
    order: [main.sha256, reader.sha256],
  });
  expect(result?.sources[1]?.records).toMatchObject({ total: 4000, setAside: 4000 });
  expect(result?.runs[0]?.steps.filter(({ kind }) => kind === 'model')).toHaveLength(1);
});
