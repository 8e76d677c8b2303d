import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from './fixtures.ts';
import { LABELLED, PASTED } from './recordings.ts';

test('a folder is typed, chosen, looked at, imported and followed without a mouse', async ({
  app,
  page,
}) => {
  const crates = path.join(app.folder, 'crates');
  await mkdir(path.join(crates, 'red'), { recursive: true });
  await mkdir(path.join(app.folder, 'cranes'));
  await writeFile(path.join(crates, 'red', 'ticket.txt'), PASTED);
  await app.start();
  await app.open(page, '/find');
  const field = page.getByRole('combobox', { name: 'Path of the folder' });
  await field.focus();
  await page.keyboard.type(path.join(app.folder, 'cr'));
  const offered = page.getByRole('listbox', { name: 'Folders' });
  await expect(offered.getByRole('option')).toHaveCount(2);
  // Letters in the field are text, not keys of the app.
  await expect(page.getByRole('region', { name: 'All keys' })).toBeHidden();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(offered.getByRole('option', { selected: true })).toHaveText(crates);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual(
    [],
  );
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue(`${crates}/`);
  await page.keyboard.press('Escape');
  await expect(offered).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toContainText('1 file');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Look', exact: true }).last()).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Import 1 file' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('region', { name: 'Imports' }).getByRole('link', { name: 'Open' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Follow this folder' }).press('Enter');
  await expect(page.getByText('followed', { exact: true })).toBeVisible();
});

for (const theme of ['light', 'dark'] as const) {
  test(`what is new on the screens has no serious axe finding in the ${theme} theme`, async ({
    app,
    page,
    watch,
  }) => {
    const serious = async () =>
      (await new AxeBuilder({ page }).analyze()).violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
        );
    await page.emulateMedia({ colorScheme: theme });
    await app.start();
    const runId = await app.importText('labelled.json', LABELLED);
    await app.open(page, `/runs/${runId}`);
    await page.getByRole('button', { name: /^External mark, step \d+$/ }).press('Enter');
    await expect(page.getByRole('region', { name: /^External mark of / })).toBeVisible();
    expect(await serious(), 'external mark').toEqual([]);
    await page.getByRole('button', { name: /^step \d+, WebSurfer/ }).press('Enter');
    expect(await serious(), 'external marks').toEqual([]);
    await page.keyboard.press('Escape');
    // Esc closes the keys first, and what is behind only when it is asked again.
    await page.keyboard.press('?');
    await expect(page.getByRole('region', { name: 'All keys' })).toContainText('zoom the axis');
    expect(await serious(), 'keys').toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('region', { name: 'All keys' })).toBeHidden();
    for (const place of ['/runs/nope', '/imports/nope', '/replays/nope', '/no/such/page']) {
      await page.goto(new URL(place, app.origin).href);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('main').getByRole('link')).toBeVisible();
      expect(await serious(), place).toEqual([]);
    }
    // The browser itself tells of answers that are none.
    const own = watch.errors.splice(0);
    expect(own.filter((words) => !/status of 40[04]/.test(words))).toEqual([]);

    await page.goto(new URL('/runs', app.origin).href);
    await page.getByTestId('import-files').setInputFiles([
      { name: 'shelf.json', mimeType: 'application/json', buffer: Buffer.from('{"shelf":[1]}') },
      { name: 'crate.json', mimeType: 'application/json', buffer: Buffer.from('{"crate":[2]}') },
    ]);
    await page.getByRole('button', { name: '2 sources' }).click();
    await page.getByRole('button', { name: 'Read as another format: shelf.json' }).click();
    expect(await serious(), 'read as').toEqual([]);
    await page.getByRole('button', { name: '1 note on crate.json' }).click();
    expect(await serious(), 'notes').toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: '2 sources' })).toBeFocused();
  });
}
