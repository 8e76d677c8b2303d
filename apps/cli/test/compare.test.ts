import { expect, test } from 'vitest';
import { depotRun } from './depot-server.ts';
import { misstep } from './support.ts';

test('compare shows a stored comparison with and without volatile fields', async () => {
  const { dataFolder, runId } = await depotRun(['{"count":1,"took":7}']);
  const words = ['replay', runId, '1', '--target', 'depot', '--yes', '--json'];
  const [replay] = (await misstep(dataFolder, words)).documents();
  const id = String(replay?.id);
  const plain = await misstep(dataFolder, ['compare', id, '--json']);
  expect(plain.documents()).toMatchObject([{ id, comparison: { sizes: { replayed: {} } } }]);
  const ignore = ['--ignore', '/took,/content/**'];
  const found = await misstep(dataFolder, ['compare', id, ...ignore, '--json']);
  expect(found.documents()).toMatchObject([
    { comparison: { ignored: [{ rule: '/took' }, { rule: '/content/**' }] } },
  ]);
  expect((await misstep(dataFolder, ['compare', id, ...ignore])).out).toContain('estimate');
  const wrong = await misstep(dataFolder, ['compare', id, '--ignore', 'times', '--json']);
  expect([wrong.exitCode, wrong.documents()]).toMatchObject([
    1,
    [{ error: { code: 'REQUEST_INVALID' } }],
  ]);
});

test('compare shows every row by pages', async () => {
  const { dataFolder, runId } = await depotRun(['{"count":1,"took":7}']);
  const words = ['replay', runId, '1', '--target', 'depot', '--yes', '--json'];
  const [replay] = (await misstep(dataFolder, words)).documents();
  const id = String(replay?.id);
  const [paged] = (
    await misstep(dataFolder, ['compare', id, '--rows', 'all', '--json'])
  ).documents();
  const rows = paged?.rows;
  expect(paged).toMatchObject({ id, offset: 0, total: Array.isArray(rows) ? rows.length : -1 });
  const second = await misstep(dataFolder, ['compare', id, '--rows', 'all', '--page', '2']);
  expect([second.exitCode, second.err]).toEqual([
    0,
    expect.stringMatching(/^No rows here of \d+ rows/),
  ]);
  const none = await misstep(dataFolder, ['compare', id, '--rows', 'nearly']);
  expect(none.err).toContain('--rows takes all or one of');
}, 90_000);
