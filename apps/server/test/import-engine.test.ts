import { readFile } from 'node:fs/promises';
import { importers } from '@misstep/importers';
import type { MarkDraft, RunId } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import type { Services } from '../src/compose.ts';
import { fileOf, sessionOf } from './recordings.ts';
import { openTestServices, smallRecording } from './support.ts';

async function runOf(services: Services, path: string, text: string): Promise<RunId> {
  const [outcome] = await services.imports.importFiles([fileOf(path, text)]);
  const id = outcome?.runs[0]?.id;
  if (id === undefined) throw new Error(`${path} gave no run: ${outcome?.error?.message}`);
  return id;
}

const idsOf = async (services: Services, runId: RunId) =>
  (await services.store.listSteps(runId)).map(({ id }) => id);

describe('the same bytes', () => {
  test('change nothing the second time, and have the same ids in another folder', async () => {
    const services = await openTestServices();
    const text = smallRecording();
    const runId = await runOf(services, 'a.jsonl', text);
    const before = await services.runs.get(runId);
    const [again] = await services.imports.importFiles([fileOf('b.jsonl', text)]);
    expect(again).toMatchObject({ alreadyImported: true, error: null });
    expect(again?.runs[0]).toMatchObject({ id: runId, steps: before.stepCount });
    expect(await services.runs.get(runId)).toEqual(before);

    const other = await openTestServices();
    expect(await runOf(other, 'c.jsonl', text)).toBe(runId);
    expect(await idsOf(other, runId)).toEqual(await idsOf(services, runId));
  });

  test('are read anew where the importer has learned something since', async () => {
    const services = await openTestServices();
    const text = smallRecording();
    const runId = await runOf(services, 'a.jsonl', text);
    const format = importers.find(({ id }) => id === 'json-rpc-lines');
    const known = await services.store.findRunsOfSource(
      (await services.runs.get(runId)).sources[0]?.sha256 ?? ('' as never),
    );
    expect(known).toEqual([{ runId, format: format?.id, formatRevision: format?.revision }]);
    const draft: MarkDraft = {
      place: { kind: 'noDeviation' },
      category: null,
      reason: '',
      citations: [],
    };
    await services.marks.put(runId, draft);
    const [first] = importers.filter(({ id }) => id === 'json-rpc-lines');
    if (first === undefined) throw new Error('no such importer');
    // As if this build's importer were a later one.
    const revision = first.revision;
    Object.assign(first, { revision: revision + 1 });
    try {
      const [again] = await services.imports.importFiles([fileOf('a.jsonl', text)]);
      expect(again).toMatchObject({ alreadyImported: false, error: null });
      expect(again?.runs.map(({ id }) => id)).toEqual([runId]);
      expect((await services.runs.get(runId)).mark?.place.kind).toBe('noDeviation');
    } finally {
      Object.assign(first, { revision });
    }
  });

  test('read as another format are another run', async () => {
    const services = await openTestServices();
    const text = smallRecording();
    const runId = await runOf(services, 'a.jsonl', text);
    const [overruled] = await services.imports.importFiles([fileOf('a.jsonl', text)], {
      format: 'plain-text',
    });
    expect(overruled?.format).toBe('plain-text');
    expect(overruled?.alreadyImported).toBe(false);
    expect((await services.runs.get(runId)).format).toBe('json-rpc-lines');
  });
});

