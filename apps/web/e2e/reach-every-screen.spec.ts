import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { LABELLED, TIME_LACKING } from './recordings.ts';

async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Opens each menu of the screen and looks at it open. */
async function checkMenus(page: Page): Promise<number> {
  const triggers = await page.locator('main button[aria-haspopup="menu"]:visible').all();
  for (const trigger of triggers) {
    await trigger.click();
    await page.getByRole('menu').waitFor();
    const name = (await trigger.textContent()) ?? '';
    expect(await seriousFindings(page), `menu ${name}`).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
  }
  return triggers.length;
}

for (const theme of ['light', 'dark'] as const) {
  test(`no screen has a serious axe finding in the ${theme} theme`, async ({ app, page }) => {
    await page.emulateMedia({ colorScheme: theme });
    await app.start('--demo');
    await app.open(page);
    await page.getByRole('grid', { name: 'Runs' }).getByRole('row').nth(2).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    for (const place of [
      '/servers',
      '/replays',
      '/comparisons',
      '/receiver',
      '/prices',
      '/find',
      '/formats?format=har',
    ]) {
      await page.goto(new URL(place, app.origin).href);
      await page.getByRole('main').waitFor();
      expect(await seriousFindings(page), place).toEqual([]);
    }
    await page.goto(new URL('/runs', app.origin).href);
    await page.getByRole('grid', { name: 'Runs' }).getByRole('row').nth(1).dblclick();
    const tree = page.getByRole('treegrid', { name: 'Call tree' });
    await tree
      .getByRole('row', { name: /search_orders/ })
      .first()
      .click();
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      expect(await seriousFindings(page), (await tab.textContent()) ?? '').toEqual([]);
    }
    await page.keyboard.press('m');
    await page.getByRole('textbox', { name: 'Because' }).waitFor();
    expect(await seriousFindings(page), 'mark form').toEqual([]);
    await page.keyboard.press('Escape');
    await tree
      .getByRole('row', { name: /search_orders/ })
      .first()
      .click();
    await page.keyboard.press('r');
    await page.getByRole('button', { name: /^Send once/ }).waitFor();
    expect(await seriousFindings(page), 'replay').toEqual([]);
  });
}

for (const theme of ['light', 'dark'] as const) {
  test(`what an import did has no serious axe finding in the ${theme} theme`, async ({
    app,
    page,
  }) => {
    await page.emulateMedia({ colorScheme: theme });
    await app.start();
    const runId = await app.importText('scales.jsonl', TIME_LACKING);
    await app.open(page);
    const named = (name: string, text: string) => ({
      name,
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
    const picker = page.getByTestId('import-files');
    await picker.setInputFiles([named('labelled.json', LABELLED), named('shelf.json', '{"a":1}')]);
    await picker.setInputFiles([
      named('again.jsonl', TIME_LACKING),
      named('shelf.json', '{"a":1}'),
    ]);
    const imports = page.getByRole('region', { name: 'Imports' });
    await imports.getByRole('button', { name: '2 sources' }).first().click();
    const sources = page.getByRole('region', { name: /^Sources of / });
    await sources
      .getByRole('button', { name: /^1 note on / })
      .first()
      .click();
    expect(await seriousFindings(page), 'sources of an import').toEqual([]);
    await sources.getByRole('link', { name: 'Why this format? shelf.json' }).click();
    await page.getByRole('combobox', { name: 'Read shelf.json as' }).waitFor();
    expect(await seriousFindings(page), 'why this format').toEqual([]);
    await page.goto(new URL(`/runs/${runId}`, app.origin).href);
    await page.getByRole('button', { name: /notes? of the import$/ }).click();
    const notes = page.getByRole('complementary', { name: 'Notes of the import' });
    await notes
      .getByRole('button', { name: /^at byte / })
      .first()
      .click();
    await notes.getByRole('region', { name: 'Bytes as text' }).waitFor();
    expect(await seriousFindings(page), 'notes of a run').toEqual([]);
    await page.goto(new URL('/runs', app.origin).href);
    await page.getByRole('link', { name: 'Which crate is lighter?' }).first().click();
    await page.getByRole('row', { name: /external mark/ }).waitFor();
    expect(await seriousFindings(page), 'a run without times, with an external mark').toEqual([]);
  });
}

test('an open menu or sheet has no serious axe finding', async ({ app, page }) => {
  await app.start('--demo');
  await app.open(page);
  const rows = page.getByRole('grid', { name: 'Runs' }).getByRole('row');
  await rows.nth(2).waitFor();
  for (const [key, opened] of [
    ['?', page.getByRole('region', { name: 'All keys' })],
    ['Control+k', page.getByRole('listbox', { name: 'Places' })],
  ] as const) {
    await page.keyboard.press(key);
    await opened.waitFor();
    expect(await seriousFindings(page), key).toEqual([]);
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'hidden' });
  }
  await checkMenus(page);
  await rows.nth(1).dblclick();
  await page.getByRole('treegrid', { name: 'Call tree' }).waitFor();
  expect(await checkMenus(page), 'menus of a run').toBeGreaterThan(0);
});

test('an empty database says what is absent and what to do', async ({ app, page }) => {
  await app.start();
  await app.open(page);
  await expect(page.getByText('none yet')).toBeVisible();
  expect(await seriousFindings(page)).toEqual([]);
  await page.goto(new URL('/servers', app.origin).href);
  await expect(page.getByText('none yet')).toBeVisible();
  expect(await seriousFindings(page)).toEqual([]);
});

test('without the token nothing is shown', async ({ app, page, watch }) => {
  await app.start();
  const response = await page.goto(app.origin);
  expect(response?.status()).toBe(401);
  await expect(page.getByText(/address/)).toBeVisible();
  watch.errors.length = 0;
});
