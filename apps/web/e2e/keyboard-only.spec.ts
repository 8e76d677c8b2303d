import { expect, test } from './fixtures.ts';
import { PASTED } from './recordings.ts';

test('everything daily works without a mouse', async ({ app, page }) => {
  await app.start();
  await app.importText('ticket.txt', PASTED);
  await app.open(page);
  await page.getByRole('grid', { name: 'Runs' }).getByRole('row').nth(1).waitFor();

  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const tree = page.getByRole('treegrid', { name: 'Call tree' });
  await tree.waitFor();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('j');
  const selected = tree.getByRole('row', { selected: true });
  await expect(selected).toHaveCount(1);
  const before = await selected.textContent();
  await page.keyboard.press('k');
  expect(await selected.textContent()).not.toBe(before);

  await page.keyboard.press('o');
  await expect(
    page
      .getByRole('button', { name: 'Order', pressed: true })
      .or(page.getByRole('radio', { name: 'Order', checked: true }))
      .first(),
  ).toBeVisible();
  await page.keyboard.press('2');
  await expect(page.getByRole('tab', { selected: true })).toHaveText(/Evidence/);
  await page.keyboard.press('1');
  await expect(page.getByRole('tab', { selected: true })).toHaveText(/Call/);

  await page.keyboard.press('/');
  await page.keyboard.type('search_orders');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(selected).toContainText('search_orders');

  await page.keyboard.press('m');
  await page.keyboard.press('Enter');
  await expect(selected).toHaveAccessibleName(/mark/i);
  await page.keyboard.press('?');
  await expect(
    page
      .getByRole('region', { name: 'All keys' })
      .or(page.getByRole('dialog', { name: 'All keys' }))
      .first(),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  await expect(page.locator('html')).toHaveAttribute('data-theme', /dark|light/);
});
