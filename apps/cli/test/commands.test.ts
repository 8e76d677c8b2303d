import { createHash } from 'node:crypto';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ARGUMENTS, importedRun, RESULT } from './imported-run.ts';
import { makeFolder, misstep, recordingOf } from './support.ts';

describe('import, runs and show', () => {
  test('tell scripts everything, exactly', async () => {
    const { dataFolder, path, text, document, runId } = await importedRun();
    const sha256 = createHash('sha256').update(text).digest('hex');
    expect(document).toEqual({
      path,
      source: { sha256, sizeBytes: text.length },
      format: 'json-rpc-lines',
      formatScore: expect.any(Number),
      scores: expect.any(Array),
      alreadyImported: false,
      runs: [
        {
          id: runId,
          title: expect.any(String),
          steps: 2,
          toolCalls: 2,
          modelCalls: 0,
          startedAt: '2026-01-05T10:00:00.000Z',
          endedAt: '2026-01-05T10:00:01.250Z',
        },
      ],
      records: { total: 4, understood: 4, setAside: 0, notUnderstood: 0, malformed: 0 },
      issues: [],
    });

    const list = await misstep(dataFolder, ['runs', '--json']);
    expect(list.documents()).toMatchObject([{ type: 'run', id: runId, toolCallCount: 2 }]);
    const shown = await misstep(dataFolder, ['show', runId, '--json']);
    const [run, first, second] = shown.documents();
    expect(run).toMatchObject({ type: 'run', id: runId, startedAt: '2026-01-05T10:00:00.000Z' });
    expect(first).toMatchObject({ seq: 1, arguments: { state: 'captured', text: '{"code":1}' } });
    expect(second).toMatchObject({
      type: 'step',
      id: expect.any(String),
      seq: 2,
      parentId: null,
      kind: 'tool',
      name: 'find_parcel',
      server: null,
      tool: 'find_parcel',
      startedAt: '2026-01-05T10:00:01.000Z',
      endedAt: '2026-01-05T10:00:01.250Z',
      durationNs: 250_000_000,
      status: 'ok',
      arguments: { state: 'captured', text: ARGUMENTS },
      result: { state: 'captured' },
      evidence: 'wire',
      origin: { sha256, offset: expect.any(Number), length: expect.any(Number) },
    });
    expect(shown.err).toBe('');

    const beginning = await misstep(dataFolder, ['show', runId.slice(0, 5)]);
    expect(beginning.exitCode).toBe(0);
    expect(beginning.out).toContain('find_parcel');
    expect((await misstep(dataFolder, ['show', 'rzz'])).exitCode).toBe(1);
    expect((await misstep(dataFolder, ['runs', '--limit', '1'])).out).toContain(runId);
  });

  test('the audit says what the recording can answer', async () => {
    const { dataFolder, runId } = await importedRun();
    const { exitCode, err, documents } = await misstep(dataFolder, ['audit', runId, '--json']);
    expect([exitCode, err]).toEqual([0, '']);
    const [audit] = documents();
    expect(audit).toMatchObject({ runId });
    expect(audit?.questions).toHaveLength(7);
    expect(audit?.questions).toContainEqual({
      id: 'tool-choice',
      question: expect.stringContaining('tools'),
      answer: 'partly',
      counts: {
        calls: 2,
        toolsListed: 0,
        withToolName: 2,
        withWholeArguments: 2,
        withOfferedTools: 0,
      },
      missing: ['call.offeredTools'],
      sentence: '2 calls: tool for all, whole arguments for all, tools offered for none.',
    });
    const inWords = await misstep(dataFolder, ['audit', runId.slice(0, 6)]);
    expect(inWords.out).toMatch(/^partly {4}Which tool/);
    expect(inWords.out).toContain('(call.offeredTools)');
    expect((await misstep(dataFolder, ['audit', 'rzz'])).exitCode).toBe(1);
    expect((await misstep(dataFolder, ['audit'])).exitCode).toBe(2);
  });

  test('a failed source is told, the others are imported, and the exit code is 1', async () => {
    const { folder, dataFolder, path } = await importedRun();
    await writeFile(join(folder, 'empty'), '');
    const words = ['import', '--json', join(folder, 'empty'), join(folder, 'absent'), path];
    const { exitCode, documents } = await misstep(dataFolder, words);
    expect(exitCode).toBe(1);
    const byPath = new Map(documents().map((document) => [document.path, document]));
    expect(byPath.size).toBe(3);
    expect(byPath.get(join(folder, 'empty'))).toMatchObject({
      runs: [],
      error: { code: 'IMPORT_UNREADABLE' },
    });
    expect(byPath.get(join(folder, 'absent'))).toMatchObject({
      source: null,
      error: { code: 'IMPORT_UNREADABLE' },
    });
    expect(byPath.get(path)).toMatchObject({ alreadyImported: true });
    const words2 = await misstep(dataFolder, ['import', join(folder, 'empty'), path]);
    expect(words2.out).toContain('not imported');
    const absent = await misstep(dataFolder, ['import', join(folder, 'absent')]);
    expect([absent.exitCode, absent.out]).toEqual([
      1,
      `${join(folder, 'absent')}: not imported. The file does not exist. Check the path.\n`,
    ]);
    expect(words2.out).toContain('known already');
  });

  test('folders are read whole, links out of them are not followed, - is standard input', async () => {
    const folder = await makeFolder();
    const dataFolder = join(folder, 'data');
    const inside = join(folder, 'inside');
    await mkdir(join(inside, 'deep'), { recursive: true });
    await writeFile(
      join(inside, 'deep', 'b.jsonl'),
      recordingOf([{ args: '{"b":1}', result: RESULT }]),
    );
    await writeFile(join(inside, 'a.jsonl'), recordingOf([{ args: '{"a":1}', result: RESULT }]));
    await writeFile(
      join(folder, 'secret.jsonl'),
      recordingOf([{ args: '{"s":1}', result: RESULT }]),
    );
    await symlink(join(folder, 'secret.jsonl'), join(inside, 'out.jsonl'));
    await symlink(folder, join(inside, 'up'));
    await symlink(inside, join(inside, 'deep', 'again'));
    const imported = await misstep(dataFolder, ['import', '--json', inside]);
    expect(imported.exitCode).toBe(0);
    expect(imported.documents().map(({ path }) => path)).toEqual([
      join(inside, 'a.jsonl'),
      join(inside, 'deep', 'b.jsonl'),
    ]);
    expect(imported.err.match(/leads outside/g)).toHaveLength(2);

    const piped = recordingOf([{ args: '{"p":1}', result: RESULT }]);
    const stdin = await misstep(dataFolder, ['import', '--json', '-'], piped);
    expect(stdin.documents()).toMatchObject([{ path: '-', runs: [{ steps: 1 }] }]);
    expect((await misstep(dataFolder, ['runs', '--json'])).documents()).toHaveLength(3);
  });

  test('what a terminal would obey is shown, not obeyed', async () => {
    const folder = await makeFolder();
    const nasty =
      '\u001b]52;c;aGk=\u0007 \u001b[2J \u009b31m \r over \u202eevil \u200b \u{e0041} \u0000 \ud800 end';
    const text = recordingOf([{ args: JSON.stringify({ nasty }), result: RESULT }]);
    const path = join(folder, 'nasty.jsonl');
    await writeFile(path, text);
    await misstep(folder, ['import', path]);
    const [run] = (await misstep(folder, ['runs', '--json'])).documents();
    const id = String(run?.id);
    await misstep(folder, [
      'mark',
      id,
      '1',
      '--reason',
      nasty.replace('\0', '').replace('\ud800', ''),
    ]);
    for (const words of [['runs'], ['show', id], ['mark', id], ['import', path], ['show', nasty]]) {
      const { out, err } = await misstep(folder, words);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(out + err).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e]|\udb40/);
    }
    const marked = await misstep(folder, ['mark', id]);
    expect(marked.out).toContain('\\u001b]52;c;aGk=\\u0007');
  });
});

