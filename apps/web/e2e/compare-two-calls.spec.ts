import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { type App, expect, test } from './fixtures.ts';

async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** The replay screen of the sample run's second search. */
async function openSecondSearch(app: App, page: Page): Promise<void> {
  await app.start('--demo');
  await app.open(page);
  await page.getByRole('link', { name: /^Hollow Farm rang/ }).click();
  await page
    .getByRole('treegrid', { name: 'Call tree' })
    .getByRole('row', { name: /search_orders/ })
    .nth(1)
    .click();
  await page.keyboard.press('r');
  await page.getByRole('button', { name: /^Send once/ }).waitFor();
}

test('the draft is sent three times: the plan first, then whether the answer holds still', async ({
  app,
  page,
}) => {
  await openSecondSearch(app, page);
  await page.goto(new URL('/comparisons', app.origin).href);
  await expect(page.getByText('none yet')).toBeVisible();
  expect(await seriousFindings(page), 'empty').toEqual([]);
  await page.goBack();
  await page.getByRole('button', { name: 'Send 3 times' }).click();
  const plan = page.getByRole('complementary', { name: 'Plan' });
  await expect(plan.getByText('3 at most, one at a time')).toBeVisible();
  expect(await seriousFindings(page), 'plan').toEqual([]);
  expect((await app.cli('experiment', 'list', '--json')).trim()).toBe('');
  await plan.getByRole('button', { name: 'Send 3 calls' }).dblclick();
  await expect(page.getByRole('heading', { name: /same, byte for byte/ })).toBeVisible();
  const table = page.getByRole('table', { name: 'Repeats' });
  await expect(table.getByRole('row', { name: /call 3/ })).toContainText('same as call 1');
  await expect(page.getByText(/^3 of 3 sent in/)).toBeVisible();
  expect(await seriousFindings(page), 'repeat').toEqual([]);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Comparison' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await expect(page.getByRole('table', { name: 'Comparisons' }).getByRole('row')).toHaveCount(2);
  expect(await seriousFindings(page), 'list').toEqual([]);
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await expect(page.getByText('3 direct calls')).toBeVisible();
});

for (const theme of ['light', 'dark'] as const) {
  test(`two calls, one argument at a time, in the ${theme} theme`, async ({ app, page }) => {
    await page.emulateMedia({ colorScheme: theme });
    await openSecondSearch(app, page);
    const editor = page.getByRole('textbox', { name: 'Arguments' });
    await editor.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(
      '{"customer":"Hollow Farm","placed_after":"2027-01-01","limit":20}',
    );
    await page.getByRole('button', { name: 'Compare two calls' }).click();
    await page.getByRole('button', { name: 'a number of items' }).click();
    await page.getByRole('combobox', { name: 'Where' }).fill('/orders');
    await page.getByRole('spinbutton', { name: 'Repeats' }).fill('2');
    await page.keyboard.press('Enter');
    const plan = page.getByRole('complementary', { name: 'Plan' });
    await plan.getByRole('button', { name: /^Send \d+ calls$/ }).click();
    await expect(page.getByRole('heading', { name: /^placed_after alone turns/ })).toBeVisible();
    const matrix = page.getByRole('table', { name: 'Combinations' });
    await expect(matrix.getByRole('row', { name: /A, B’s placed_after/ })).toContainText('changes');
    await expect(page.getByText('What this does not show')).toBeVisible();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('b');
    const both = page.getByRole('region', { name: 'Both answers' });
    await expect(both.getByText('"count"').first()).toBeVisible();
    expect(await seriousFindings(page), 'both answers').toEqual([]);
    await page.keyboard.press('Escape');
    await expect(both).toBeHidden();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^attribute-\w+\.csv$/);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('treegrid', { name: 'Call tree' })).toBeVisible();
  });
}

test('is stopped midway and keeps what came', async ({ app, page }) => {
  await openSecondSearch(app, page);
  await page.getByRole('button', { name: 'Send 3 times' }).click();
  await page.getByRole('spinbutton', { name: 'Times' }).fill('50');
  await page.keyboard.press('Enter');
  const plan = page.getByRole('complementary', { name: 'Plan' });
  await plan.getByRole('button', { name: 'Send 50 calls' }).click();
  await expect(page.getByRole('row', { name: /^call 2 / })).toContainText('answered');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText(/^Ended after \d+ of 50 calls/)).toBeVisible();
  await expect(page.getByRole('row', { name: /^call 2 / })).toContainText('answered');
});
