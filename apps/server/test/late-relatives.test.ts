import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Services } from '../src/compose.ts';
import { fileOf } from './recordings.ts';
import { openTestServices } from './support.ts';

/** Files of one session that don't begin alike: a record that both hold, or one that names another, links them. */

interface Written {
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly [key: string]: unknown;
}

const uuid = (name: string, word = '0badcafe'): string =>
  `${word}-0000-4000-8000-${Buffer.from(name).toString('hex').padStart(12, '0').slice(-12)}`;

/** Turns of a prompt, a call and its result, in records that follow one another. */
function turns(sessionId: string, names: readonly string[], after: Written | null, minute = 0) {
  const records: Written[] = [];
  let parentUuid = after?.uuid ?? null;
  const add = (name: string, type: string, message: object) => {
    const timestamp = new Date(Date.UTC(2026, 2, 1, 9, minute, records.length)).toISOString();
    const own = uuid(name);
    records.push({ type, uuid: own, parentUuid, sessionId, timestamp, message });
    parentUuid = own;
  };
  for (const name of names) {
    const id = `toolu_${name}`;
    add(`${name}-a`, 'user', { role: 'user', content: `Weigh ${name}` });
    const content = [{ type: 'tool_use', id, name: 'weigh', input: { name } }];
    const usage = { input_tokens: 100, output_tokens: 10 };
    const call = { role: 'assistant', id: `msg_01Harbour${name}`, model: 'demo', content, usage };
    add(`${name}-c`, 'assistant', call);
    const result = [{ type: 'tool_result', tool_use_id: id, content: `${name}: 12 kg` }];
    add(`${name}-r`, 'user', { role: 'user', content: result });
  }
  return records;
}

const linesOf = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** As a fork writes them that gives copies uuids and times of their own, and doesn't say so. */
function renamed(records: readonly Written[], sessionId: string): Written[] {
  const own = (id: string | null) => id?.replace('0badcafe', 'cafebabe') ?? null;
  return records.map((record, index) => ({
    ...record,
    ...{ sessionId, uuid: own(record.uuid) ?? '', timestamp: '2026-03-01T10:00:00.000Z' },
    parentUuid: index === 0 ? null : own(record.parentUuid),
  }));
}

interface Case {
  readonly files: readonly (readonly [string, string | Uint8Array])[];
  readonly calls: number;
  readonly issues?: readonly string[];
}

/** More than the head of a file holds, by which recordings of one run are first looked for. */
const FAR = 90;

