import { expect, test } from './fixtures.ts';
import { PASTED } from './recordings.ts';

test('a pasted transcript becomes a tree, its first wrong step is marked, and stays so after a restart', async ({
  app,
  page,
  context,
}) => {
  await app.start();
  await app.open(page);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.origin });
  await page.evaluate((text) => navigator.clipboard.writeText(text), PASTED);
  await page.getByText('none yet').waitFor();
  await page.keyboard.press('Control+V');
  const imports = page.getByRole('region', { name: 'Imports' });
  await imports.getByRole('link', { name: /^Open/ }).click();

  const tree = page.getByRole('treegrid', { name: 'Call tree' });
  await expect(tree.getByRole('row', { name: /search_orders/ })).toHaveCount(2);
  const second = tree.getByRole('row', { name: /search_orders/ }).nth(1);
  await second.click();
  const panel = page.getByRole('region', { name: /^Step \d+/ });
  await expect(panel).toContainText('20 items');
  await expect(panel).toContainText('rendered');

  await tree
    .getByRole('row', { name: /search_orders/ })
    .first()
    .click();
  await page.keyboard.press('m');
  await page.getByRole('combobox', { name: 'Kind' }).fill('Loose argument');
  await page.getByRole('textbox', { name: 'Because' }).fill('"last Tuesday" is no date');
  await page.getByRole('button', { name: /^Mark step/ }).click();
  await expect(panel).toContainText('Loose argument');

  const address = new URL(page.url());
  // What the page still asks for would find nobody there.
  await page.goto('about:blank');
  await app.stop();
  await app.start();
  await app.open(page, address.pathname + address.search);
  await expect(page.getByRole('region', { name: /^Step \d+/ })).toContainText(
    '“last Tuesday” is no date'.slice(1, 13),
  );
  await page.goto(new URL('/runs', app.origin).href);
  await expect(page.getByRole('row', { name: /Loose argument/ })).toBeVisible();
});

test('the gap before a step can be marked, and so can "no deviation"', async ({ app, page }) => {
  await app.start();
  const run = await app.importText('ticket.txt', PASTED);
  await app.open(page, `/runs/${run}`);
  const tree = page.getByRole('treegrid', { name: 'Call tree' });
  await tree
    .getByRole('row', { name: /search_orders/ })
    .nth(1)
    .click();
  await page.keyboard.press('m');
  await page
    .getByRole('button', { name: /gap before/i })
    .or(page.getByRole('radio', { name: /gap before/i }))
    .first()
    .click();
  await page.getByRole('button', { name: /^Mark (the )?gap/ }).click();
  await expect(page.getByText(/after step \d+/).first()).toBeVisible();

  await page.keyboard.press('m');
  await page.getByRole('button', { name: /^No deviation/ }).click();
  await page.goto(new URL('/runs', app.origin).href);
  await expect(page.getByRole('row', { name: /no deviation/ })).toBeVisible();
  const marks = await app.cli('runs', '--json');
  expect(marks).toContain('noDeviation');
});
