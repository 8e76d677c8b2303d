import { expect, test } from './fixtures.ts';

const tree = 'Call tree';

test('one recorded call is edited, sent to the demo server, and compared with the transcript', async ({
  app,
  page,
}) => {
  await app.start('--demo');
  await app.open(page);
  await page.getByRole('link', { name: /^Hollow Farm rang/ }).click();
  const rows = page
    .getByRole('treegrid', { name: tree })
    .getByRole('row', { name: /search_orders/ });
  await rows.nth(1).click();
  await page.keyboard.press('r');

  const editor = page.getByRole('textbox', { name: 'Arguments' });
  await expect(editor).toContainText('"Hollow Farm"');
  await page.getByRole('button', { name: /^Send once/ }).waitFor();
  const confirm = page.getByRole('textbox', { name: /Type the tool name/ });
  if (await confirm.isVisible()) await confirm.fill('search_orders');
  await page.getByRole('button', { name: /^Send once/ }).click();

  const comparison = page.getByRole('table', { name: 'Comparison' });
  await expect(comparison.getByRole('row', { name: /\/orders\/19/ })).toContainText(
    'elided in transcript',
  );
  await expect(comparison.getByRole('row', { name: /^\/count/ })).toContainText('same');
  await expect(comparison.getByRole('row', { name: /^\/truncated/ })).toContainText('same');
  await expect(page.getByText('tools/call').first()).toBeVisible();

  // Change one argument: the date that the agent meant.
  await editor.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(
    '{"customer":"Hollow Farm","placed_after":"2026-11-17","limit":100}',
  );
  if (await confirm.isVisible()) await confirm.fill('search_orders');
  await page.getByRole('button', { name: /^Send once/ }).click();
  const count = comparison.getByRole('row', { name: /^\/count/ });
  await expect(count).toContainText('differs now');
  // The call was edited, so the server is not blamed.
  await expect(count).not.toContainText('server');
});