describe('mark', () => {
  test('on a step, on a gap, as no deviation, and taken back', async () => {
    const { dataFolder, runId } = await importedRun();
    const mark = async (...words: string[]) => {
      const { exitCode, documents } = await misstep(dataFolder, [
        'mark',
        runId,
        ...words,
        '--json',
      ]);
      expect(exitCode).toBe(0);
      return documents()[0]?.mark;
    };
    expect(await mark()).toBeNull();
    const step = await mark('2', '--category', 'Loose argument', '--reason', 'three at once');
    expect(step).toMatchObject({
      place: { kind: 'step' },
      category: 'Loose argument',
      reason: 'three at once',
    });
    expect(await mark('2', '--after')).toMatchObject({ place: { kind: 'gap' }, category: null });
    expect(await mark('0', '--after')).toMatchObject({ place: { kind: 'gap', afterStepId: null } });
    expect(await mark('--none')).toMatchObject({ place: { kind: 'noDeviation' } });
    const removed = await misstep(dataFolder, ['mark', runId, '--remove', '--json']);
    expect(removed.documents()).toEqual([{ type: 'mark', mark: null, removed: true }]);
    expect(await mark()).toBeNull();
    const cited = await mark('2', '--cite', 'arguments:/code', '--cite', 'result');
    const stepId = expect.any(String);
    expect(cited).toMatchObject({
      citations: [
        { stepId, part: 'arguments', pointer: '/code' },
        { stepId, part: 'result', pointer: '' },
      ],
    });
    expect((await misstep(dataFolder, ['mark', runId])).out).toBe(
      'Step 2: citing step 2 arguments:/code, step 2 result:\n',
    );
    for (const cite of ['arguments:/nowhere', 'result:/orders/0', 'step:/x']) {
      const refused = await misstep(dataFolder, ['mark', runId, '2', '--cite', cite, '--json']);
      expect(refused.documents()).toMatchObject([{ error: { code: 'CITATION_NOT_FOUND' } }]);
    }
    const noReplay = ['--cite-replay', '01ARZ3NDEKTSV4RRFFQ69G5FAV:/door', '--json'];
    const unknown = await misstep(dataFolder, ['mark', runId, '2', ...noReplay]);
    expect(unknown.documents()).toMatchObject([{ error: { code: 'REPLAY_NOT_FOUND' } }]);
    expect((await misstep(dataFolder, ['mark', runId, '99'])).exitCode).toBe(1);
  });
});

