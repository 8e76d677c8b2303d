import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ImportState, type RunDetail, type RunSummary, routes } from '@misstep/contract';
import { type Skeleton, STEP_FLAGS, STEP_KINDS } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import {
  call,
  HOST,
  openTestApp,
  shareTestApp,
  smallRecording,
  type TestApp,
  TOKEN,
  until,
} from './support.ts';

const ABSENT_RUN = `r${'a'.repeat(20)}`;
const ABSENT_ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const ABSENT_HASH = 'f'.repeat(64);

/** The answer's body, whose form `call` has checked already. */
function body<T>(sent: { json: unknown }): T {
  return sent.json as T;
}

function errorOf(sent: { status: number; json: unknown }) {
  const { error } = body<{ error: { code: string; message: string; hint: string } }>(sent);
  expect(error.message).not.toBe('');
  expect(error.hint).not.toBe('');
  return [sent.status, error.code];
}

async function importText(app: TestApp['app'], text: string, name = 'rec.jsonl') {
  const started = await call(app, routes.createImport, { body: { name, text } });
  expect(started.status).toBe(200);
  const { id } = body<ImportState>(started);
  return until(async () => {
    const state = body<ImportState>(
      await call(app, routes.getImport, { params: { importId: id } }),
    );
    return state.state === 'reading' || state.state === 'receiving' ? null : state;
  });
}

async function importedRun(app: TestApp['app']): Promise<RunSummary> {
  const state = await importText(app, smallRecording());
  expect(state).toMatchObject({ state: 'done', format: 'json-rpc-lines', error: null });
  const { runs } = body<{ runs: RunSummary[] }>(await call(app, routes.listRuns));
  expect(runs).toHaveLength(1);
  const [run] = runs;
  if (run === undefined) throw new Error('no run');
  return run;
}

