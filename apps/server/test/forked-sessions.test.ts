import type { RunId } from '@misstep/model';
import { expect, test } from 'vitest';
import { fileOf } from './recordings.ts';
import { openTestServices } from './support.ts';

/** Sessions that were resumed or forked into files of their own: what they share counts once. */

const FIRST = '5b0e0c1a-0000-4000-8000-00000000000a';
const SECOND = '5b0e0c1a-0000-4000-8000-00000000000b';
const THIRD = '5b0e0c1a-0000-4000-8000-00000000000c';

interface Turn {
  readonly name: string;
  readonly second: number;
}

/**
 * Of Claude Code: a turn is a prompt, a call and its result; `from` is written by newer versions. Some
 * forks give their copies uuids of their own (`renames`).
 */
function claudeSession(
  sessionId: string,
  turns: readonly Turn[],
  from: string | null,
  renames = false,
): string {
  const lines: string[] = [];
  let parentUuid: string | null = null;
  const add = (type: string, original: string, second: number, message: object, isOwn: boolean) => {
    const at = renames && !isOwn ? second + 100 : second;
    const timestamp = new Date(Date.UTC(2026, 2, 1, 9, 0, at)).toISOString();
    const uuid = renames ? `${original} in ${sessionId}` : original;
    const forkedFrom =
      from === null || isOwn ? {} : { forkedFrom: { sessionId: from, messageUuid: original } };
    lines.push(
      JSON.stringify({ type, uuid, parentUuid, sessionId, timestamp, ...forkedFrom, message }),
    );
    parentUuid = uuid;
  };
  for (const { name, second } of turns) {
    const isOwn = !name.startsWith('shared');
    const id = `toolu_${name}`;
    add('user', `${name}-ask`, second, { role: 'user', content: `Weigh crate ${name}` }, isOwn);
    const usage = { input_tokens: 100, output_tokens: 10 };
    const content = [{ type: 'tool_use', id, name: 'mcp__scale__weigh', input: { name } }];
    const call = { role: 'assistant', id: `msg_${name}`, model: 'demo', content, usage };
    add('assistant', `${name}-call`, second + 1, call, isOwn);
    const result = [{ type: 'tool_result', tool_use_id: id, content: `${name}: 12 kg` }];
    add('user', `${name}-result`, second + 2, { role: 'user', content: result }, isOwn);
  }
  return `${lines.join('\n')}\n`;
}

/** Of Codex: the turns of `shared` were copied and stamped anew. Old versions give turns no id. */
function codexRollout(
  id: string,
  {
    from,
    shared,
    own,
    second,
    turnIds,
    holdsAll = false,
  }: {
    from: string | null;
    shared: readonly string[];
    own: readonly string[];
    second: number;
    turnIds: boolean;
    /** Whether the copied head says what its own session was forked from. */
    holdsAll?: boolean;
  },
): string {
  const lines: string[] = [];
  let at = second;
  const add = (type: string, payload: object) => {
    const timestamp = new Date(Date.UTC(2026, 2, 1, 9, 0, at)).toISOString();
    lines.push(JSON.stringify({ timestamp, type, payload }));
  };
  const meta = { cwd: '/crates', originator: 'demo', cli_version: '0.1.0', source: 'cli' };
  add('session_meta', { id, ...meta, ...(from === null ? {} : { forked_from_id: from }) });
  // The parent's own head is copied too.
  const above = holdsAll && from === SECOND ? { forked_from_id: FIRST } : {};
  if (from !== null) add('session_meta', { id: from, ...meta, ...above });
  for (const [index, name] of [...shared, ...own].entries()) {
    if (!shared.includes(name)) at += 5;
    const turn = turnIds ? { turn_id: `turn-${name}` } : {};
    add('turn_context', { ...turn, cwd: '/crates', model: 'demo' });
    add('response_item', {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: `Weigh crate ${name}` }],
    });
    const call = { name: 'weigh', arguments: '{"crate":1}', call_id: `call-${name}` };
    add('response_item', { type: 'function_call', ...call });
    add('response_item', { type: 'function_call_output', call_id: call.call_id, output: '12 kg' });
    const last = { input_tokens: 100, cached_input_tokens: 0, output_tokens: 10 };
    const sum = (index + 1) * 100;
    const total = { input_tokens: sum, cached_input_tokens: 0, output_tokens: sum / 10 };
    const info = { total_token_usage: total, last_token_usage: last };
    add('event_msg', { type: 'token_count', info });
  }
  return `${lines.join('\n')}\n`;
}