test('a beginning that several runs have asks for more of it', async () => {
  const { folder, dataFolder, text } = await importedRun();
  const other = join(folder, 'other.jsonl');
  await writeFile(other, text.replaceAll('2026-', '2025-'));
  expect((await misstep(dataFolder, ['import', other])).exitCode).toBe(0);
  for (const command of ['show', 'audit', 'export-source', 'wire', 'mark']) {
    const { exitCode, err } = await misstep(dataFolder, [command, 'r']);
    expect([exitCode, err]).toEqual([
      1,
      'misstep: 2 runs begin with "r". Give more characters of its id, until only one begins with them.\n',
    ]);
  }
});

test('folders without files are named', async () => {
  const folder = await makeFolder();
  const dataFolder = join(folder, 'data');
  const [empty, other] = [join(folder, 'empty'), join(folder, 'other')];
  for (const each of [empty, join(other, 'below')]) await mkdir(each, { recursive: true });
  const nothing = await misstep(dataFolder, ['import', empty, other, '--json']);
  expect([nothing.exitCode, nothing.documents()]).toMatchObject([
    1,
    [{ error: { message: `There are no files in ${empty}, ${other}.` } }],
  ]);
  const file = join(other, 'call.jsonl');
  await writeFile(file, recordingOf([{ args: '{}', result: '{}' }]));
  const rest = await misstep(dataFolder, ['import', empty, other]);
  expect([rest.exitCode, rest.err]).toMatchObject([
    0,
    expect.stringContaining(`Skipped ${empty}: there are no files in it.`),
  ]);
});

describe('export-source', () => {
  test('gives the bytes of a run’s source or of a hash, to a file or to the pipe', async () => {
    const { folder, dataFolder, text, runId } = await importedRun();
    const sha256 = createHash('sha256').update(text).digest('hex');
    expect((await misstep(dataFolder, ['export-source', runId])).outBytes.toString()).toBe(text);
    const out = join(folder, 'out.bin');
    expect((await misstep(dataFolder, ['export-source', sha256, '--out', out])).out).toBe('');
    const again = await misstep(dataFolder, ['import', '--json', out]);
    expect(again.documents()).toMatchObject([{ source: { sha256 }, alreadyImported: true }]);
    const absent = await misstep(dataFolder, ['export-source', 'f'.repeat(64), '--json']);
    expect([absent.exitCode, absent.documents()]).toMatchObject([
      1,
      [{ error: { code: 'SOURCE_NOT_FOUND' } }],
    ]);
    for (const given of ['f'.repeat(64), 'f'.repeat(8)]) {
      const { exitCode, err } = await misstep(dataFolder, ['export-source', given]);
      expect(exitCode).toBe(1);
      expect(err).toContain(`There is no run and no source ${given}. `);
    }
    await writeFile(out, 'mine');
    const taken = await misstep(dataFolder, ['export-source', runId, '--out', out]);
    expect([taken.exitCode, taken.err, await readFile(out, 'utf8')]).toMatchObject([
      2,
      expect.stringContaining(`${out} cannot be written (it exists already, and nothing`),
      'mine',
    ]);
    const nowhere = join(folder, 'no', 'where');
    const unwritable = await misstep(dataFolder, ['export-source', runId, '--out', nowhere]);
    expect([unwritable.exitCode, unwritable.err]).toEqual([
      2,
      `misstep: --out: ${nowhere} cannot be written (its folder does not exist).\nSee: misstep export-source --help\n`,
    ]);
  });
});