describe('a run', () => {
  test('is imported, listed, opened, changed and deleted with its source', async () => {
    const { app, services } = await openTestApp();
    const run = await importedRun(app);
    expect(run).toMatchObject({ toolCallCount: 2, errorCount: 1, mark: null, tags: [] });

    const params = { runId: run.id };
    const detail = body<RunDetail>(await call(app, routes.getRun, { params }));
    expect(detail.sources).toHaveLength(1);
    expect(detail.demo).toBe(false);
    expect(detail.evidenceCounts.reduce((sum, count) => sum + count, 0)).toBe(detail.stepCount);

    const changed = await call(app, routes.updateRun, {
      params,
      body: {
        title: '  The depot sleeps ',
        tags: ['depot', 'depot', 'late'],
        outcome: { verdict: 'wrong', text: 'no parcel' },
      },
    });
    expect(changed.json).toMatchObject({
      title: 'The depot sleeps',
      tags: ['depot', 'late'],
      outcome: { verdict: 'wrong', text: 'no parcel' },
    });
    const cleared = await call(app, routes.updateRun, { params, body: { outcome: null } });
    expect(cleared.json).toMatchObject({ title: 'The depot sleeps', outcome: null });

    const status = await call(app, routes.getStatus);
    expect(status.json).toMatchObject({ runCount: 1, author: 'tester', demoRunId: null });
    const removed = await call(app, routes.deleteRun, { params });
    expect(removed.json).toEqual({ sourcesDeleted: 1 });
    expect(await services.store.stats()).toMatchObject({ runCount: 0, sourceBytes: 0 });
    expect(errorOf(await call(app, routes.getRun, { params }))).toEqual([404, 'RUN_NOT_FOUND']);
  });

  test('has a skeleton with its flags, steps with exact texts, frames and unread records', async () => {
    const { app } = await openTestApp();
    const run = await importedRun(app);
    const params = { runId: run.id };
    const skeleton = body<Skeleton>(await call(app, routes.getSkeleton, { params }));
    expect(skeleton.count).toBe(run.stepCount);
    const tools = skeleton.kinds.flatMap((kind, index) =>
      STEP_KINDS[kind] === 'tool' ? [index] : [],
    );
    expect(tools).toHaveLength(2);
    // The second call repeats the failed one byte for byte.
    expect(tools.map((index) => (skeleton.flags[index] ?? 0) & STEP_FLAGS.retried)).toEqual([
      0,
      STEP_FLAGS.retried,
    ]);

    const stepId = skeleton.ids[tools[1] ?? 0] ?? '';
    const stepParams = { ...params, stepId };
    const step = await call(app, routes.getStep, { params: stepParams });
    expect(step.json).toMatchObject({
      tool: 'find_parcel',
      durationNs: 1_000_000_000,
      arguments: { text: '{"code":"one","exact":true}', omittedBytes: 0 },
      replayCount: 0,
      frameCount: 2,
    });
    expect(step.text).toContain('9007199254740993');
    const cut = body<{ result: { text: string; sizeBytes: number; omittedBytes: number } }>(
      await call(app, routes.getStep, { params: stepParams, query: { maxBytes: 10 } }),
    );
    expect(cut.result.text).toHaveLength(10);
    expect(cut.result.omittedBytes).toBe(cut.result.sizeBytes - 10);

    const frames = await call(app, routes.listFrames, { params, query: { stepId } });
    expect(frames.json).toMatchObject({
      total: 2,
      frames: [{ direction: 'client-to-server', method: 'tools/call' }, { kind: 'response' }],
    });
    const unread = await call(app, routes.listUnread, { params });
    expect(unread.json).toEqual({ total: 0, records: [] });
  });

  test('keeps what it could not read, with its bytes', async () => {
    const { app } = await openTestApp();
    const state = await importText(app, `${smallRecording()}{"ts": broken\n{"other":1}\n`);
    const records = state.sources[0]?.records;
    expect(records?.total).toBe(
      (records?.understood ?? 0) + (records?.notUnderstood ?? 0) + (records?.malformed ?? 0),
    );
    const runId = state.sources[0]?.runs[0]?.id;
    const unread = await call(app, routes.listUnread, { params: { runId } });
    expect(unread.json).toMatchObject({ total: 2 });
    expect(unread.text).toContain('{\\"ts\\": broken');
  });

  test('carries one current mark and its history', async () => {
    const { app } = await openTestApp();
    const run = await importedRun(app);
    const params = { runId: run.id };
    const skeleton = body<Skeleton>(await call(app, routes.getSkeleton, { params }));
    const draft = {
      place: { kind: 'step', stepId: skeleton.ids[0] },
      category: 'Wrong tool',
      reason: 'it slept',
      citations: [],
    };
    expect((await call(app, routes.putMark, { params, body: draft })).json).toMatchObject({
      author: 'tester',
      supersededAt: null,
    });
    const none = { ...draft, place: { kind: 'noDeviation' }, category: null };
    await call(app, routes.putMark, { params, body: none });
    const { marks } = body<{ marks: { supersededAt: string | null }[] }>(
      await call(app, routes.listMarks, { params }),
    );
    expect(marks.map(({ supersededAt }) => supersededAt === null)).toEqual([true, false]);
    expect((await call(app, routes.deleteMark, { params })).json).toEqual({ removed: true });
    expect((await call(app, routes.deleteMark, { params })).json).toEqual({ removed: false });
    const foreign = { ...draft, place: { kind: 'step', stepId: 'nowhere' } };
    expect(errorOf(await call(app, routes.putMark, { params, body: foreign }))).toEqual([
      404,
      'STEP_NOT_FOUND',
    ]);
  });

  test('what is not there is named', async () => {
    const { app } = await openTestApp();
    const run = await importedRun(app);
    const absent = { runId: ABSENT_RUN, stepId: 'x' };
    for (const route of [
      routes.getRun,
      routes.deleteRun,
      routes.getSkeleton,
      routes.getStep,
      routes.listFrames,
      routes.listUnread,
      routes.listMarks,
      routes.deleteMark,
    ]) {
      expect(errorOf(await call(app, route, { params: absent }))).toEqual([404, 'RUN_NOT_FOUND']);
    }
    const title = { title: 'x' };
    expect(errorOf(await call(app, routes.updateRun, { params: absent, body: title }))).toEqual([
      404,
      'RUN_NOT_FOUND',
    ]);
    const noStep = { runId: run.id, stepId: 'nowhere' };
    expect(errorOf(await call(app, routes.getStep, { params: noStep }))).toEqual([
      404,
      'STEP_NOT_FOUND',
    ]);
  });
});