function casesOf(): Readonly<Record<string, Case>> {
  const many = (name: string, count = FAR) =>
    Array.from({ length: count }, (_each, index) => `${name}${index}`);
  const long = turns('long-one', many('l'), null);
  const inferred = turns('inf-one', ['i1', 'i2'], null);
  const late = turns('late-inf-one', many('n'), null);
  const ended = turns('end-one', many('e'), null);
  const cut = turns('cut-one', ['k1', 'k2'], null);
  const web = turns('web-one', ['w1', 'w2'], null);
  const packed = turns('gz-one', ['g1', 'g2'], null);
  const usage = turns('use-one', ['s1', 's2'], null);
  const again = (records: readonly Written[], sessionId: string) =>
    records.map((record) => ({ ...record, sessionId }));
  const fork = (sessionId: string, from: readonly Written[], name: string): Written[] => [
    ...again(from, sessionId),
    ...turns(sessionId, [name], from.at(-1) ?? null, 30),
  ];
  const otherUsage = fork('use-two', usage, 's3').map((record) => {
    if (record.uuid !== uuid('s2-c')) return record;
    const message = record.message as { usage: object };
    return { ...record, message: { ...message, usage: { input_tokens: 90, output_tokens: 30 } } };
  });
  const inferredFork = renamed(inferred, 'inf-two');
  const lateFork = renamed(late.slice(-6), 'late-inf-two');
  return {
    'a copy that begins behind the head of the original': {
      files: [
        ['a1.jsonl', linesOf(long)],
        ['a2.jsonl', linesOf(fork('long-two', long.slice(-6), 'lx'))],
      ],
      calls: FAR + 1,
      issues: ['DUPLICATE_RECORDS'],
    },
    'copies under uuids and times of their own': {
      files: [
        ['b1.jsonl', linesOf(inferred)],
        [
          'b2.jsonl',
          linesOf([...inferredFork, ...turns('inf-two', ['i3'], inferredFork.at(-1) ?? null, 70)]),
        ],
      ],
      calls: 3,
      issues: ['COPIES_INFERRED'],
    },
    'such copies from far behind the head': {
      files: [
        ['c1.jsonl', linesOf(late)],
        [
          'c2.jsonl',
          linesOf([...lateFork, ...turns('late-inf-two', ['nx'], lateFork.at(-1) ?? null, 70)]),
        ],
      ],
      calls: FAR + 1,
      issues: ['COPIES_INFERRED'],
    },
    'no copies, and a first record that names the last of another': {
      files: [
        ['d1.jsonl', linesOf(ended)],
        ['d2.jsonl', linesOf(turns('end-two', ['ex'], ended.at(-1) ?? null, 30))],
      ],
      calls: FAR + 1,
    },
    'a fork whose first line is cut': {
      files: [
        ['e1.jsonl', linesOf(cut)],
        ['e2.jsonl', linesOf(fork('cut-two', cut, 'k3')).slice(40)],
      ],
      calls: 3,
      issues: ['DUPLICATE_RECORDS'],
    },
    'a fork in one document': {
      files: [
        ['f1.jsonl', linesOf(web)],
        ['f2.json', JSON.stringify({ loglines: fork('web-two', web, 'w3') })],
      ],
      calls: 3,
      issues: ['DUPLICATE_RECORDS'],
    },
    'a fork that is packed': {
      files: [
        ['g1.jsonl', linesOf(packed)],
        ['g2.jsonl.gz', gzipSync(linesOf(fork('gz-two', packed, 'g3')))],
      ],
      calls: 3,
      issues: ['DUPLICATE_RECORDS'],
    },
    'a copy with other token counts': {
      files: [
        ['h1.jsonl', linesOf(usage)],
        ['h2.jsonl', linesOf(otherUsage)],
      ],
      calls: 3,
      issues: ['DUPLICATE_RECORDS', 'USAGE_DIFFERS'],
    },
  };
}

async function importAll(services: Services, files: Case['files']) {
  const ids: string[] = [];
  for (const [path, content] of files) {
    const [outcome] = await services.imports.importFiles([fileOf(path, content)]);
    expect(outcome?.error).toBeNull();
    ids.push(...(outcome?.runs ?? []).map(({ id }) => id));
  }
  return ids;
}

test.each([false, true])(
  'calls and tokens count once, the copy first: %s',
  async (isReversed) => {
    const services = await openTestServices();
    for (const [name, { files, calls, issues = [] }] of Object.entries(casesOf())) {
      const ids = await importAll(services, isReversed ? [...files].reverse() : files);
      expect([name, new Set(ids).size]).toEqual([name, 1]);
      const { runs } = await services.store.listRuns({ limit: 100, offset: 0 });
      const run = runs.find((each) => each.run.id === ids[0])?.run;
      const tokens = name.includes('token counts') ? [300, 50] : [calls * 100, calls * 10];
      const found = [run?.toolCallCount, run?.inputTokens, run?.outputTokens];
      expect([name, ...found]).toEqual([name, calls, ...tokens]);
      const detail = run === undefined ? null : await services.store.getRun(run.id);
      const codes = new Set(detail?.issues.map(({ code }) => code));
      expect([name, [...codes].filter((code) => code !== 'BEGINS_ELSEWHERE').sort()]).toEqual([
        name,
        issues,
      ]);
      const steps = run === undefined ? [] : await services.store.listSteps(run.id);
      const turnsShown = steps.filter(({ kind }) => kind === 'user').length;
      // Of the fork's own first line nothing is left but that it was cut.
      expect([name, turnsShown]).toEqual([name, calls]);
    }
    const { total } = await services.store.listRuns({ limit: 1, offset: 0 });
    expect(total).toBe(Object.keys(casesOf()).length);
  },
  240_000,
);

