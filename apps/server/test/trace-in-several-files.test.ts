import { expect, test } from 'vitest';
import { encodeTraces } from '../../../packages/importers/test/encode-otlp.ts';
import { fileOf } from './recordings.ts';
import { openTestServices } from './support.ts';

/**
 * A trace whose spans stand in several files: each service writes its own, a collector begins a new one
 * when it pleases, spans and log records have pipelines of their own.
 */

const traceOf = (name: string) => name.repeat(32);
const spanOf = (number: number) => number.toString(16).padStart(16, '0');

function span(trace: string, number: number, parent: number | null, name = `step ${number}`) {
  const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  return {
    traceId: traceOf(trace),
    spanId: spanOf(number),
    ...(parent === null ? {} : { parentSpanId: spanOf(parent) }),
    name,
    kind: 1,
    startTimeUnixNano: `17752824${String(number).padStart(2, '0')}000000000`,
    endTimeUnixNano: `17752824${String(number).padStart(2, '0')}500000000`,
    attributes: [
      attribute('gen_ai.operation.name', 'execute_tool'),
      attribute('gen_ai.tool.name', `tool_${number}`),
    ],
    status: {},
  };
}

type Span = ReturnType<typeof span>;
const requestOf = (spans: readonly Span[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
const linesOf = (...spans: readonly Span[]) =>
  spans.map((each) => `${JSON.stringify(requestOf([each]))}\n`).join('');

async function importAll(
  batches: readonly (readonly (readonly [string, string | Uint8Array])[])[],
) {
  const services = await openTestServices();
  for (const batch of batches) {
    const outcomes = await services.imports.importFiles(
      batch.map(([path, text]) => fileOf(path, text)),
    );
    for (const { error, records } of outcomes) {
      expect(error).toBeNull();
      expect(records.understood + (records.setAside ?? 0)).toBe(records.total);
    }
  }
  return services;
}

async function runsIn({ store }: Awaited<ReturnType<typeof openTestServices>>) {
  const { runs } = await store.listRuns({ limit: 20, offset: 0 });
  const all = [];
  for (const { run } of runs) {
    const steps = await store.listSteps(run.id);
    const { issues } = await store.getRun(run.id);
    const names = new Map(steps.map(({ id, name }) => [id, name]));
    all.push({
      id: run.id,
      trace: run.naturalId?.slice(0, 1),
      tree: steps.map(({ name, parentId }) => [
        name,
        parentId === null ? null : names.get(parentId),
      ]),
      ids: steps.map(({ id }) => id),
      codes: issues.map(({ code }) => code),
    });
  }
  return all.sort((a, b) => (String(a.trace) < String(b.trace) ? -1 : 1));
}

const front = ['front.json', linesOf(span('a', 1, null), span('a', 3, 1))] as const;
const back = ['back.json', linesOf(span('a', 2, 1), span('a', 4, 2))] as const;
const whole = [
  ['tool_1', null],
  ['tool_2', 'tool_1'],
  ['tool_3', 'tool_1'],
  ['tool_4', 'tool_2'],
];
const packed = (names: readonly (readonly [string, string])[]) =>
  names.map(([path, text]) => {
    const spans = text
      .trimEnd()
      .split('\n')
      .flatMap((line) => JSON.parse(line).resourceSpans);
    return [path.replace('json', 'pb'), encodeTraces({ resourceSpans: spans })] as const;
  });

test.each([
  ['together', [[front, back]]],
  ['the root first', [[front], [back]]],
  ['the root last', [[back], [front]]],
  ['as protobuf', [packed([back]), packed([front])]],
])('a file a service, %s', async (_how, batches) => {
  const runs = await runsIn(await importAll(batches));
  expect(runs.map(({ tree }) => [...tree].sort())).toEqual([[...whole].sort()]);
  expect(runs[0]?.codes).toEqual([]);
});

test('what came first keeps the ids of its run and of its steps', async () => {
  const services = await importAll([[back]]);
  const [before] = await runsIn(services);
  await services.imports.importFiles([fileOf(...front)]);
  const [after] = await runsIn(services);
  expect(after?.id).toBe(before?.id);
  expect(after?.ids).toEqual(expect.arrayContaining(before?.ids ?? ['none']));
});

test('files that share one of their traces keep the others apart, by the ids that they had', async () => {
  const one = ['one.json', linesOf(span('a', 1, null), span('b', 2, null))] as const;
  const two = ['two.json', linesOf(span('b', 3, 2), span('c', 4, null), span('c', 5, 4))] as const;
  const services = await importAll([[two]]);
  const [, before] = await runsIn(services);
  const alone = await runsIn(await importAll([[one]]));
  expect(before?.trace).toBe('c');
  await services.imports.importFiles([fileOf(...one)]);
  const runs = await runsIn(services);
  expect(runs.map(({ trace, tree }) => [trace, tree])).toEqual([
    ['a', [['tool_1', null]]],
    [
      'b',
      [
        ['tool_2', null],
        ['tool_3', 'tool_2'],
      ],
    ],
    [
      'c',
      [
        ['tool_4', null],
        ['tool_5', 'tool_4'],
      ],
    ],
  ]);
  expect([runs[2]?.id, runs[2]?.ids]).toEqual([before?.id, before?.ids]);
  expect(runs[0]?.ids).toEqual(alone[0]?.ids);
});

test('a trace that both files hold far below their heads is found once they are read', async () => {
  const many = (name: string, from: number) =>
    Array.from({ length: 900 }, (_each, index) => ({
      ...span('d', 1, null, 'x'.repeat(200)),
      traceId: `${name}${(from + index).toString(16).padStart(31, '0')}`,
    }));
  const services = await importAll([
    [['early.json', linesOf(...many('e', 1), span('a', 1, null))]],
    [['late.json', linesOf(...many('f', 1), span('a', 2, 1))]],
  ]);
  const { runs } = await services.store.listRuns({ limit: 2000, offset: 0 });
  const shared = runs.filter(({ run }) => run.naturalId === traceOf('a'));
  expect(shared.map(({ run }) => run.stepCount)).toEqual([2]);
  expect(runs).toHaveLength(1801);
});

test.each([[[0, 1]], [[1, 0]]])('log records beside the spans, in the order %j', async (order) => {
  const model = {
    ...span('a', 1, null),
    attributes: [{ key: 'gen_ai.operation.name', value: { stringValue: 'chat' } }],
  };
  const log = {
    traceId: traceOf('a'),
    spanId: spanOf(1),
    timeUnixNano: '1775282401000000000',
    eventName: 'gen_ai.choice',
    body: {
      kvlistValue: {
        values: [
          {
            key: 'message',
            value: {
              kvlistValue: {
                values: [{ key: 'content', value: { stringValue: 'Nine kegs.' } }],
              },
            },
          },
        ],
      },
    },
  };
  const logs = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [log] }] }] });
  const files = [
    ['traces.json', linesOf(model)],
    ['logs.json', `${logs}\n`],
  ] as const;
  const services = await importAll(order.map((index) => files.slice(index, index + 1)));
  const { runs } = await services.store.listRuns({ limit: 9, offset: 0 });
  expect(runs).toHaveLength(1);
  const steps = runs[0] === undefined ? [] : await services.store.listSteps(runs[0].run.id);
  expect(steps.map(({ kind, content }) => [kind, content.length])).toEqual([['model', 1]]);
  const [stored] = await runsIn(services);
  expect(stored?.codes).toEqual([]);
});