describe('a source', () => {
  test('is read in windows and exported byte for byte', async () => {
    const { app } = await openTestApp();
    const text = smallRecording();
    await importText(app, text, 'ré"c;\r\n.jsonl');
    const sha256 = createHash('sha256').update(text).digest('hex');
    const window = body<{ base64: string; offset: number; length: number; sizeBytes: number }>(
      await call(app, routes.getSourceWindow, {
        params: { sha256 },
        query: { offset: 3, length: 10 },
      }),
    );
    expect(Buffer.from(window.base64, 'base64').toString()).toBe(text.slice(3, 13));
    const beyond = await call(app, routes.getSourceWindow, {
      params: { sha256 },
      query: { offset: 1_000_000, length: 10 },
    });
    expect(beyond.json).toMatchObject({ offset: text.length, length: 0, base64: '' });

    const exported = await call(app, routes.exportSource, { params: { sha256 } });
    expect(createHash('sha256').update(exported.text).digest('hex')).toBe(sha256);
    expect(exported.headers['content-disposition']).toBe(
      `attachment; filename="r__c___.jsonl"; filename*=UTF-8''r%C3%A9%22c%3B%0D%0A.jsonl`,
    );
    for (const route of [routes.getSourceWindow, routes.exportSource]) {
      const query = route === routes.getSourceWindow ? { offset: 0, length: 1 } : {};
      const sent = await call(app, route, { params: { sha256: ABSENT_HASH }, query });
      expect(errorOf(sent)).toEqual([404, 'SOURCE_NOT_FOUND']);
    }
  });
});

describe('imports over HTTP', () => {
  const shared = shareTestApp();
  test('formats are listed, and the person may overrule', async () => {
    const { app } = await openTestApp();
    const { formats } = body<{ formats: { id: string }[] }>(await call(app, routes.listFormats));
    expect(formats.map(({ id }) => id)).toContain('json-rpc-lines');
    const unknown = { name: 'x', text: 'x', format: 'no-such' };
    expect(errorOf(await call(app, routes.createImport, { body: unknown }))).toEqual([
      400,
      'REQUEST_INVALID',
    ]);
  });

  test('files come one by one, and are read when the last has come', async () => {
    const { app } = await openTestApp();
    const first = Buffer.from(smallRecording('one'));
    const second = Buffer.from(smallRecording('two'));
    const started = body<ImportState>(
      await call(app, routes.createImport, {
        body: {
          name: 'two files',
          files: [
            { name: 'a.jsonl', sizeBytes: first.length },
            { name: 'b.jsonl', sizeBytes: second.length },
          ],
        },
      }),
    );
    expect(started.state).toBe('receiving');
    const importId = started.id;
    const put = (index: number, bytes: Buffer) =>
      call(app, routes.uploadImportFile, { params: { importId, index }, body: bytes });

    expect(errorOf(await put(0, second.subarray(1)))).toEqual([400, 'REQUEST_INVALID']);
    expect(errorOf(await put(0, Buffer.concat([first, first])))).toEqual([413, 'BODY_TOO_LARGE']);
    expect(errorOf(await put(2, first))).toEqual([400, 'REQUEST_INVALID']);
    expect(body<ImportState>(await put(0, first)).state).toBe('receiving');
    expect(errorOf(await put(0, first))).toEqual([409, 'IMPORT_RUNNING']);
    expect((await put(1, second)).status).toBe(200);
    const state = await until(async () => {
      const now = body<ImportState>(await call(app, routes.getImport, { params: { importId } }));
      return now.state === 'done' ? now : null;
    });
    expect(state.sources.map(({ path }) => path)).toEqual(['a.jsonl', 'b.jsonl']);
    expect(state.readBytes).toBe(first.length + second.length);

    const list = body<{ imports: ImportState[] }>(await call(app, routes.listImports));
    expect(list.imports.map(({ id }) => id)).toEqual([importId]);
    const dismissed = await call(app, routes.dismissImport, { params: { importId } });
    expect(dismissed.json).toEqual({ cancelled: false });
    for (const route of [routes.getImport, routes.dismissImport]) {
      expect(errorOf(await call(app, route, { params: { importId } }))).toEqual([
        404,
        'IMPORT_NOT_FOUND',
      ]);
    }
    const gone = { importId: ABSENT_ULID, index: 0 };
    const late = await call(app, routes.uploadImportFile, { params: gone, body: first });
    expect(errorOf(late)).toEqual([404, 'IMPORT_NOT_FOUND']);
  });

  test('a cancelled one leaves no source', async () => {
    const { app, services, dataFolder } = await openTestApp();
    const bytes = Buffer.from(smallRecording());
    const started = body<ImportState>(
      await call(app, routes.createImport, {
        body: {
          name: 'half',
          files: [
            { name: 'a', sizeBytes: bytes.length },
            { name: 'b', sizeBytes: 5 },
          ],
        },
      }),
    );
    const params = { importId: started.id };
    await call(app, routes.uploadImportFile, { params: { ...params, index: 0 }, body: bytes });
    const cancelled = await call(app, routes.dismissImport, { params });
    expect(cancelled.json).toEqual({ cancelled: true });
    expect((await call(app, routes.getImport, { params })).json).toMatchObject({
      state: 'cancelled',
    });
    expect(await services.store.stats()).toEqual({ runCount: 0, sourceBytes: 0 });
    const files = await readdir(join(dataFolder, 'sources'), {
      recursive: true,
      withFileTypes: true,
    });
    expect(files.filter((entry) => entry.isFile())).toEqual([]);
  });

  test.each([
    ['nothing', { name: 'x' }],
    ['both', { name: 'x', text: 'x', files: [{ name: 'y', sizeBytes: 1 }] }],
    ['half a character', { name: 'x', text: 'a\ud800b' }],
    ['an unknown field', { name: 'x', text: 'x', path: '/etc/passwd' }],
    ['no name', { text: 'x' }],
  ])('%s is refused', async (_what, draft) => {
    const { app } = shared();
    expect(errorOf(await call(app, routes.createImport, { body: draft }))).toEqual([
      400,
      'REQUEST_INVALID',
    ]);
    expect(body<{ imports: unknown[] }>(await call(app, routes.listImports)).imports).toEqual([]);
  });
});