describe('a file that has grown', () => {
  test('keeps its run, its step ids, its mark and its name, and an older copy does not undo it', async () => {
    const services = await openTestServices();
    const short = sessionOf({ sessionId: 's-grow', turns: 2 });
    const long = sessionOf({ sessionId: 's-grow', turns: 5 });
    expect(long.startsWith(short)).toBe(true);
    const runId = await runOf(services, 'session.jsonl', short);
    const earlier = await idsOf(services, runId);
    await services.runs.update(runId, { title: 'Named by me', tags: ['kept'] });
    const stepId = earlier[1];
    if (stepId === undefined) throw new Error('no second step');
    await services.marks.put(runId, {
      place: { kind: 'step', stepId },
      category: null,
      reason: 'here',
      citations: [],
    });

    expect(await runOf(services, 'session.jsonl', long)).toBe(runId);
    const later = await idsOf(services, runId);
    expect(later.slice(0, earlier.length)).toEqual(earlier);
    expect(later.length).toBeGreaterThan(earlier.length);
    const grown = await services.runs.get(runId);
    expect(grown).toMatchObject({ title: 'Named by me', tags: ['kept'], mark: { reason: 'here' } });
    expect((await services.runs.list({ offset: 0, limit: 10 })).total).toBe(1);

    const [older] = await services.imports.importFiles([fileOf('old.jsonl', short)]);
    expect(older).toMatchObject({ alreadyImported: true, runs: [{ id: runId }] });
    expect(await idsOf(services, runId)).toEqual(later);

    const longer = sessionOf({ sessionId: 's-grow', turns: 7 });
    expect(await runOf(services, 'session.jsonl', longer)).toBe(runId);
  });

  test('of a format without ids is found by its bytes alone', async () => {
    const services = await openTestServices();
    const short = smallRecording();
    const runId = await runOf(services, 'wire.jsonl', short);
    expect(await runOf(services, 'other-name.jsonl', short + smallRecording('two'))).toBe(runId);
    // Another beginning is another line.
    expect(await runOf(services, 'wire.jsonl', smallRecording('three'))).not.toBe(runId);
  });
});

describe('companions', () => {
  const main = sessionOf({ sessionId: 's-team', turns: 2 });
  const helper = sessionOf({ sessionId: 's-team', turns: 1, agentId: 'agent-7' });

  test('join their main source in one batch, in either order', async () => {
    for (const files of [
      [fileOf('main.jsonl', main), fileOf('agent.jsonl', helper)],
      [fileOf('agent.jsonl', helper), fileOf('main.jsonl', main)],
    ]) {
      const services = await openTestServices();
      const outcomes = await services.imports.importFiles(files);
      const ids = new Set(outcomes.flatMap(({ runs }) => runs.map(({ id }) => id)));
      expect([outcomes.length, ids.size]).toEqual([2, 1]);
      const [runId] = ids;
      const detail = await services.runs.get(runId ?? ('' as never));
      expect(detail.sources.map(({ role, part }) => [role, part])).toEqual([
        ['main', null],
        ['companion', 'agent-7'],
      ]);
    }
  });

  test('join a run that was imported before, and stay when its main source grows', async () => {
    const services = await openTestServices();
    const runId = await runOf(services, 'main.jsonl', main);
    const alone = await idsOf(services, runId);
    expect(await runOf(services, 'agent.jsonl', helper)).toBe(runId);
    const joined = await services.runs.get(runId);
    expect(joined.sources).toHaveLength(2);
    expect(joined.stepCount).toBeGreaterThan(alone.length);
    expect(await idsOf(services, runId)).toEqual(expect.arrayContaining(alone));

    const grown = sessionOf({ sessionId: 's-team', turns: 3 });
    expect(await runOf(services, 'main.jsonl', grown)).toBe(runId);
    const after = await services.runs.get(runId);
    expect(after.sources.map(({ role }) => role)).toEqual(['main', 'companion']);
    const [again] = await services.imports.importFiles([fileOf('agent.jsonl', helper)]);
    expect(again).toMatchObject({ alreadyImported: true, runs: [{ id: runId }] });
  });

  test('that came first are read alone until their main source comes, and keep their run', async () => {
    const services = await openTestServices();
    const lone = await runOf(services, 'agent.jsonl', helper);
    const runId = await runOf(services, 'main.jsonl', main);
    expect(runId).toBe(lone);
    const { runs } = await services.runs.list({ offset: 0, limit: 10 });
    expect(runs.map(({ id }) => id)).toEqual([runId]);
    expect((await services.runs.get(runId)).sources).toHaveLength(2);
  });
});

