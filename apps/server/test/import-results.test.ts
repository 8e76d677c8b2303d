import type { ImportRow, ImportState } from '@misstep/contract';
import { routes } from '@misstep/contract';
import { expect, test } from 'vitest';
import { body, errorOf } from './answers.ts';
import { sessionOf } from './recordings.ts';
import { call, openTestApp, smallRecording, until } from './support.ts';
import { zipOf } from './zip-file.ts';

type TestApp = Awaited<ReturnType<typeof openTestApp>>['app'];

async function importAll(app: TestApp, files: readonly (readonly [string, Buffer])[]) {
  const begun = body<ImportState>(
    await call(app, routes.createImport, {
      body: {
        name: 'several',
        files: files.map(([name, bytes]) => ({ name, sizeBytes: bytes.length })),
      },
    }),
  );
  const importId = begun.id;
  for (const [index, [, bytes]] of files.entries()) {
    await call(app, routes.uploadImportFile, { params: { importId, index }, body: bytes });
  }
  return until(async () => {
    const now = body<ImportState>(await call(app, routes.getImport, { params: { importId } }));
    return now.phase === null ? now : null;
  });
}

async function rowsOf(app: TestApp, importId: string, query: object = {}) {
  return body<{ total: number; rows: ImportRow[] }>(
    await call(app, routes.listImportSources, { params: { importId }, query }),
  );
}

const SESSION = '5b0e0c1a-0000-4000-8000-00000000000a';

test('each source has a line with what became of it, what failed first', async () => {
  const { app } = await openTestApp();
  const recording = Buffer.from(smallRecording('one'));
  await importAll(app, [['known.jsonl', recording]]);
  const state = await importAll(app, [
    ['new.jsonl', Buffer.from(smallRecording('two'))],
    ['again.jsonl', recording],
    [`p/${SESSION}.jsonl`, Buffer.from(sessionOf({ sessionId: SESSION, turns: 1 }))],
    [`p/${SESSION}/subagents/agent-a1.meta.json`, Buffer.from('{"agentType":"porter"}')],
    ['noise.json', Buffer.from('{"shelf":[1,2,3]}')],
  ]);
  expect(state.summary.fates).toEqual({ imported: 2, known: 1, setAside: 1, failed: 1 });
  expect(state.summary.runCount).toBe(3);
  const { total, rows } = await rowsOf(app, state.id);
  expect(total).toBe(5);
  expect(rows.map(({ path, fate }) => [path.split('/').at(-1), fate])).toEqual([
    ['noise.json', 'failed'],
    ['agent-a1.meta.json', 'setAside'],
    ['new.jsonl', 'imported'],
    [`${SESSION}.jsonl`, 'imported'],
    ['again.jsonl', 'known'],
  ]);
  expect(rows[0]?.error?.hint).not.toBe('');
  expect(rows[1]?.issues[0]?.code).toBe('LEFT_ASIDE');
  expect(rows[2]?.runs).toHaveLength(1);
  for (const { records } of rows.slice(1)) {
    const { understood, setAside, notUnderstood, malformed } = records;
    expect(understood + (setAside ?? 0) + notUnderstood + malformed).toBe(records.total);
  }
  const failed = await rowsOf(app, state.id, { fate: 'failed' });
  expect(failed.rows.map(({ path }) => path)).toEqual(['noise.json']);
  const second = await rowsOf(app, state.id, { offset: 1, limit: 2 });
  expect(second.total).toBe(5);
  expect(second.rows.map(({ fate }) => fate)).toEqual(['setAside', 'imported']);
  const listed = body<{ imports: ImportState[] }>(
    await call(app, routes.listImports, { query: { sources: 'none' } }),
  ).imports[0];
  expect(listed?.sources).toEqual([]);
  expect(listed?.summary).toEqual(state.summary);
});