function atifPart(sessionId: string, steps: readonly object[], next: string | null): string {
  return JSON.stringify({
    schema_version: 'ATIF-v1.6',
    session_id: sessionId,
    agent: { name: 'demo', version: '1', model_name: 'demo' },
    steps,
    ...(next === null ? {} : { continued_trajectory_ref: next }),
  });
}

function atifStep(step: number, copied: boolean): object {
  return {
    step_id: step,
    source: 'agent',
    message: `step ${step}`,
    ...(copied ? { is_copied_context: true } : {}),
    tool_calls: [{ tool_call_id: `c${step}`, function_name: 'weigh', arguments: { step } }],
    observation: { results: [{ source_call_id: `c${step}`, content: '12 kg' }] },
    metrics: { prompt_tokens: 100, completion_tokens: 10 },
  };
}

const shared = [
  { name: 'shared-1', second: 1 },
  { name: 'shared-2', second: 5 },
];
const codex = (turnIds: boolean) => ({
  'rollout-a.jsonl': codexRollout(FIRST, {
    ...{ from: null, shared: [], own: ['1', '2', '3'], second: 0, turnIds },
  }),
  'rollout-b.jsonl': codexRollout(SECOND, {
    ...{ from: FIRST, shared: ['1', '2'], own: ['4'], second: 30, turnIds },
  }),
  'rollout-c.jsonl': codexRollout(THIRD, {
    ...{ from: SECOND, shared: ['1', '2', '4'], own: ['5'], second: 60, turnIds, holdsAll: true },
  }),
});

const CASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Claude Code, resumed twice': {
    'a.jsonl': claudeSession(FIRST, [...shared, { name: 'three', second: 10 }], null),
    'b.jsonl': claudeSession(
      SECOND,
      [...shared, { name: 'three', second: 10 }, { name: 'four', second: 40 }],
      null,
    ),
    'c.jsonl': claudeSession(
      THIRD,
      [
        ...shared,
        { name: 'three', second: 10 },
        { name: 'four', second: 40 },
        { name: 'five', second: 90 },
      ],
      null,
    ),
  },
  'Claude Code, forked twice while it went on': {
    'a.jsonl': claudeSession(FIRST, [...shared, { name: 'three', second: 50 }], null),
    'b.jsonl': claudeSession(SECOND, [...shared, { name: 'four', second: 40 }], FIRST),
    'c.jsonl': claudeSession(THIRD, [...shared, { name: 'five', second: 60 }], FIRST),
  },
  'Claude Code, forked twice with uuids of their own': {
    'a.jsonl': claudeSession(FIRST, [...shared, { name: 'three', second: 10 }], null),
    'b.jsonl': claudeSession(SECOND, [...shared, { name: 'four', second: 40 }], FIRST, true),
    'c.jsonl': claudeSession(THIRD, [...shared, { name: 'five', second: 60 }], FIRST, true),
  },
  'Codex, a fork of a fork': codex(true),
  'Codex, from before turns had ids': codex(false),
  'ATIF in three files': {
    'jobs/t/trajectory.json': atifPart(
      'crates',
      [1, 2].map((n) => atifStep(n, false)),
      'trajectory.cont-1.json',
    ),
    'jobs/t/trajectory.cont-1.json': atifPart(
      'crates-cont-1',
      [atifStep(1, true), atifStep(3, false), atifStep(4, false)],
      'trajectory.cont-2.json',
    ),
    'jobs/t/trajectory.cont-2.json': atifPart(
      'crates-cont-2',
      [atifStep(1, true), atifStep(5, false)],
      null,
    ),
  },
  'ATIF in three files of one session id': {
    'jobs/u/trajectory.json': atifPart(
      'kegs',
      [1, 2].map((n) => atifStep(n, false)),
      'trajectory.cont-1.json',
    ),
    'jobs/u/trajectory.cont-1.json': atifPart(
      'kegs',
      [3, 4].map((n) => atifStep(n, false)),
      'trajectory.cont-2.json',
    ),
    'jobs/u/trajectory.cont-2.json': atifPart('kegs', [atifStep(5, false)], null),
  },
};

const ORDERS = [[[2, 1, 0]], [[0], [1], [2]], [[2], [1], [0]], [[1], [2, 0]]];

