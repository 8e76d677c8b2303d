import { expect, test } from './fixtures.ts';
import { hostileSession, PAYLOADS } from './recordings.ts';

test('a recording full of script payloads is text everywhere: nothing runs, nothing loads', async ({
  app,
  page,
  watch,
}) => {
  await app.start();
  const run = await app.importText(`${PAYLOADS[1]?.replaceAll('/', '')}.jsonl`, hostileSession());
  await app.open(page);
  await expect(page.getByRole('row', { name: /script/ }).first()).toBeVisible();
  await page.goto(new URL(`/runs/${run}`, app.origin).href);
  const tree = page.getByRole('treegrid', { name: 'Call tree' });
  const rows = tree.getByRole('row');
  await rows.nth(3).waitFor();
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('j');
    for (const tab of ['Call', 'Evidence']) {
      await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
    }
    await tree.focus();
  }
  await page
    .getByRole('button', { name: /not understood/ })
    .or(page.getByRole('link', { name: /not understood/ }))
    .first()
    .click();
  await expect(page.getByText('window.__x').first()).toBeVisible();

  expect(await page.evaluate(() => ['__x', 'x'].filter((name) => name in window))).toEqual([]);
  expect(await page.evaluate(() => Reflect.get({}, 'x'))).toBeUndefined();
  const loaders = page.locator('iframe, object, embed, img, link, meta[http-equiv]');
  const foreign = await loaders.evaluateAll((found, origin) => {
    const address = (element: Element) =>
      Reflect.get(element, 'href') ?? Reflect.get(element, 'src');
    return found
      .filter((element) => !String(address(element) ?? '').startsWith(origin))
      .map((element) => element.outerHTML);
  }, app.origin);
  expect(foreign).toEqual([]);
  expect(watch.dialogs).toEqual([]);
  expect(watch.foreignRequests).toEqual([]);
});

test('a link that names a command or a server starts nothing', async ({ app, page }) => {
  await app.start();
  await app.open(page, '/servers?command=touch&args=/tmp/never&url=http://127.0.0.1:9/');
  await expect(page.getByRole('button', { name: /Confirm/ })).toHaveCount(0);
  expect(await app.cli('target', 'list', '--json')).toBe('');
});