test('what is packed in an archive has lines of its own, and each says why its format', async () => {
  const { app } = await openTestApp();
  const archive = zipOf([
    { name: 'runs/a.jsonl', bytes: Buffer.from(smallRecording('a')) },
    { name: 'runs/b.jsonl', bytes: Buffer.from(smallRecording('b')) },
    { name: 'shelf.json', bytes: Buffer.from('{"shelf":[1,2,3]}') },
  ]);
  const state = await importAll(app, [['box.zip', archive]]);
  expect(state.summary.fates).toEqual({ imported: 2, known: 0, setAside: 0, failed: 1 });
  const { rows } = await rowsOf(app, state.id);
  expect(rows.map(({ path, partCount, container }) => [path, partCount, container])).toEqual([
    ['box.zip', 3, null],
    ['box.zip/shelf.json', null, 'box.zip'],
    ['box.zip/runs/a.jsonl', null, 'box.zip'],
    ['box.zip/runs/b.jsonl', null, 'box.zip'],
  ]);
  const whyOf = async (row: ImportRow | undefined) =>
    body<{
      isKept: boolean;
      why: string | null;
      scores: { format: string; score: number }[];
      runs: { id: string }[];
    }>(
      await call(app, routes.getSourceFormats, {
        params: { sha256: row?.source?.sha256 ?? '' },
      }),
    );
  const read = await whyOf(rows[2]);
  expect(read).toMatchObject({ isKept: true, why: null });
  expect(read.scores[0]?.format).toBe(rows[2]?.format);
  expect(read.runs.map(({ id }) => id)).toEqual(rows[2]?.runs.map(({ id }) => id));
  // A person may know better: its bytes stay as long as its import is listed.
  const left = await whyOf(rows[1]);
  expect(left).toMatchObject({ isKept: true, runs: [] });
  expect(left.why).toContain('no known format');
  expect(left.scores.length).toBeGreaterThan(10);
});

test('one failed file of a batch is read as a format of the person’s choice, from the bytes that came', async () => {
  const { app, services } = await openTestApp();
  const state = await importAll(app, [
    ['a.jsonl', Buffer.from(smallRecording('a'))],
    ['shelf.json', Buffer.from('{"shelf":[1,2,3]}')],
    ['crate.json', Buffer.from('{"crate":[4,5,6]}')],
  ]);
  const failed = (await rowsOf(app, state.id, { fate: 'failed' })).rows;
  const [shelf, crate] = failed.map((row) => row.source?.sha256 ?? '');
  const begun = body<ImportState>(
    await call(app, routes.readSourceAs, {
      params: { sha256: shelf ?? '' },
      body: { format: 'plain-text' },
    }),
  );
  const importId = begun.id;
  const ended = await until(async () => {
    const now = body<ImportState>(await call(app, routes.getImport, { params: { importId } }));
    return now.phase === null ? now : null;
  });
  expect(ended).toMatchObject({ state: 'done', format: 'plain-text', summary: { runCount: 1 } });
  // What was read before stands beside it.
  expect((await services.runs.list({ limit: 10, offset: 0 })).total).toBe(2);
  for (const id of [state.id, importId]) {
    await call(app, routes.dismissImport, { params: { importId: id } });
  }
  const formatsOf = (sha256: string | undefined) =>
    call(app, routes.getSourceFormats, { params: { sha256: sha256 ?? '' } });
  expect((await formatsOf(shelf)).status).toBe(200);
  // Nobody made a run of it, and its import is gone: so are its bytes.
  expect(errorOf(await formatsOf(crate))).toEqual([404, 'SOURCE_NOT_FOUND']);
});

test('a source that nobody imported has no lines and no scores', async () => {
  const { app } = await openTestApp();
  const answer = await call(app, routes.listImportSources, {
    params: { importId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' },
  });
  expect(errorOf(answer)).toEqual([404, 'IMPORT_NOT_FOUND']);
  const unknown = await call(app, routes.getSourceFormats, { params: { sha256: 'a'.repeat(64) } });
  expect(errorOf(unknown)).toEqual([404, 'SOURCE_NOT_FOUND']);
});

test('a cancelled import says what it keeps', async () => {
  const { services } = await openTestApp();
  const controller = new AbortController();
  const told: string[] = [];
  const files = ['one', 'two', 'three'].map((name) => ({
    path: `${name}.jsonl`,
    async *open() {
      yield Buffer.from(smallRecording(name));
    },
  }));
  const phases = new Set<string>();
  const ended = services.imports.importFiles(files, {
    signal: controller.signal,
    onPhase: (phase) => phases.add(phase),
    onOutcome: ({ path, runs }) => {
      told.push(`${path} ${runs.length}`);
      controller.abort(new Error('enough'));
    },
  });
  await expect(ended).rejects.toThrow('enough');
  expect(told).toEqual(['one.jsonl 1']);
  expect([...phases]).toEqual(['receiving', 'recognising', 'reading', 'saving']);
  expect((await services.store.listRuns({ limit: 10, offset: 0 })).runs).toHaveLength(1);
});
