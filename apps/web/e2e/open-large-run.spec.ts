import { expect, test } from './fixtures.ts';
import { longSession } from './recordings.ts';

test('a run of 20,000 steps scrolls with fewer than 3,000 elements', async ({ app, page }) => {
  await app.start();
  const run = await app.importText('long.jsonl', longSession(20_000));
  await app.open(page, `/runs/${run}`);
  const tree = page.getByRole('treegrid', { name: 'Call tree' });
  await tree.getByRole('row').nth(5).waitFor();
  const count = Number(await tree.getAttribute('aria-rowcount'));
  expect(count).toBeGreaterThan(15_000);
  await tree.focus();
  await page.keyboard.press('End');
  await expect(tree.getByRole('row', { selected: true })).toBeVisible();
  let most = 0;
  for (const fraction of [0.9, 0.5, 0.1, 0]) {
    await tree.evaluate((element, at) => {
      const scroller =
        [element, ...element.querySelectorAll('*')].find(
          (candidate) => candidate.scrollHeight > candidate.clientHeight + 1000,
        ) ??
        element.closest('[data-scroller]') ??
        element.parentElement;
      if (scroller) scroller.scrollTop = scroller.scrollHeight * at;
    }, fraction);
    await expect(tree.getByRole('row').nth(5)).toBeVisible();
    most = Math.max(most, await page.evaluate(() => document.querySelectorAll('*').length));
  }
  expect(most).toBeLessThan(3000);
});