const process = { p1: { serviceName: 'scale' } };
const jaegerOf = (number: number, parent: number | null) => {
  const traceID = 'a1'.repeat(8);
  const up = { refType: 'CHILD_OF', traceID, spanID: spanOf(parent ?? 0) };
  const own = {
    ...{ traceID, spanID: spanOf(number), operationName: `tool_${number}`, processID: 'p1' },
    ...{ references: parent === null ? [] : [up], startTime: 1775282400000000 + number },
    ...{ duration: 5, tags: [], logs: [] },
  };
  return JSON.stringify({ data: [{ traceID, spans: [own], processes: process }] });
};
const zipkinOf = (number: number, parent: number | null) =>
  JSON.stringify([
    {
      ...{ traceId: 'a1'.repeat(8), id: spanOf(number), name: `tool_${number}` },
      ...(parent === null ? {} : { parentId: spanOf(parent) }),
      ...{ timestamp: 1775282400000000 + number, duration: 5 },
      localEndpoint: { serviceName: 'scale' },
    },
  ]);

test.each([
  ['Jaeger', jaegerOf],
  ['Zipkin', zipkinOf],
])('%s: a file a service', async (_name, documentOf) => {
  const upper = ['upper.json', documentOf(1, null)] as const;
  const lower = ['lower.json', documentOf(2, 1)] as const;
  for (const batches of [[[upper, lower]], [[lower], [upper]]]) {
    const runs = await runsIn(await importAll(batches));
    expect(runs.map(({ tree }) => tree)).toEqual([
      [
        ['tool_1', null],
        ['tool_2', 'tool_1'],
      ],
    ]);
    expect(runs[0]?.codes).not.toContain('PARENT_MISSING');
  }
});