test.each(Object.keys(CASES).flatMap((name) => ORDERS.map((order) => [name, order] as const)))(
  '%s, imported as %j',
  async (name, order) => {
    const services = await openTestServices();
    const files = Object.entries(CASES[name] ?? {});
    for (const batch of order) {
      const given = batch.flatMap((index) => files.slice(index, index + 1));
      const outcomes = await services.imports.importFiles(
        given.map(([path, text]) => fileOf(path, text)),
      );
      expect(outcomes.map(({ error }) => error)).toEqual(given.map(() => null));
    }
    const { runs } = await services.store.listRuns({ limit: 10, offset: 0 });
    expect(runs).toHaveLength(1);
    const [listed] = runs;
    if (listed === undefined) return;
    const { run } = listed;
    expect([run.toolCallCount, run.inputTokens, run.outputTokens]).toEqual([5, 500, 50]);
    const steps = await services.store.listSteps(run.id);
    const openings = steps.filter(({ name }) => name === 'Goes on in another session file');
    // A file that adds nothing to what was imported before opens nothing.
    expect(openings.length).toBeLessThanOrEqual(2);
    if (order[0]?.[0] === 0) expect(openings).toHaveLength(2);
    expect(steps.filter(({ status }) => status === 'unanswered')).toEqual([]);
  },
);

test.each([[[0, 2]], [[2, 0]]])(
  'a fork of a fork belongs to the first thread where the one between is not here, imported as %j',
  async (order) => {
    const services = await openTestServices();
    const files = Object.entries(CASES['Codex, a fork of a fork'] ?? {});
    for (const index of order) {
      const [path = '', text = ''] = files[index] ?? [];
      await services.imports.importFiles([fileOf(path, text)]);
    }
    const { runs } = await services.store.listRuns({ limit: 10, offset: 0 });
    expect(runs.map(({ run }) => [run.toolCallCount, run.inputTokens])).toEqual([[5, 500]]);
  },
);

test('a session that grows, and a third that is forked from it, stay with the run', async () => {
  const services = await openTestServices();
  const grown = claudeSession(FIRST, [...shared, { name: 'three', second: 50 }], null);
  const begun = grown.slice(0, grown.lastIndexOf('\n', grown.length - 2) + 1);
  const ids: (string | undefined)[] = [];
  for (const file of [
    fileOf('a.jsonl', begun),
    fileOf('b.jsonl', claudeSession(SECOND, [...shared, { name: 'four', second: 40 }], FIRST)),
    fileOf('a.jsonl', grown),
    fileOf('c.jsonl', claudeSession(THIRD, [...shared, { name: 'five', second: 60 }], FIRST)),
    fileOf('a.jsonl', grown),
  ]) {
    const [outcome] = await services.imports.importFiles([file]);
    ids.push(outcome?.runs[0]?.id);
  }
  expect(new Set(ids).size).toBe(1);
  const { runs } = await services.store.listRuns({ limit: 10, offset: 0 });
  expect(runs.map(({ run }) => run.inputTokens)).toEqual([500]);
});

test('what is asked again after a fork is asked again, though the parent goes on with the same', async () => {
  const services = await openTestServices();
  const given = { second: 0, turnIds: false };
  await services.imports.importFiles([
    fileOf(
      'rollout-a.jsonl',
      codexRollout(FIRST, { ...given, from: null, shared: [], own: ['1', '2', '3'] }),
    ),
    fileOf(
      'rollout-b.jsonl',
      codexRollout(SECOND, {
        ...{ ...given, second: 60, from: FIRST, shared: ['1', '2'], own: ['3'] },
      }),
    ),
  ]);
  const { runs } = await services.store.listRuns({ limit: 10, offset: 0 });
  expect(runs).toHaveLength(1);
  const [listed] = runs;
  if (listed === undefined) return;
  const steps = await services.store.listSteps(listed.run.id);
  expect(steps.filter(({ kind }) => kind === 'user').map(({ summary }) => summary)).toEqual(
    ['1', '2', '3', '3'].map((name) => `Weigh crate ${name}`),
  );
  const detail = await services.store.getRun(listed.run.id);
  expect(detail?.issues.map(({ code }) => code)).toContain('COPIES_INFERRED');
});

