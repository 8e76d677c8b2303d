import { expect, test } from './fixtures.ts';
import { LABELLED, PASTED, TIME_LACKING } from './recordings.ts';

const file = (name: string, text: string) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(text),
});

test('several files of one import each say what became of them, and why their format', async ({
  app,
  page,
}) => {
  await app.start();
  await app.importText('known.txt', PASTED);
  await app.open(page);
  await page
    .getByTestId('import-files')
    .setInputFiles([
      file('known.txt', PASTED),
      file('labelled.json', LABELLED),
      file('shelf.json', '{"shelf":[1,2,3]}'),
      file('sessions-index.json', '{"version":1,"entries":[]}'),
    ]);
  const row = page.getByRole('listitem', { name: 'Import 4 files' });
  await expect(row).toContainText('1 failed, 1 imported, 1 known already, 1 set aside');
  await row.getByRole('button', { name: '4 sources' }).click();
  const sources = page.getByRole('region', { name: /^Sources of / });
  const lines = sources.getByRole('row');
  // What failed stands first, with what to do.
  await expect(lines.nth(1)).toContainText('shelf.json');
  await expect(lines.nth(1)).toContainText(/failed.*no known format.*read as/);
  await expect(lines.nth(2)).toContainText('set aside');
  await expect(lines).toHaveCount(5);
  await sources.getByRole('button', { name: '1 known already' }).click();
  await expect(lines).toHaveCount(2);
  await expect(lines.nth(1)).toContainText('known.txt');
  await sources.getByRole('button', { name: '1 failed' }).click();
  await expect(lines.nth(1)).toContainText('shelf.json');
  await lines.nth(1).getByRole('button', { name: '1 note on shelf.json' }).click();
  await expect(sources.getByText('IMPORT_NO_FORMAT')).toBeVisible();

  await expect(sources.getByText('What to do:')).toBeVisible();

  await lines.nth(1).getByRole('link', { name: 'Why this format? shelf.json' }).click();
  await expect(page.getByRole('heading', { name: 'Why this format?' })).toBeVisible();
  await expect(page.getByText('shelf.json is of no known format')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Read shelf.json as' })).toBeVisible();
  await page.goBack();
  // The person overrules the recognition for this one file of the batch; the others stay as they are.
  await lines.nth(1).getByRole('button', { name: 'Read shelf.json as another format' }).click();
  const choice = sources.getByRole('combobox', { name: 'Read shelf.json as' });
  await choice.selectOption({ label: 'Plain-text transcript' });
  await sources.getByRole('button', { name: 'Read shelf.json as the chosen format' }).click();
  const again = page.getByRole('listitem', { name: 'Import shelf.json' });
  await expect(again.getByRole('link', { name: 'Open' })).toBeVisible();
  await expect(row).toContainText('1 failed, 1 imported, 1 known already, 1 set aside');
  // The way back leads to the same lines.
  await sources.getByRole('button', { name: 'All 4' }).click();
  await sources.getByRole('link', { name: /Which crate/ }).click();
  await expect(page.getByRole('treegrid', { name: 'Call tree' })).toBeVisible();
});

test('many imports are summed in one line, and what failed is one step away', async ({
  app,
  page,
}) => {
  await app.start();
  await app.open(page);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    const text = name === 'c' ? '{"shelf":[1,2,3]}' : PASTED.replace('Hollow', `Hollow ${name}`);
    await page.getByTestId('import-files').setInputFiles([file(`${name}.txt`, text)]);
    await expect(page.getByRole('listitem', { name: `Import ${name}.txt` })).toBeVisible();
  }
  const imports = page.getByRole('region', { name: 'Imports' });
  await expect(imports).toContainText('1 failed, 6 imported');
  const list = imports.getByRole('list', { name: 'List of imports' });
  // It scrolls by itself: the runs keep their room.
  expect((await list.boundingBox())?.height ?? 0).toBeLessThanOrEqual(160);
  await imports.getByRole('button', { name: 'Show what failed' }).click();
  await expect(imports.getByRole('region', { name: 'Sources of c.txt' })).toContainText(
    'no known format',
  );
  await imports.getByRole('button', { name: 'Dismiss 7 ended imports' }).click();
  await expect(imports).toBeHidden();
});

test('a run says what its import came upon, with the bytes', async ({ app, page }) => {
  await app.start();
  const runId = await app.importText('scales.jsonl', TIME_LACKING);
  await app.open(page, `/runs/${runId}`);
  const fact = page.getByRole('button', { name: /^\d+ notes? of the import$/ });
  await fact.click();
  const notes = page.getByRole('complementary', { name: 'Notes of the import' });
  await expect(notes).toContainText('TIME_MISSING');
  await notes
    .getByRole('button', { name: /^at byte / })
    .first()
    .click();
  await expect(notes.getByRole('region', { name: 'Bytes as text' })).toContainText(
    'Weigh the red crate.',
  );
  await notes.getByRole('button', { name: 'Back to the step' }).click();
  await expect(notes).toBeHidden();
  // An error of the tool is none of the transport: row and panel say which.
  await page.getByRole('row', { name: /weigh.*isError/ }).click();
  await expect(
    page.getByRole('region', { name: /^Step \d+$/ }).getByText('isError', { exact: true }),
  ).toBeVisible();
});

test('an external mark stands apart from the mark, in a run of which only the order is known', async ({
  app,
  page,
}) => {
  await app.start();
  const runId = await app.importText('labelled.json', LABELLED);
  await app.open(page, `/runs/${runId}`);
  const tree = page.getByRole('treegrid', { name: 'Call tree' });
  const labelled = tree.getByRole('row', { name: /external mark/ });
  await expect(labelled).toHaveCount(1);
  await expect(labelled.getByText('external')).toBeVisible();
  await expect(tree.getByRole('columnheader', { name: 'Time' })).toContainText('order only');
  await expect(page.getByText('order only, no times recorded').first()).toBeVisible();
  // Its reason is read whole, by keys alone: from the run's head, and from the overview.
  const reason = 'It read the wrong scale.';
  await page.getByRole('button', { name: /^step \d+, WebSurfer/ }).press('Enter');
  const all = page.getByRole('complementary', { name: 'External marks' });
  await expect(all.getByText(reason)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(all).toBeHidden();
  await page.getByRole('button', { name: /^External mark, step \d+$/ }).press('Enter');
  const step = page.getByRole('region', { name: /^Step \d+$/ });
  await expect(step.getByRole('region', { name: /^External mark of / })).toContainText(reason);
  await page.goto(new URL('/runs', app.origin).href);
  await expect(page.getByRole('grid', { name: 'Runs' }).getByText('unmarked')).toBeVisible();
});
