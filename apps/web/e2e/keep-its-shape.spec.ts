import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { PASTED } from './recordings.ts';

/** On both sides of every width at which a screen changes. */
const WIDTHS = [1440, 1366, 1280, 1279, 1100, 1099, 1000];

const HEBREW =
  'שלום, אילו הזמנות של החווה תקועות כבר יותר משבוע במחסן המרכזי, ולמה אף אחד לא ענה לנו עד היום?';

/** Where the first letter of an element's text stands against the element, and whether the text is cut. */
function firstLetter(element: Element): { isCut: boolean; isSeen: boolean } {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const node = walker.nextNode() ?? element;
  range.setStart(node, 0);
  range.setEnd(node, 1);
  const letter = range.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  return {
    isCut: element.scrollWidth > element.clientWidth,
    isSeen: letter.left >= box.left - 1 && letter.right <= box.right + 1,
  };
}

test('words from right to left begin at the right and are cut at their end', async ({
  app,
  page,
}) => {
  await page.setViewportSize({ width: 1100, height: 720 });
  await app.start();
  await app.importText('rtl.txt', PASTED.replace(/User: .*/, `User: ${HEBREW}`));
  await app.open(page);
  const title = page.getByRole('grid', { name: 'Runs' }).getByRole('link', { name: HEBREW });
  expect(await title.evaluate(firstLetter)).toEqual({ isCut: true, isSeen: true });
  await title.click();
  const tree = page.getByRole('treegrid', { name: 'Call tree' });
  const words = tree.getByTitle(HEBREW);
  expect(await words.evaluate(firstLetter)).toEqual({ isCut: true, isSeen: true });
  // Arguments go from the left, whatever their values say.
  const args = tree.getByTitle(/^customer: /).first();
  await expect(args).toHaveAttribute('dir', 'ltr');
  expect(await args.evaluate(firstLetter)).toMatchObject({ isSeen: true });
});

test('the list of places lies within a narrow window', async ({ app, page }) => {
  await app.start('--demo');
  for (const width of [1000, 760, 480]) {
    await page.setViewportSize({ width, height: 720 });
    await app.open(page);
    await page.keyboard.press('Control+k');
    const places = page.getByRole('listbox', { name: 'Places' });
    await expect(places.getByRole('option', { name: /Receive spans/ })).toBeVisible();
    const box = await places.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await page.keyboard.press('Escape');
  }
});

test('the format that a link names is lit in the list, in view, below the list’s head', async ({
  app,
  page,
}) => {
  await app.start();
  await app.open(page, '/formats?format=har');
  const list = page.getByRole('region', { name: 'Formats' });
  const har = list.getByRole('link', { name: /^HTTP archive/ });
  await expect(har).toBeInViewport();
  await expect(list.getByRole('heading', { name: 'Formats' })).toBeInViewport();
  const ground = (at: typeof har) =>
    at.evaluate((element) => getComputedStyle(element).backgroundColor);
  const other = list.getByRole('link', { name: /^Jaeger trace/ });
  expect(await ground(har)).not.toBe(await ground(other));
  await other.click();
  await page.mouse.move(0, 0);
  await expect(page).toHaveURL(/format=jaeger/);
  await expect.poll(() => ground(har)).not.toBe(await ground(other));
  await expect(other).toHaveAttribute('aria-current', /./);
});

test('every column has room at every width of the window', async ({ app, page }) => {
  await app.start('--demo');
  await app.open(page);
  const runs = page.getByRole('grid', { name: 'Runs' });
  const link = runs.getByRole('link', { name: /^Hollow Farm rang/ });
  await expect(link).toBeVisible();
  const roomOf = async (head: Locator) => {
    const box = await head.boundingBox();
    return { width: box?.width ?? 0, end: (box?.x ?? 0) + (box?.width ?? 0) };
  };
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const mark = await roomOf(runs.getByRole('columnheader', { name: /^First wrong step/ }));
    expect(mark.width, `mark at ${width} px`).toBeGreaterThanOrEqual(170);
    const outcome = await roomOf(runs.getByRole('columnheader', { name: /^Outcome/ }));
    expect(outcome.end, `outcome at ${width} px`).toBeLessThanOrEqual(width);
    const title = await roomOf(runs.getByRole('columnheader', { name: /^Title/ }));
    expect(title.width, `title at ${width} px`).toBeGreaterThanOrEqual(170);
  }
  await link.click();
  const tree = page.getByRole('treegrid', { name: 'Call tree' });
  await tree
    .getByRole('row', { name: /search_orders/ })
    .first()
    .click();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const words = await roomOf(tree.getByRole('columnheader', { name: 'Arguments, text' }));
    expect(words.width, `text at ${width} px`).toBeGreaterThanOrEqual(160);
    const time = await roomOf(tree.getByRole('columnheader', { name: 'Time' }));
    expect(time.width, `time at ${width} px`).toBeGreaterThanOrEqual(150);
    expect(time.end, `time at ${width} px`).toBeLessThanOrEqual(width);
  }
  await page.keyboard.press('r');
  await page.getByRole('button', { name: /^Send once/ }).click();
  const table = page.getByRole('table', { name: 'Comparison' });
  await expect(table).toBeVisible();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const live = await roomOf(table.getByRole('columnheader', { name: /^Replayed, now/ }));
    expect(live.width, `answer at ${width} px`).toBeGreaterThanOrEqual(130);
  }
});