test('a part that a person used becomes the whole, with what was given to it', async () => {
  const services = await openTestServices();
  const [whole, part] = Object.entries(CASES['ATIF in three files'] ?? {}).map(([path, text]) =>
    fileOf(path, text),
  );
  if (whole === undefined || part === undefined) throw new Error('no files');
  const [alone] = await services.imports.importFiles([part]);
  const partId = alone?.runs[0]?.id;
  if (partId === undefined) throw new Error('no run');
  await services.store.updateRun(partId, { tags: ['case:crates'] });
  const before = await services.store.listSteps(partId);
  const [joined] = await services.imports.importFiles([whole]);
  expect(joined?.runs.map(({ id }) => id)).toEqual([partId]);
  const { runs } = await services.store.listRuns({ limit: 10, offset: 0 });
  expect(runs.map(({ run, tags }) => [run.id, run.toolCallCount, tags])).toEqual([
    [partId, 4, ['case:crates']],
  ]);
  const after = new Map((await services.store.listSteps(partId)).map((step) => [step.id, step]));
  for (const { id, summary } of before) expect([id, after.get(id)?.summary]).toEqual([id, summary]);
});

test('of two runs that turn out to be one a second that a person used stays, and the whole says so', async () => {
  const services = await openTestServices();
  const given = { shared: [], second: 0, turnIds: true };
  const middle = { ...given, from: FIRST, shared: ['1'], own: ['2'], second: 30 };
  const last = { ...given, from: SECOND, shared: ['1', '2'], own: ['3'], second: 60 };
  const texts = {
    first: codexRollout(FIRST, { ...given, from: null, own: ['1'] }),
    last: codexRollout(THIRD, last),
    middle: codexRollout(SECOND, middle),
  };
  const ids: (RunId | undefined)[] = [];
  for (const [name, text] of Object.entries(texts)) {
    const [outcome] = await services.imports.importFiles([fileOf(`rollout-${name}.jsonl`, text)]);
    const id = outcome?.runs[0]?.id;
    if (name === 'last' && id !== undefined) {
      await services.store.updateRun(id, { tags: ['case:crates'] });
    }
    ids.push(id);
  }
  const [first, second, third] = ids;
  expect(second).not.toBe(first);
  expect(third).toBe(first);
  const { total } = await services.store.listRuns({ limit: 10, offset: 0 });
  expect(total).toBe(2);
  if (first === undefined) return;
  const { issues } = await services.store.getRun(first);
  expect(issues.filter(({ code }) => code === 'PART_KEPT')).toEqual([
    expect.objectContaining({ message: expect.stringContaining(second ?? '-') }),
  ]);
});

test('a file that is missing between two of a trajectory is said to be elsewhere', async () => {
  const services = await openTestServices();
  const files = Object.entries(CASES['ATIF in three files'] ?? {});
  const given = [files[0], files[2]].flatMap((file) => (file === undefined ? [] : [file]));
  await services.imports.importFiles(given.map(([path, text]) => fileOf(path, text)));
  const { runs } = await services.store.listRuns({ limit: 10, offset: 0 });
  const issues = await Promise.all(
    runs.map(async ({ run }) => (await services.store.getRun(run.id)).issues),
  );
  expect(issues.flat().map(({ code }) => code)).toContain('CONTINUED_ELSEWHERE');
});

const LOG_LINES = ['yard', 'barn'].flatMap((server, index) =>
  [7, 8].flatMap((id) => {
    const at = (second: number) => `2026-03-01T11:0${index}:0${id - 7}.${second}00Z`;
    const call = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"count","arguments":{}}}`;
    return [
      { server, at: at(1), body: `Message from client: ${call}` },
      {
        server,
        at: at(2),
        body: `Message from server: {"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`,
      },
    ];
  }),
);
const ofAll = LOG_LINES.map(({ server, at, body }) => `${at} [info] [${server}] ${body}\n`).join(
  '',
);
const ofOne = (name: string) =>
  `${LOG_LINES.flatMap(({ server, at, body }) => (server === name ? `${at} [${server}] [info] ${body}\n` : [])).join('')}only ${name} prints this\n`;

test.each(ORDERS)('logs of Claude Desktop, imported as %j: each message once', async (...order) => {
  const services = await openTestServices();
  const files = [
    fileOf('mcp.log', ofAll),
    fileOf('mcp-server-yard.log', ofOne('yard')),
    fileOf('mcp-server-barn.log', ofOne('barn')),
  ];
  for (const batch of order) {
    const given = batch.flatMap((index) => files.slice(index, index + 1));
    const outcomes = await services.imports.importFiles(given);
    expect(outcomes.map(({ error }) => error)).toEqual(given.map(() => null));
  }
  const { runs } = await services.store.listRuns({ limit: 10, offset: 0 });
  expect(runs.map(({ run }) => [run.toolCallCount, run.stepCount])).toEqual([[4, 6]]);
});
