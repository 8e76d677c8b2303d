import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type ImportState, routes } from '@misstep/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createImportService } from '../src/services/import-service.ts';
import { ABSENT_ULID, body, errorOf } from './answers.ts';
import { call, openTestApp, shareTestApp, smallRecording, until } from './support.ts';

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

  test('an upload that nobody goes on with is given up, and makes room', async () => {
    const { services, dataFolder } = await openTestApp();
    let nowMs = 0;
    const imports = createImportService(services.store, () => nowMs);
    onTestFinished(() => imports.close());
    const bytes = Buffer.from(smallRecording('one'));
    const files = [1, 2].map((number) => ({ name: `${number}`, sizeBytes: bytes.length }));
    const begin = () => imports.begin({ name: 'x', format: null, text: null, files });
    const upload = (id: ImportState['id']) => imports.upload(id, 0, Readable.from([bytes]));
    const first = await begin();
    await upload(first.id);
    nowMs = 300_000;
    for (let count = 1; count < 50; count += 1) await begin();
    await expect(begin()).rejects.toMatchObject({ code: 'IMPORT_RUNNING' });
    nowMs = 599_999;
    await expect(begin()).rejects.toMatchObject({ code: 'IMPORT_RUNNING' });
    nowMs = 600_000;
    expect((await begin()).state).toBe('receiving');
    expect(imports.get(first.id).state).toBe('cancelled');
    expect(imports.list().filter(({ state }) => state === 'receiving')).toHaveLength(50);
    await expect(upload(first.id)).rejects.toMatchObject({ code: 'IMPORT_NOT_FOUND' });
    nowMs = 1_200_000;
    await begin();
    expect(imports.list().filter(({ state }) => state === 'receiving')).toHaveLength(1);
    await imports.close();
    const sources = await readdir(join(dataFolder, 'sources'), {
      recursive: true,
      withFileTypes: true,
    });
    expect(sources.filter((entry) => entry.isFile())).toEqual([]);
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
