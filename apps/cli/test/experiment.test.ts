import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openServices } from '@misstep/server';
import { expect, test } from 'vitest';
import { depotRun } from './depot-server.ts';
import { makeFolder, misstep } from './support.ts';

/** Each call starts the server anew. */
const MANY_CALLS_MS = 120_000;

test(
  'the sample run: why the first search came back empty',
  async () => {
    const dataFolder = await makeFolder();
    const services = await openServices({ dataFolder });
    await services.demo.prepare();
    const runId = (await services.demo.firstRunId()) ?? '';
    await services.close();
    const shown = (await misstep(dataFolder, ['show', runId, '--json'])).documents();
    const [a, b] = shown.filter(({ name, tool }) => String(tool ?? name).endsWith('search_orders'));
    const words = ['experiment', 'attribute', runId, String(a?.seq), String(b?.seq)];
    const options = ['--target', 'demo', '--by', 'value:/count', '--repeats', '2', '--json'];
    const found = await misstep(dataFolder, [...words, ...options]);
    const [document] = found.documents();
    expect([found.exitCode, document]).toMatchObject([
      0,
      {
        kind: 'attribute',
        ending: 'complete',
        state: 'complete',
        sentCount: 20,
        matrix: {
          outcomeA: '0',
          outcomeB: '20',
          refusal: null,
          judgements: [
            { argument: 'customer', verdict: 'necessary' },
            { argument: 'placed_after', verdict: 'necessary' },
            { argument: 'limit', verdict: 'no effect' },
          ],
          stableCount: 20,
        },
      },
    ]);
    expect(found.err).toContain('20 calls at most');
    const id = String(document?.id);
    const listed = await misstep(dataFolder, ['experiment', 'list', runId, '--json']);
    expect(listed.documents()).toMatchObject([
      { id, kind: 'attribute', state: 'complete', sentCount: 20, callCount: 20 },
    ]);
    const again = await misstep(dataFolder, ['experiment', 'show', id, '--json']);
    expect(again.documents()).toEqual([document]);
    const words2 = await misstep(dataFolder, ['experiment', 'show', id]);
    expect(words2.out).toContain('Why the agent chose these arguments');
    const csv = await misstep(dataFolder, ['experiment', 'export', id, '--as', 'csv']);
    const lines = csv.out.split('\r\n');
    expect(lines).toHaveLength(1 + 8 + 1);
    expect(lines[0]).toBe(
      '"call","customer","placed_after","limit","outcome","effect","sends","milliseconds","replays"',
    );
    const loop = await misstep(dataFolder, ['loop', '--json']);
    expect(loop.documents()).toMatchObject([
      {
        directCalls: { total: 20, inExperiments: 20 },
        editToAnswer: { medianMs: null },
        cases: [],
      },
    ]);
  },
  MANY_CALLS_MS,
);

test(
  'a boundary is sought between two values, and its verdict cited in the mark',
  async () => {
    const { dataFolder, runId } = await depotRun(['{"code":1}', '{"code":9}', '{"code":"x"}']);
    const words = ['experiment', 'boundary', runId, '1', '2', '--target', 'depot', '--yes'];
    const by = ['--argument', 'code', '--by', 'hash', '--elsewhere', '1', '--gap', '200'];
    const found = await misstep(dataFolder, [...words, ...by, '--json']);
    const [document] = found.documents();
    expect([found.exitCode, document]).toMatchObject([
      0,
      {
        kind: 'boundary',
        ending: 'complete',
        boundaries: [],
        matrix: { argument: 'code', a: '1', b: '9', valuesBetween: '7', refusal: null },
      },
    ]);
    const { changes } = (document as { matrix: { changes: unknown[] } }).matrix;
    expect(changes[0]).toMatchObject({ areNeighbours: true });
    const id = String(document?.id);
    const shown = await misstep(dataFolder, ['experiment', 'show', id]);
    expect(shown.out).toContain('The outcome of code changes between');
    expect(shown.out).toContain('not tried');
    const cite = ['--cite', 'arguments:/code', '--cite-experiment', id];
    const marked = await misstep(dataFolder, ['mark', runId, '1', ...cite]);
    expect(marked.out).toContain(`step 1 verdict of experiment ${id}`);
    const other = await misstep(dataFolder, ['mark', runId, '2', '--cite-experiment', id]);
    expect([other.exitCode, other.err]).toEqual([2, expect.stringContaining('not of step 2')]);
    const none = ['experiment', 'boundary', runId, '1', '3', '--target', 'depot', '--yes'];
    const refused = await misstep(dataFolder, [...none, '--argument', 'code', '--by', 'hash']);
    expect([refused.exitCode, refused.err]).toEqual([
      1,
      expect.stringContaining('No value stands'),
    ]);
  },
  MANY_CALLS_MS,
);