describe('sources that cannot be read', () => {
  test('say what compresses them', async () => {
    const services = await openTestServices();
    const packed = fileOf('run.jsonl.bz2', new Uint8Array([0x42, 0x5a, 0x68, 0x39, 0, 1]));
    const xz = fileOf('run.xz', new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 1, 2]));
    const errors = (await services.imports.importFiles([packed, xz])).map(({ error }) => [
      error?.code,
      error?.message,
      error?.hint,
    ]);
    const hint = 'Unpack it and import what is in it.';
    expect(errors).toEqual([
      ['IMPORT_UNREADABLE', 'run.jsonl.bz2 is compressed (bzip2).', hint],
      ['IMPORT_UNREADABLE', 'run.xz is compressed (xz).', hint],
    ]);
  });

  test('say why, and leave the others alone', async () => {
    const services = await openTestServices();
    const outcomes = await services.imports.importFiles([
      fileOf('empty.jsonl', ''),
      fileOf('picture.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0, 1, 2])),
      {
        path: 'gone.jsonl',
        open: () => {
          throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
        },
      },
      fileOf('good.jsonl', smallRecording()),
      fileOf('prose.txt', ' \n\t\n'),
    ]);
    const byPath = new Map(outcomes.map((outcome) => [outcome.path, outcome]));
    const codeOf = (path: string) => byPath.get(path)?.error?.code ?? null;
    expect(byPath.size).toBe(5);
    expect(codeOf('empty.jsonl')).toBe('IMPORT_UNREADABLE');
    expect(codeOf('picture.png')).toBe('IMPORT_UNREADABLE');
    expect(codeOf('gone.jsonl')).toBe('IMPORT_UNREADABLE');
    expect(codeOf('prose.txt')).toBe('IMPORT_NO_FORMAT');
    expect(byPath.get('prose.txt')?.scores.length).toBe(importers.length);
    expect(codeOf('good.jsonl')).toBeNull();
    const { runCount, sourceBytes } = await services.store.stats();
    expect([runCount, sourceBytes]).toEqual([1, smallRecording().length]);
  });

  test('a session that never began is read, holds no run, and is no failure', async () => {
    const services = await openTestServices();
    const line = { type: 'summary', summary: 'Parcels', leafUuid: 'a-1', sessionId: 's-none' };
    const [outcome] = await services.imports.importFiles(
      [fileOf('summary.jsonl', `${JSON.stringify(line)}\n`)],
      { format: 'claude-code-jsonl' },
    );
    expect(outcome).toMatchObject({ runs: [], records: { total: 1, setAside: 1 }, error: null });
    expect(outcome?.issues.map(({ code }) => code)).toContain('NO_RUN');
    expect(await services.store.stats()).toEqual({ runCount: 0, sourceBytes: 0 });
  });

  test('an aborted batch leaves nothing', async () => {
    const services = await openTestServices();
    const controller = new AbortController();
    const batch = services.imports.importFiles(
      [
        fileOf('a.jsonl', smallRecording()),
        {
          path: 'b.jsonl',
          async *open() {
            yield new TextEncoder().encode(smallRecording('two'));
            controller.abort(new Error('enough'));
          },
        },
      ],
      { signal: controller.signal },
    );
    await expect(batch).rejects.toThrow('enough');
    expect(await services.store.stats()).toEqual({ runCount: 0, sourceBytes: 0 });
  });
});

describe('hostile content', () => {
  test('keys that reach for a prototype are text, in the server and in the reading thread', async () => {
    const services = await openTestServices();
    const args =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"a.__proto__.b":3}';
    const text = [
      '{"ts":"2026-01-05T10:00:00Z","dir":"send","__proto__":{"polluted":4},"msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":',
      args,
      '}}}\n{"ts":"2026-01-05T10:00:01Z","dir":"recv","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"__proto__":{"polluted":5}}}}\n',
    ].join('');
    const runId = await runOf(services, '__proto__', text);
    const tool = (await services.store.listSteps(runId)).find(({ kind }) => kind === 'tool');
    if (tool === undefined) throw new Error('the call was dropped');
    const detail = await services.steps.detail(runId, tool.id, 10_000);
    expect(detail.arguments?.text).toBe(args);
    expect(detail.tool).toBe('__proto__');
    expect(detail.result?.text).toContain('"__proto__":{"polluted":5}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    const skeleton = await services.steps.skeleton(runId);
    expect(skeleton.names).toContain('__proto__');
  });
});

test('a stored source is the file that was given', async () => {
  const services = await openTestServices();
  const text = smallRecording();
  const runId = await runOf(services, 'a.jsonl', text);
  const [source] = (await services.runs.get(runId)).sources;
  if (source === undefined) throw new Error('no source');
  expect(await readFile(await services.store.sourcePath(source.sha256), 'utf8')).toBe(text);
});
