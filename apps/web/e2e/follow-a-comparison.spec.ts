import { expect, test } from './fixtures.ts';

test('a comparison tells how far it is, and its verdict only once it has ended', async ({
  app,
  page,
}) => {
  await app.start('--demo');
  await app.open(page);
  await page.getByRole('link', { name: /^Hollow Farm rang/ }).click();
  await page
    .getByRole('treegrid', { name: 'Call tree' })
    .getByRole('row', { name: /search_orders/ })
    .nth(1)
    .click();
  await page.keyboard.press('r');
  await page.getByRole('button', { name: 'Send 3 times' }).click();
  await page.getByRole('spinbutton', { name: 'Times' }).fill('8');
  await page.keyboard.press('Enter');
  const plan = page.getByRole('complementary', { name: 'Plan' });
  await plan.getByRole('button', { name: 'Send 8 calls' }).click();

  // On the way: the amount in the head, the bar and the status line, and nothing that the rest could undo.
  const bar = page.getByRole('progressbar', { name: 'Calls sent' });
  await expect(bar).toBeVisible();
  await expect(page.getByRole('heading', { name: /^\d of 8 sent$/ })).toBeVisible();
  await expect(page.getByText(/^So far: /)).toContainText('The calls to come may change it.');
  const calls = page.getByRole('table', { name: 'Repeats' });
  await expect(calls.getByRole('row')).toHaveCount(9);
  await expect(calls.getByRole('row', { name: /^call 1 / })).toContainText('answered');
  await expect(bar).toHaveAttribute('aria-valuenow', /^[1-9]/);
  await expect(page.getByRole('contentinfo').getByText(/^[1-7] of 8 sent/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'CSV' })).toBeHidden();

  // It goes on while another page is open, whose list follows it by itself.
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  const listed = page.getByRole('table', { name: 'Comparisons' }).getByRole('row').nth(1);
  await expect(listed).toContainText('running');
  await expect(listed).toContainText(/[1-7] of 8/);
  await expect(listed).toContainText('so far: ');
  await listed.getByRole('link', { name: 'Does it hold still?' }).click();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();

  await expect(page.getByRole('heading', { name: /same, byte for byte/ })).toBeVisible();
  await expect(page.getByText(/^8 of 8 sent in/)).toBeVisible();
  await expect(bar).toBeHidden();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden();
  await expect(page.getByText(/^So far: /)).toBeHidden();
  await expect(calls.getByRole('row', { name: /^call 8 / })).toContainText('same as call 1');
  await expect(page.getByRole('link', { name: 'CSV' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Run again, 8 sends' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await expect(listed).toContainText('complete');
  await expect(listed).toContainText('8 of 8');
});

test('of a draft and a replay of the recorded call, the comparison begins with the draft', async ({
  app,
  page,
  watch,
}) => {
  await app.start('--demo');
  await app.open(page);
  await page.getByRole('link', { name: /^Hollow Farm rang/ }).click();
  await page
    .getByRole('treegrid', { name: 'Call tree' })
    .getByRole('row', { name: /search_orders/ })
    .nth(1)
    .click();
  await page.keyboard.press('r');
  await page.getByRole('button', { name: /^Send once/ }).click();
  await expect(page.getByRole('table', { name: 'Comparison' })).toBeVisible();
  // The replay shown was sent with the recorded arguments: there is nothing to compare it with yet.
  await page.getByRole('button', { name: 'Compare two calls' }).click();
  await expect(page.getByRole('complementary', { name: 'Plan' })).toContainText('Choose B');
  await page.goBack();
  await page.getByRole('textbox', { name: 'Arguments' }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('{"customer":"Hollow Farm","placed_after":"2027-01-01"}');
  await page.getByRole('button', { name: 'Compare two calls' }).click();
  await expect(page.getByRole('combobox', { name: 'Call B' })).toHaveValue('draft');
  // Chosen against itself, the words say what to do in this case.
  await page.getByRole('combobox', { name: 'Call B' }).selectOption('recorded');
  const refused = page.getByRole('complementary', { name: 'Plan' }).getByRole('alert');
  await expect(refused).toContainText('The two calls have the same arguments');
  await expect(refused).toContainText('Nothing was sent. Change callB of the plan');
  // The refusal of that plan, and nothing else.
  expect(watch.errors.splice(0)).toEqual([expect.stringContaining('400')]);
});