test(
  'repeat and race say the plan, ask for a yes, and tell what came',
  async () => {
    const { folder, dataFolder, runId } = await depotRun(['{"code": 1.0}', '{"code": 2}']);
    const repeat = ['experiment', 'repeat', runId, '1', '--target', 'depot', '--times', '2'];
    const unsent = await misstep(dataFolder, [...repeat, '--json']);
    expect([unsent.exitCode, unsent.documents()]).toMatchObject([
      1,
      [{ error: { code: 'REPLAY_REFUSED', details: { reason: 'notConfirmed' } } }],
    ]);
    expect(unsent.err).toContain('Each call may change something');
    const none = await misstep(dataFolder, ['experiment', 'list', '--json']);
    expect(none.out).toBe('');
    expect(unsent.err).toContain('A: find_parcel {"code": 1.0}');

    const repeated = await misstep(dataFolder, [...repeat, '--yes', '--json']);
    const [{ matrix } = {}] = repeated.documents();
    expect(matrix).toMatchObject({ sameBytes: true, rows: [{}, { sameBytesAs: 1 }] });
    const rows = (matrix as { rows: { replayId: string }[] }).rows;
    const receipt = await misstep(dataFolder, ['receipt', 'verify', rows[1]?.replayId ?? '']);
    expect(receipt.exitCode).toBe(0);

    const race = ['experiment', 'race', runId, '1', '2', '--target', 'depot', '--at-once', '4'];
    const frames = join(folder, 'race.frames');
    const raced = await misstep(dataFolder, [...race, '--frames', frames, '--yes', '--json']);
    expect(raced.documents()).toMatchObject([
      {
        ending: 'complete',
        sentCount: 8,
        matrix: { connections: 'one', canSeeCrossing: true, crossedCount: 0, errorCount: 0 },
      },
    ]);
    for (const [place, why] of [
      [frames, 'it exists already, and nothing is overwritten'],
      [join(folder, 'no', 'where'), 'its folder does not exist'],
    ] as const) {
      const refused = await misstep(dataFolder, [...race, '--frames', place, '--yes']);
      const words = `--frames: ${place} cannot be written (${why}`;
      expect([refused.exitCode, refused.err]).toEqual([2, expect.stringContaining(words)]);
    }
    const unsentPath = join(folder, 'unsent.frames');
    expect((await misstep(dataFolder, [...race, '--frames', unsentPath])).exitCode).toBe(1);
    await expect(stat(unsentPath)).rejects.toMatchObject({ code: 'ENOENT' });
    const kept = await misstep(dataFolder, ['import', frames, '--json']);
    expect(kept.documents()).toMatchObject([{ format: 'frame-log', runs: [{ toolCalls: 4 }] }]);
    const file = join(folder, 'b.json');
    await writeFile(file, '{"code": 1}');
    const attribute = ['experiment', 'attribute', runId, '1', '--target', 'depot', '--yes'];
    const hash = ['--arguments-b', file, '--by', 'hash', '--repeats', '2', '--gap', '200'];
    const attributed = await misstep(dataFolder, [...attribute, ...hash]);
    expect(attributed.out).toContain('code alone turns A’s result into B’s.');
  },
  MANY_CALLS_MS,
);

test('what can not be an experiment is said before anything is sent', async () => {
  const { dataFolder, runId } = await depotRun(['{"code":1}', '{"code":1}']);
  const run = (...words: string[]) =>
    misstep(dataFolder, ['experiment', ...words, '--target', 'depot', '--yes', '--json']);
  const same = await run('attribute', runId, '1', '2', '--by', 'hash');
  expect([same.exitCode, same.out]).toEqual([1, expect.stringContaining('nothing to attribute')]);
  expect((await run('attribute', runId, '1', '2', '--by', 'colour')).exitCode).toBe(1);
  for (const words of [
    ['attribute', runId, '1', '--by', 'hash'],
    ['attribute', runId, '1', '2'],
    ['repeat', runId, '1', '2'],
    ['repeat', runId, '1', '--times', '1'],
    ['race', runId, '1', '--connections', 'two'],
  ]) {
    expect((await run(...words)).exitCode).toBe(2);
  }
  const listed = await misstep(dataFolder, ['receipt', 'show', '0', '--json']);
  expect(listed.documents()).toMatchObject([{ error: { code: 'REPLAY_NOT_FOUND' } }]);
});