describe('requests that cannot be read', () => {
  const shared = shareTestApp();
  const headers = {
    host: HOST,
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
  };

  test.each([
    ['{"name":"x","text":"y","__proto__":{"polluted":1}}', 400],
    ['{"name":"x","constructor":{"prototype":{"polluted":1}}}', 400],
    ['{"name":', 400],
    ['', 400],
    ['[1]', 400],
    ['null', 400],
  ])('%s', async (payload, status) => {
    const { app } = shared();
    const sent = await app.inject({ method: 'POST', url: '/api/imports', headers, payload });
    expect(sent.statusCode).toBe(status);
    expect(JSON.parse(sent.body)).toMatchObject({ error: { code: 'REQUEST_INVALID' } });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('bytes that are no UTF-8 are not replaced in silence', async () => {
    const { app } = shared();
    const payload = Buffer.concat([
      Buffer.from('{"name":"x","text":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    const sent = await app.inject({ method: 'POST', url: '/api/imports', headers, payload });
    expect(sent.statusCode).toBe(400);
  });

  test('bodies beyond the limit of their route', async () => {
    const { app } = await openTestApp({
      app: { limits: { jsonBodyBytes: 1000, pastedTextBytes: 5000 } },
    });
    const large = {
      name: 'x',
      address: { transport: 'streamable-http', url: `http://a/${'b'.repeat(2000)}` },
    };
    expect(errorOf(await call(app, routes.addTarget, { body: large }))).toEqual([
      413,
      'BODY_TOO_LARGE',
    ]);
    const paste = (length: number) =>
      call(app, routes.createImport, { body: { name: 'x', text: 'y'.repeat(length) } });
    expect((await paste(3000)).status).toBe(200);
    expect(errorOf(await paste(6000))).toEqual([413, 'BODY_TOO_LARGE']);
  });

  test('parameters and queries are checked, and the field is named', async () => {
    const { app } = shared();
    const get = (url: string) =>
      app.inject({
        method: 'GET',
        url,
        headers: { host: HOST, authorization: headers.authorization },
      });
    for (const [url, field] of [
      ['/api/runs?limit=0', 'query.limit'],
      ['/api/runs?limit=1&limit=2', 'query.limit'],
      ['/api/runs?nope=1', 'query'],
      ['/api/runs/x', 'path.runId'],
      [`/api/runs/${ABSENT_RUN}/steps/${'s'.repeat(190)}`, 'path.stepId'],
      [`/api/sources/${ABSENT_HASH}/bytes?offset=0&length=65537`, 'query.length'],
    ] as const) {
      const sent = await get(url);
      expect([sent.statusCode, JSON.parse(sent.body).error.details.field]).toEqual([400, field]);
    }
    const tooLong = await get(`/api/runs/${'x'.repeat(500)}`);
    expect([400, 404, 414]).toContain(tooLong.statusCode);
  });
});

describe('the page', () => {
  const shared = shareTestApp(async (folder) => {
    await mkdir(join(folder, 'assets'));
    await writeFile(
      join(folder, 'index.html'),
      '<!doctype html>\n<html><head><title>M</title></head></html>',
    );
    await writeFile(join(folder, 'assets/index-Ab3dE_9x.js'), 'export {};');
    await writeFile(join(folder, 'secret.txt'), 'served, as it is in the folder');
  });
  const headers = { host: HOST, cookie: `misstep_4999=${TOKEN}` };

  test('answers every address that a person opens, with its own nonce each time', async () => {
    const { app } = shared();
    const nonces = new Set<string>();
    for (const url of ['/', '/runs', '/runs/abc?tab=call', '/index.html'.replace('.html', '')]) {
      const sent = await app.inject({ method: 'GET', url, headers });
      expect(sent.statusCode).toBe(200);
      expect(sent.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(sent.headers['cache-control']).toBe('no-store');
      const nonce = /<meta property="csp-nonce" nonce="([^"]+)"/.exec(sent.body)?.[1] ?? '';
      expect(sent.headers['content-security-policy']).toContain(
        `style-src 'self' 'nonce-${nonce}'`,
      );
      expect(sent.headers['content-security-policy']).not.toContain('unsafe');
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(4);
  });

  test('files are themselves, cached by their hash; a missing one is no page', async () => {
    const { app } = shared();
    const script = await app.inject({ method: 'GET', url: '/assets/index-Ab3dE_9x.js', headers });
    expect(script.body).toBe('export {};');
    expect(script.headers['content-type']).toContain('javascript');
    expect(script.headers['cache-control']).toContain('immutable');
    expect(script.headers['x-content-type-options']).toBe('nosniff');
    for (const url of ['/assets/index-gone.js', '/favicon.ico', '/assets/']) {
      expect((await app.inject({ method: 'GET', url, headers })).statusCode).toBe(404);
    }
    expect(
      (await app.inject({ method: 'GET', url: '/secret.txt', headers: { host: HOST } })).statusCode,
    ).toBe(401);
  });

  test('opening it with the token sets the cookie and shows a clean address', async () => {
    const { app } = shared();
    const sent = await app.inject({
      method: 'GET',
      url: `/runs?x=1&token=${TOKEN}`,
      headers: { host: HOST },
    });
    expect([sent.statusCode, sent.headers.location]).toEqual([303, '/runs?x=1']);
    expect(sent.headers['set-cookie']).toBe(
      `misstep_4999=${TOKEN}; Path=/; HttpOnly; SameSite=Strict`,
    );
    const without = await app.inject({ method: 'GET', url: '/', headers: { host: HOST } });
    expect(without.statusCode).toBe(401);
    expect(without.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(without.body).toContain('Open the address that Misstep printed');
  });

  test.each([
    '/..%2f..%2f..%2fetc/passwd',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%5c..%5cpackage.json',
    '//etc/passwd',
    '/api/imports/../../etc/passwd',
  ])('%s leads nowhere', async (url) => {
    const { app } = shared();
    const sent = await app.inject({ method: 'GET', url, headers });
    expect(sent.body).not.toContain('root:');
    expect(sent.body).not.toContain('"name"');
    expect([200, 403, 404]).toContain(sent.statusCode);
    if (sent.statusCode === 200) expect(sent.body).toContain('<title>M</title>');
  });

  test('a path in a query is no way to a file', async () => {
    const { app } = shared();
    for (const url of [
      '/api/import?path=/etc/passwd',
      '/api/imports?path=/etc/passwd',
      '/?path=/etc/passwd',
    ]) {
      const sent = await app.inject({ method: 'GET', url, headers });
      expect(sent.body).not.toContain('root:');
    }
  });
});