test('what only looks alike stays apart', async () => {
  const services = await openTestServices();
  const one = turns('apart-one', ['p1'], null);
  const message = (id: string, text: string) => ({
    role: 'assistant',
    ...{ id, model: 'demo', content: [{ type: 'text', text }] },
    usage: { input_tokens: 100, output_tokens: 10 },
  });
  // The uuids of one, but other words; and an answer of the same id without a request's or a call's.
  const sameUuids = turns('apart-two', ['p1'], null).map((record) => ({
    ...record,
    message: { role: 'user', content: 'Sweep the yard' },
    type: 'user',
  }));
  const answered = (sessionId: string, word: string) => [
    { ...one[0], sessionId, uuid: uuid('x', word), message: { role: 'user', content: word } },
    {
      ...{ type: 'assistant', uuid: uuid('y', word), parentUuid: uuid('x', word), sessionId },
      ...{ timestamp: '2026-03-01T09:00:01.000Z', message: message('msg_1', 'Done.') },
    },
  ];
  const ids = await importAll(services, [
    ['a.jsonl', linesOf(one)],
    ['b.jsonl', linesOf(sameUuids)],
    ['c.jsonl', linesOf(answered('apart-three', 'aaaaaaaa'))],
    ['d.jsonl', linesOf(answered('apart-four', 'bbbbbbbb'))],
  ]);
  expect(new Set(ids).size).toBe(4);
});

test.each([false, true])(
  'logs that share no message at their heads, mcp.log last: %s',
  async (isReversed) => {
    const services = await openTestServices();
    const entries = Array.from({ length: 700 }, (_each, index) => {
      const at = new Date(Date.UTC(2026, 2, 1, 11, 0, index)).toISOString();
      const id = Math.floor(index / 2);
      return index % 2 === 0
        ? [
            at,
            `Message from client: {"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"count","arguments":{}}}`,
          ]
        : [at, `Message from server: {"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`];
    });
    const own = entries.map(([at, body]) => `${at} [yard] [info] ${body}\n`).join('');
    // Begun anew between a request and its answer.
    const ofAll = entries
      .slice(501)
      .map(([at, body]) => `${at} [info] [yard] ${body}\n`)
      .join('');
    const files = [['mcp-server-yard.log', own] as const, ['mcp.log', ofAll] as const];
    const ids = await importAll(services, isReversed ? [...files].reverse() : files);
    expect(new Set(ids).size).toBe(1);
    const { runs } = await services.store.listRuns({ limit: 10, offset: 0 });
    expect(runs.map(({ run }) => run.toolCallCount)).toEqual([350]);
    const [listed] = runs;
    const steps = listed === undefined ? [] : await services.store.listSteps(listed.run.id);
    expect(steps.filter(({ status }) => status === 'unanswered')).toEqual([]);
  },
);

test.each([false, true])(
  'sessions whose ids somebody counted up stay apart, the later first: %s',
  async (isReversed) => {
    const services = await openTestServices();
    const session = (sessionId: string, day: string, answer: string) =>
      [
        { type: 'user', uuid: 'u0', message: { role: 'user', content: 'hi' } },
        {
          ...{ type: 'assistant', uuid: 'u1', parentUuid: 'u0', requestId: 'req_1' },
          message: {
            ...{ role: 'assistant', id: 'msg_1', model: 'demo' },
            content: [{ type: 'text', text: answer }],
            usage: { input_tokens: 5, output_tokens: 1 },
          },
        },
      ]
        .map((record) =>
          JSON.stringify({ ...record, sessionId, timestamp: `${day}T09:00:00.000Z` }),
        )
        .join('\n');
    const files = [
      fileOf('one.jsonl', session('one', '2026-03-01', 'hello')),
      fileOf('two.jsonl', session('two', '2025-01-01', 'hello')),
    ];
    for (const file of isReversed ? files.reverse() : files) {
      await services.imports.importFiles([file]);
    }
    const { runs } = await services.store.listRuns({ limit: 9, offset: 0 });
    expect(runs.map(({ run }) => [run.stepCount, run.inputTokens])).toEqual([
      [2, 5],
      [2, 5],
    ]);
  },
);
